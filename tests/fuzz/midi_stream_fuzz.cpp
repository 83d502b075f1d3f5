// Any bytes as a live MIDI stream: what is decoded can be encoded and decoded again, and real-time bytes disturb
// nothing. System Exclusives may be tunings.
#include <cstdint>
#include <span>
#include <vector>

#include "core/midi/message.h"
#include "core/midi/mts.h"
#include "core/midi/stream_decoder.h"
#include "core/midi/velocity.h"
#include "tests/fuzz/require.h"

using namespace letoff::core;

namespace {

constexpr std::size_t kSysExBytes = 64;  // small, so that the fuzzer finds the overflow

void check_tuning(std::span<const std::uint8_t> sysex) {
    static MtsTuning tuning;
    if (tuning.take(sysex) == MtsTuning::Told::kNothing) return;
    for (const double pitch : tuning.pitches()) require(pitch >= -1 && pitch <= 128);
    require(tuning.name().size() <= MtsTuning::kName_bytes);
}

/// Decoders and lists live as long as the program: nothing is allocated for each run, and a decoder that was reset has
/// to be as good as a new one.
struct Decoding {
    MidiStreamDecoder decoder{kSysExBytes};
    std::vector<MidiMessage> messages;

    const std::vector<MidiMessage>& of(std::span<const std::uint8_t> bytes) {
        decoder.reset();
        messages.clear();
        MidiMessage message;
        for (const std::uint8_t byte : bytes) {
            if (!decoder.push(byte, message)) continue;
            messages.push_back(message);
            if (message.kind != MidiKind::system_exclusive) continue;
            require(decoder.sysex().size() <= kSysExBytes);
            for (const std::uint8_t data : decoder.sysex()) require(data < 0x80);
            check_tuning(decoder.sysex());
        }
        return messages;
    }
};

bool is_real_time(const MidiMessage& message) {
    return static_cast<std::uint8_t>(message.kind) >= 0xF8;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Decoding first, second;
    static std::vector<std::uint8_t> encoded, quiet;
    static std::vector<MidiMessage> encodable, expected;
    check_tuning({data, size});
    encoded.clear();
    quiet.clear();
    encodable.clear();
    expected.clear();
    const std::span bytes(data, size);
    const std::vector<MidiMessage>& messages = first.of(bytes);
    require(messages.size() <= size);

    VelocityPrefix prefix;
    for (const MidiMessage& message : messages) {
        require(message.channel < kMidiChannels && message.data1 < 128 && message.data2 < 128);
        require(message.kind != MidiKind::note_on || message.data2 >= 1);
        if (const auto fine = prefix.see(message)) require(*fine >= 0 && *fine <= kVelocity14bitMax);
        const MidiBytes one = encode(message);
        if (one.size == 0) continue;
        encodable.push_back(message);
        encoded.insert(encoded.end(), one.span().begin(), one.span().end());
    }
    require(second.of(encoded) == encodable);

    for (const std::uint8_t byte : bytes) {
        if (byte < 0xF8) quiet.push_back(byte);
    }
    for (const MidiMessage& message : messages) {
        if (!is_real_time(message)) expected.push_back(message);
    }
    require(second.of(quiet) == expected);
    return 0;
}
