#include "hw/midi/midi_strike_out.h"

#include <cmath>

#include "core/midi/velocity.h"

namespace letoff::hw {

namespace {

bool is_key(int key_index) {
    return key_index >= 0 && key_index < core::kKeyCount;
}

}  // namespace

void MidiStrikeOut::on_strike(const core::Strike& strike) noexcept {
    if (!is_key(strike.key_index)) return;
    const int note = core::midi_note_of_key(strike.key_index);
    bool& held = held_[static_cast<std::size_t>(strike.key_index)];
    if (held) queue_.push(core::note_off(channel_, note), strike.strike_time_s);
    held = true;
    const int velocity = core::velocity_14bit_of_speed(strike.hammer_speed_mps);
    const core::FineNote fine(form_, core::note_on(channel_, note, 1), velocity);
    for (const core::MidiMessage& message : fine.messages()) queue_.push(message, strike.strike_time_s);
}

void MidiStrikeOut::on_key_bottom(int /*key_index*/, double /*time_s*/) noexcept {}

void MidiStrikeOut::on_release(const core::Release& release) noexcept {
    if (!is_key(release.key_index)) return;
    bool& held = held_[static_cast<std::size_t>(release.key_index)];
    if (!held) return;
    held = false;
    const int note = core::midi_note_of_key(release.key_index);
    const int velocity = core::velocity_14bit_of_speed(core::kHammerPerKey * release.key_speed_mps);
    const core::FineNote fine(form_, core::note_off(channel_, note), velocity);
    for (const core::MidiMessage& message : fine.messages()) queue_.push(message, release.time_s);
}

void MidiStrikeOut::key_position(int key_index, double dip_m, double time_s) noexcept {
    if (!is_key(key_index)) return;
    const double share = dip_m > 0 ? std::fmin(dip_m / kFullDip_m, 1) : 0;  // not a number: at rest
    const int value = static_cast<int>(std::lround(share * core::kMidiDataMax));
    int& sent = position_[static_cast<std::size_t>(key_index)];
    if (value == sent) return;
    const core::MidiMessage pressure{core::MidiKind::poly_pressure, static_cast<std::uint8_t>(channel_),
                                     core::midi_data(core::midi_note_of_key(key_index)), core::midi_data(value)};
    if (queue_.push(pressure, time_s)) sent = value;
}

void MidiStrikeOut::pedal(double position, double time_s, int controller) noexcept {
    if (controller < 0 || controller > core::kMidiDataMax) return;
    int value = 0;
    if (position >= 1) {
        value = core::kMidiDataMax;
    } else if (position > 0) {
        value = static_cast<int>(std::lround(position * core::kMidiDataMax));
    }
    int& sent = pedal_value_[static_cast<std::size_t>(controller)];
    if (value == sent) return;
    // A value that found the ring full is tried again with the next position.
    if (queue_.push(core::control_change(channel_, controller, value), time_s)) sent = value;
}

}  // namespace letoff::hw
