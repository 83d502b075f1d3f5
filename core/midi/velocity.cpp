#include "core/midi/velocity.h"

#include <algorithm>
#include <cmath>

namespace letoff::core {
namespace {

constexpr int kXpBits = 0x70;      // of controller 16's value
constexpr int kXpStep = 16;        // of 14 bits in one of ten
constexpr int kXpMost = 1023;      // ten bits
constexpr int kXpPerVelocity = 8;  // ten-bit steps in one of seven bits

}  // namespace

double midi_velocity_of_speed(double speed_mps) {
    return kVelocityAt1mps + kVelocityPerDecade * std::log10(speed_mps);
}

double speed_mps_of_midi_velocity(double midi_velocity) {
    return std::pow(10.0, (midi_velocity - kVelocityAt1mps) / kVelocityPerDecade);
}

int velocity_14bit_of_speed(double speed_mps) {
    if (!(speed_mps > 0)) return kVelocity14bitMin;
    const double steps = kVelocity14bitPerStep * midi_velocity_of_speed(speed_mps);
    // Clamped before the conversion: infinity has no integer.
    return static_cast<int>(std::lround(std::clamp<double>(steps, kVelocity14bitMin, kVelocity14bitMax)));
}

double speed_mps_of_velocity_14bit(int velocity_14bit) {
    return speed_mps_of_midi_velocity(static_cast<double>(velocity_14bit) / kVelocity14bitPerStep);
}

std::optional<int> VelocityPrefix::see(const MidiMessage& message) {
    if (message.kind == MidiKind::system_reset) reset();
    if (!is_channel_message(message.kind)) return std::nullopt;
    std::uint8_t& lsb = lsb_[message.channel & 15];
    std::uint8_t& xp = xp_[message.channel & 15];
    const std::uint8_t extension = xp;
    xp = kNone;
    if (is_controller(message, kVelocityPrefix)) {
        lsb = message.data2 & 127;
    } else if (is_controller(message, kXpExtension)) {
        xp = message.data2 & kXpBits;
    } else if (is_controller(message, kResetAllControllers)) {
        lsb = kNone;
    } else if (is_note(message) && (lsb != kNone || extension != kNone)) {
        const int velocity = message.data2 * kVelocity14bitPerStep + (lsb != kNone ? lsb : extension);
        lsb = kNone;
        return velocity;
    }
    return std::nullopt;
}

FineNote::FineNote(VelocityForm form, MidiMessage note, int velocity_14bit) {
    const int fine = std::clamp(velocity_14bit, kVelocity14bitMin, kVelocity14bitMax);
    int velocity = fine / kVelocity14bitPerStep;
    if (form == VelocityForm::prefix_88) {
        messages_[count_++] = control_change(note.channel, kVelocityPrefix, fine % kVelocity14bitPerStep);
    } else if (form == VelocityForm::xp) {
        const int ten = std::min((fine + kXpStep / 2) / kXpStep, kXpMost);
        messages_[count_++] = control_change(note.channel, kXpExtension, ten % kXpPerVelocity * kXpStep);
        velocity = ten / kXpPerVelocity;
    }
    note.data2 = midi_data(velocity);
    messages_[count_++] = note;
}

std::array<MidiMessage, 2> note_on_14bit(int channel, int note, int velocity_14bit) {
    const FineNote fine(VelocityForm::prefix_88, note_on(channel, note, 1), velocity_14bit);
    return {fine.messages()[0], fine.messages()[1]};
}

}  // namespace letoff::core
