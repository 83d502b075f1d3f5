// Where the energy of a stroke goes. Every tick the meter adds up what finger, weight, drive and pedal give, and what
// each pivot, felt, rubbing contact and the strings take, by the laws that the step solved (core/multibody/step.h):
//   pivot      -l w + c w^2 h                    l: friction impulse, w: mean speed in the pivot, c: viscous friction
//   rubbing    -l u                              u: mean sliding speed
//   felt       F (d1 - d0) - (U(d1) - U(d0))     >= 0: damping, and what a felt loses that rises slower than it is left
//   strings    their impulse on the hammer times its mean speed, less what they bend springs by the part of its way
//              that only the strike grid knows (core::StepInput::shift): to strings and hammer felt
// Stored is a function of the state alone: kinetic, height, springs, felts. What does not add up is the error of the
// time step; a positive residual would be energy from nowhere (passivity).
#pragma once

#include <array>

#include "keyboard/bench/linkage.h"
#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

struct EnergyBalance {
    double work_J = 0;        // given to the action
    double throughput_J = 0;  // the same, every tick's without its sign
    double stored_J = 0;      // more than at the start
    std::array<double, kGrandBodies> pivots_J{};
    std::array<double, kGrandContacts> felts_J{}, rubbing_J{};
    double strings_J = 0;

    double pivots_total_J() const;
    double felts_total_J() const;
    double rubbing_total_J() const;
    double lost_J() const { return pivots_total_J() + felts_total_J() + rubbing_total_J() + strings_J; }
    /// Energy that came from nowhere; negative: went nowhere.
    double residual_J() const { return stored_J + lost_J() - work_J; }
};

class EnergyMeter {
  public:
    /// Counts from the bench's present state on; call read() after every tick of it.
    EnergyMeter(const Bench& bench, const TestKey& key, int lane = 0);
    void read();
    const EnergyBalance& balance() const { return balance_; }
    /// Kinetic energy of the hammer alone, now.
    double hammer_J() const;

  private:
    struct State {
        std::array<double, kGrandBodies> q{}, v{};
        double tray_m = 0;
    };
    State now() const;
    double stored_J(const State& state) const;

    const Bench& bench_;
    int lane_;
    Linkage linkage_;
    CrownGeometry crown_;
    State before_;
    double stored_at_start_J_;
    EnergyBalance balance_;
};

/// One stroke of the finger, from rest until its key stands at the bottom.
struct StrokeEnergy {
    EnergyBalance balance;
    double hammer_J = 0;        // of the hammer as it meets the strings
    double strings_keep_J = 0;  // in the strings when it has left them
};
StrokeEnergy measure_stroke_energy(const TestKey& key, double acceleration_mps2);

}  // namespace letoff::keyboard
