#include "core/midi/velocity.h"

#include <cmath>

namespace letoff::core {

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
    if (!enabled_ || !is_channel_message(message.kind)) return std::nullopt;
    std::uint8_t& lsb = lsb_[message.channel & 15];
    if (is_controller(message, kVelocityPrefix)) {
        lsb = message.data2 & 127;
    } else if (is_controller(message, kResetAllControllers)) {
        lsb = kNone;
    } else if (is_note(message) && lsb != kNone) {
        const int velocity = message.data2 * kVelocity14bitPerStep + lsb;
        lsb = kNone;
        return velocity;
    }
    return std::nullopt;
}

void VelocityPrefix::set_enabled(bool enabled) {
    enabled_ = enabled;
    reset();
}

std::array<MidiMessage, 2> note_on_14bit(int channel, int note, int velocity_14bit) {
    return {control_change(channel, kVelocityPrefix, velocity_lsb_of(velocity_14bit)),
            note_on(channel, note, velocity_7bit_of(velocity_14bit))};
}

std::array<MidiMessage, 2> note_off_14bit(int channel, int note, int release_velocity_14bit) {
    return {control_change(channel, kVelocityPrefix, velocity_lsb_of(release_velocity_14bit)),
            note_off(channel, note, velocity_7bit_of(release_velocity_14bit))};
}

}  // namespace letoff::core
