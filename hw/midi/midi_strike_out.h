// Strikes, releases and pedals of the keybed as MIDI messages.
//
//   strike    at the hammer's contact: controller 88 with the low seven bits of velocity_14bit, or XP's controller 16
//             with three bits, then the note-on (core/midi/velocity.h)
//   release   as the damper meets the string: the same controller and the note-off, the same law on core::kHammerPerKey
//             times the key's upward speed
//   pedal     the controller, when its value of seven bits changes
//   position  of a key, as polyphonic pressure, when its value of seven bits changes: 0 at rest, 127 from kFullDip_m on
//
// A key can strike again before its damper came down. MIDI 1.0 leaves open what a second note-on of a sounding note
// does: some synthesizers stack a second voice, and one note-off then ends one of the two or both. So every note-on
// gets exactly one note-off: the struck-again note is first ended (release velocity 64: not measured) and then begun at
// the same time, which every synthesizer plays as a repetition. The release of a note that never struck sends nothing.
//
// Threads: all on the keybed's thread; no allocation, lock or system call.
#pragma once

#include <array>

#include "core/midi/velocity.h"
#include "core/port/strike_sink.h"
#include "core/unit/keys.h"
#include "hw/midi/midi_out_queue.h"

namespace letoff::hw {

class MidiStrikeOut final : public core::StrikeSink {
  public:
    explicit MidiStrikeOut(MidiOutQueue& queue, int channel = 0) : queue_(queue), channel_(channel) {
        pedal_value_.fill(kUnsent);
    }

    /// How fine the velocities are; controller 88 and 14 bits unless said.
    void set_velocity_form(core::VelocityForm form) noexcept { form_ = form; }

    void on_strike(const core::Strike& strike) noexcept override;
    void on_key_bottom(int key_index, double time_s) noexcept override;
    void on_release(const core::Release& release) noexcept override;

    /// position: 0 up .. 1 down, clamped; not a number counts as up. controller: one of the three pedals.
    void pedal(double position, double time_s, int controller = core::kSustainPedal) noexcept;

    static constexpr double kFullDip_m = 0.010;  // a grand key's dip, about

    /// Whoever calls bounds how often.
    void key_position(int key_index, double dip_m, double time_s) noexcept;

  private:
    static constexpr int kUnsent = 0;  // a synthesizer starts with its pedals up

    MidiOutQueue& queue_;
    const int channel_;
    core::VelocityForm form_ = core::VelocityForm::prefix_88;
    std::array<bool, core::kKeyCount> held_{};
    std::array<int, core::kMidiDataMax + 1> pedal_value_{};  // by controller
    std::array<int, core::kKeyCount> position_{};
};

}  // namespace letoff::hw
