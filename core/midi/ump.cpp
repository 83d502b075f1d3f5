#include "core/midi/ump.h"

#include "core/midi/velocity.h"

namespace letoff::core {
namespace {

/// Words of a packet, by its message type.
constexpr std::array<std::size_t, 16> kWords = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};

enum Type : unsigned { kUtility = 0, kSystem = 1, kChannelMidi1 = 2, kChannelMidi2 = 4 };

enum Status : unsigned {  // of a MIDI 2.0 channel voice message
    kRegistered = 0x2,
    kAssignable = 0x3,
    kNoteOff = 0x8,
    kNoteOn = 0x9,
    kPolyPressure = 0xA,
    kController = 0xB,
    kProgram = 0xC,
    kChannelPressure = 0xD,
    kBend = 0xE,
};

constexpr int kBankMsb = 0, kBankLsb = 32, kDataMsb = 6, kDataLsb = 38;

constexpr int byte_of(std::uint32_t word, int from_above) {
    return static_cast<int>(word >> (24 - 8 * from_above) & 0xFFU);
}

}  // namespace

std::span<const MidiMessage> UmpDecoder::push(std::uint32_t word) {
    given_ = 0;
    words_[have_++] = word;
    if (have_ == kWords[words_[0] >> 28]) {
        decode();
        have_ = 0;
    }
    return {out_.data(), given_};
}

void UmpDecoder::decode() {
    const unsigned type = words_[0] >> 28;
    if (type == kUtility) return;  // no group, and nothing but padding and time stamps
    if (type != kSystem && type != kChannelMidi1 && type != kChannelMidi2) {
        ++counts_.stepped_over;
    } else if ((groups_ >> (words_[0] >> 24 & 15U) & 1U) == 0) {
        ++counts_.other_groups;
    } else if (type == kChannelMidi2) {
        midi_2();
    } else {
        midi_1(words_[0]);
    }
}

void UmpDecoder::midi_1(std::uint32_t word) {
    const auto status = static_cast<std::uint8_t>(byte_of(word, 1));
    const int data1 = byte_of(word, 2), data2 = byte_of(word, 3);
    const bool is_channel = status >= 0x80 && status < 0xF0;
    if (is_channel != (word >> 28 == kChannelMidi1) || data_bytes_after(status) < 0 || data1 > kMidiDataMax ||
        data2 > kMidiDataMax) {
        ++counts_.malformed;
        return;
    }
    give(message_of(status, static_cast<std::uint8_t>(data1), static_cast<std::uint8_t>(data2)));
}

void UmpDecoder::midi_2() {
    const std::uint32_t value = words_[1];
    const unsigned status = words_[0] >> 20 & 15U;
    const int channel = static_cast<int>(words_[0] >> 16 & 15U);
    const int index = byte_of(words_[0], 2) & kMidiDataMax;
    const auto seven = [value] { return static_cast<int>(value >> 25); };
    const auto message = [&](MidiKind kind, int data1, int data2) {
        give({kind, static_cast<std::uint8_t>(channel), midi_data(data1), midi_data(data2)});
    };
    switch (status) {
        case kNoteOn:
            return note(MidiKind::note_on, channel, index, static_cast<int>(value >> 18));
        case kNoteOff:
            return note(MidiKind::note_off, channel, index, static_cast<int>(value >> 18));
        case kPolyPressure:
            return message(MidiKind::poly_pressure, index, seven());
        case kController:
            return message(MidiKind::control_change, index, seven());
        case kProgram:
            if ((words_[0] & 1U) != 0) {
                give(control_change(channel, kBankMsb, byte_of(value, 2) & kMidiDataMax));
                give(control_change(channel, kBankLsb, byte_of(value, 3) & kMidiDataMax));
            }
            return message(MidiKind::program_change, byte_of(value, 0) & kMidiDataMax, 0);
        case kChannelPressure:
            return message(MidiKind::channel_pressure, seven(), 0);
        case kBend:
            return message(MidiKind::pitch_bend, static_cast<int>(value >> 18 & 127U), seven());
        case kRegistered:
            return parameter(channel, 101, 100);
        case kAssignable:
            return parameter(channel, 99, 98);
        default:
            ++counts_.stepped_over;
    }
}

void UmpDecoder::note(MidiKind kind, int channel, int note_number, int velocity_14bit) {
    const MidiMessage plain{kind, static_cast<std::uint8_t>(channel), midi_data(note_number), 0};
    const FineNote fine(VelocityForm::prefix_88, plain, velocity_14bit);
    for (const MidiMessage& message : fine.messages()) give(message);
}

void UmpDecoder::parameter(int channel, int select_msb, int select_lsb) {
    give(control_change(channel, select_msb, byte_of(words_[0], 2) & kMidiDataMax));
    give(control_change(channel, select_lsb, byte_of(words_[0], 3) & kMidiDataMax));
    give(control_change(channel, kDataMsb, static_cast<int>(words_[1] >> 25)));
    give(control_change(channel, kDataLsb, static_cast<int>(words_[1] >> 18 & 127U)));
}

}  // namespace letoff::core
