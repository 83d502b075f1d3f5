// A finger that plays a key: a mass on the key's top (a guided body of the mechanism) pushed by muscle force.
//
// A stroke follows the path s(t) = s0 + a (t - t0)^2 / 2 of the fingertip down to stroke_end_m. The muscle gives the
// force that the player has learnt the key asks for, and corrects what is off the path with the finger's stiffness and
// damping:
//   u = F0 + (M + m) a + K (s - y) + C (s' - y'),  u >= 0 (it pushes; it never pulls the key)
// After the stroke u falls to hold_N within relax_s; lifting follows a path upwards at the release speed.
// Dip and finger travel are positive downwards. Real-time safe, no library functions.
#pragma once

#include <cstdint>

namespace letoff::core {

struct FingerSetting {
    double mass_kg = 0.030;  // finger without hand, as felt at the tip: our choice within 10-50 g
    // Of finger and wrist joints: our choice within measured 0.5-5 N/mm of tensed fingers.
    double stiffness_N_per_m = 2000;
    double damping_Ns_per_m = 15;  // critical for the finger's mass: 2 sqrt(K m) = 15.5
    double learnt_force_N = 0.5;   // down weight, as felt over the whole dip
    double learnt_mass_kg = 0.26;  // equivalent mass of the key with its hammer (measured on the model: 0.264)
    double stroke_end_m = 0.0102;  // a little beyond the dip
    double hold_N = 2.0;       // a held key: enough to keep the hammer in check (1.2 N lets the strongest blows out)
    double relax_s = 0.015;    // fall of the force at the end of a stroke
    double parked_m = -0.020;  // an idle finger hovers here
};

class Finger {
  public:
    enum class Phase : std::uint8_t { idle, press, hold, lift };

    Finger() = default;
    explicit Finger(const FingerSetting& setting) : setting_(setting) {}

    /// Begins a stroke at start_s (may lie inside the coming tick) from where the finger touches the key.
    void press(double start_s, double from_m, double acceleration_mps2) {
        phase_ = Phase::press;
        start_s_ = start_s;
        from_m_ = from_m;
        acceleration_mps2_ = acceleration_mps2;
        last_force_N_ = 0;
    }
    /// Leaves the key upwards, from where the finger is at the coming tick.
    void lift(double start_s, double speed_mps) {
        if (phase_ == Phase::idle) return;
        phase_ = Phase::lift;
        start_s_ = start_s;
        lift_speed_mps_ = speed_mps;
        from_unset_ = true;
    }

    /// Is in a stroke that began at start_s in the past, its muscle force having been last_force_N in the last tick.
    void resume_press(double now_s, double start_s, double from_m, double acceleration_mps2, double last_force_N);

    Phase phase() const { return phase_; }
    double last_force_N() const { return last_force_N_; }  // of the stroke; its last when it has ended

    /// Muscle force on the finger, mean over the tick [t0, t0 + h], positive downwards, the finger's own weight
    /// carried. y, v: finger travel and speed at t0. Returns to idle by itself when lifted clear.
    double force_N(double t0_s, double h_s, double y_m, double v_mps);

    const FingerSetting& setting() const { return setting_; }

  private:
    FingerSetting setting_;
    Phase phase_ = Phase::idle;
    bool from_unset_ = false;
    double start_s_ = 0, from_m_ = 0, acceleration_mps2_ = 0, lift_speed_mps_ = 0;
    double last_force_N_ = 0, hold_start_s_ = 0;
};

}  // namespace letoff::core
