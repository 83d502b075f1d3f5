#include "core/midi/input_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace letoff::core {
namespace {

bool is_channel(int channel) {
    return channel >= 0 && channel < kMidiChannels;
}

bool has_way(const PedalEnds& ends) {
    return std::abs(ends.down - ends.up) >= PedalEnds::kLeastWay && std::min(ends.up, ends.down) >= 0 &&
           std::max(ends.up, ends.down) <= kMidiDataMax;
}

int at(const PedalEnds& ends, double value) {
    const double share = (value - ends.up) / (ends.down - ends.up);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kMidiDataMax));
}

double on_curve(const std::array<double, InputMap::kCurvePoints>& curve, double velocity) {
    const double in = std::clamp(velocity, 1.0, static_cast<double>(kMidiDataMax));
    const auto low = std::min(static_cast<std::size_t>(in), InputMap::kCurvePoints - 2);
    return curve[low] + (in - static_cast<double>(low)) * (curve[low + 1] - curve[low]);
}

}  // namespace

const char* problem_of(const InputMap& map) {
    if (!is_channel(map.channel) || !is_channel(map.upper_channel)) return "its channels are not from 1 to 16";
    if (map.split_note < 0 || map.split_note > kMidiDataMax) return "its split is no MIDI note, 0 to 127";
    if (!has_way(map.sustain) || !has_way(map.sostenuto) || !has_way(map.soft))
        return "a pedal's ends are not two values from 0 to 127, at least 16 apart";
    if (map.sustain_controller < 0 || map.sustain_controller >= kAllSoundOff)
        return "the sustain pedal's controller is not from 0 to 119";
    if (!std::isfinite(map.black_offset) || std::abs(map.black_offset) > kMidiDataMax)
        return "the black keys' offset is not from -127 to 127";
    if (!map.curve) return "";
    const auto begin = map.curve->begin() + 1;
    const bool finite = std::all_of(begin, map.curve->end(), [](double v) { return std::isfinite(v); });
    if (!finite || !std::is_sorted(begin, map.curve->end())) return "its velocity curve does not rise";
    return "";
}

void InputMapper::set(const InputMap& map) {
    map_ = map;
    changes_velocity_ = map.curve.has_value() || map.black_offset != 0;
    prefix_.reset();
    pairs_ = {};
}

bool InputMapper::is_wanted(const MidiMessage& message) const noexcept {
    if (!is_channel_message(message.kind) || map_.policy == ChannelPolicy::omni) return true;
    if (map_.policy == ChannelPolicy::one) return message.channel == map_.channel;
    const bool lower = message.channel == map_.channel, upper = message.channel == map_.upper_channel;
    const bool has_note = is_note(message) || message.kind == MidiKind::poly_pressure;
    if (!has_note) return lower || upper;
    return message.data1 < map_.split_note ? lower : upper;
}

std::span<const MidiMessage> InputMapper::map(const MidiMessage& message) noexcept {
    if (!is_wanted(message)) return {};
    const int controller = map_.sustain_controller;
    const bool plays_sustain = is_controller(message, controller);
    // A pedal that has a prefix's number is a pedal.
    if (!map_.fine_velocity && !plays_sustain && is_velocity_prefix(message)) return {};
    if (changes_velocity_ && !(plays_sustain && is_velocity_prefix(message))) {
        const std::optional<int> fine = prefix_.see(message);
        if (is_velocity_prefix(message)) return {};  // it comes out with its note
        if (is_note(message)) return note(message, fine);
    }
    if (message.kind != MidiKind::control_change) return one(message);
    MidiMessage moved = message;
    if (controller != kSustainPedal) {
        const std::optional<WideControl> wide = pairs_.see(message);
        const bool is_pair = wide && wide->kind == WideControl::Kind::controller && wide->number == controller;
        if (!is_pair && !plays_sustain) {
            return message.data1 == kSustainPedal ? std::span<const MidiMessage>() : one(message);
        }
        moved.data1 = kSustainPedal;
        const double value =
            is_pair ? wide->value / 128.0 * kMidiDataMax / (kMidiDataMax + 127.0 / 128) : message.data2;
        moved.data2 = midi_data(at(map_.sustain, value));
        return one(moved);
    }
    const PedalEnds* ends = message.data1 == kSustainPedal     ? &map_.sustain
                            : message.data1 == kSostenutoPedal ? &map_.sostenuto
                            : message.data1 == kSoftPedal      ? &map_.soft
                                                               : nullptr;
    if (ends != nullptr && *ends != PedalEnds()) moved.data2 = midi_data(at(*ends, message.data2));
    return one(moved);
}

std::span<const MidiMessage> InputMapper::note(const MidiMessage& message, std::optional<int> fine) noexcept {
    // How fast a key is let go has a sensor of its own, that nobody measured.
    const int in = fine.value_or(message.data2 * kVelocity14bitPerStep);
    if (message.kind == MidiKind::note_off) {
        if (!fine) return one(message);
        fine_ = FineNote(form_, message, in);
        return fine_.messages();
    }
    double velocity = static_cast<double>(in) / kVelocity14bitPerStep;
    if (map_.curve) velocity = on_curve(*map_.curve, velocity);
    if (is_black_note(message.data1)) velocity += map_.black_offset;
    const double steps = std::clamp(velocity * kVelocity14bitPerStep, static_cast<double>(kVelocity14bitMin),
                                    static_cast<double>(kVelocity14bitMax));
    fine_ = FineNote(form_, message, static_cast<int>(std::lround(steps)));
    return fine_.messages();
}

}  // namespace letoff::core
