// What a foreign keyboard sends -> what this instrument means by it: which channels count, the keyboard's own velocity
// curve, how its black keys differ from its white ones, and where its pedals begin and end.
//
//   velocity  v_out = curve(v_in) + black_offset on black keys, in steps of MIDI velocity (velocity.h), between the
//             whole steps linear, so that a keyboard that skips some still has every loudness
//   pedal     p_out = (value - up) / (down - up), 0..1; up > down is a pedal that works the other way round
//
// A default map changes nothing, not even a byte. A note whose velocity is changed is sent on with a prefix (controller
// 88), so nothing of the finer value is lost. No allocation; one thread for each mapper.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/midi/controller_pairs.h"
#include "core/midi/message.h"
#include "core/midi/velocity.h"

namespace letoff::core {

struct PedalEnds {
    static constexpr int kLeastWay = 16;  // of 127 between the ends: less is no pedal's whole way

    int up = 0, down = kMidiDataMax;  // the controller's value there
    friend bool operator==(const PedalEnds&, const PedalEnds&) = default;
};

enum class ChannelPolicy : std::uint8_t {
    omni,   // all channels
    one,    // `channel` alone
    split,  // below `split_note` those of `channel`, from it on those of `upper_channel`; the pedals of both
};

struct InputMap {
    static constexpr std::size_t kCurvePoints = kMidiNotes;  // one for each velocity

    ChannelPolicy policy = ChannelPolicy::omni;
    int channel = 0, upper_channel = 1;  // 0..15
    int split_note = 60;
    std::optional<std::array<double, kCurvePoints>> curve;  // rising; [0] is not used
    double black_offset = 0;
    PedalEnds sustain, sostenuto, soft;
    /// A controller that plays the sustain pedal instead of 64, with 14 bits where it is below 32: an expression pedal.
    int sustain_controller = kSustainPedal;

    /// Controllers 88 and 16 are the finer part of a note's velocity (velocity.h); false: this keyboard sends them for
    /// something else, and they mean nothing.
    bool fine_velocity = true;

    friend bool operator==(const InputMap&, const InputMap&) = default;
};

/// "" or what of it cannot be.
const char* problem_of(const InputMap& map);

class InputMapper {
  public:
    /// form: of the velocities that it changes.
    explicit InputMapper(const InputMap& map = {}, VelocityForm form = VelocityForm::prefix_88) : form_(form) {
        set(map);
    }
    /// Of a source that comes anew, too: what came before it is forgotten.
    void set(const InputMap& map);

    /// The messages to play instead of this one: none, itself, or a prefix and a note. Valid until the next call.
    std::span<const MidiMessage> map(const MidiMessage& message) noexcept;

  private:
    bool is_wanted(const MidiMessage& message) const noexcept;
    std::span<const MidiMessage> note(const MidiMessage& message, std::optional<int> fine) noexcept;
    std::span<const MidiMessage> one(const MidiMessage& message) noexcept {
        single_ = message;
        return {&single_, 1};
    }

    InputMap map_;
    VelocityForm form_;
    bool changes_velocity_ = false;
    VelocityPrefix prefix_;
    ControllerPairs pairs_;
    MidiMessage single_;
    FineNote fine_{VelocityForm::seven_bit, {}, kVelocity14bitMin};
};

}  // namespace letoff::core
