// One key's force: what the action model, tied to the device's key, gives the finger (impedance causality).
//
//   device's dip and speed -> tracked -> led to when the force will act -> tie (keyboard/keybed/key_tie.h) -> F_tie
//   F = share (F_tie - rails) + damping of the passivity controller - what the device's own friction adds -> limits
//
// Tracking: x^ += dt v, then x^ += g (x - x^), g = w dt / (1 + w dt). Slow motion is the Hall pair's, fast motion the
//   coil's; nothing is differentiated. At 45 Hz and 4 kHz a fifth of the position's white noise is left, and a coil
//   that is 0.5 % wrong puts x^ 7 um off at 0.4 m/s.
// Lead: x = x^ + v (age of the reading + the device's delay + h/2), bounded by lead_most_ms. It turns the negative
//   damping -k tau of a spring behind a delay into a mass of -k tau^2 / 2: 2.8 g at 0.375 ms. Where that would take
//   more than a third of the device's mass the stiffness is lowered until it does not.
// Stiffness: the model's own action gives 0.8 N/mm as its hammer swings on its felts (12 Hz); 40 N/mm in series with it
//   costs 2 % of that, and 0.06 mm of dip at 2.5 N. More is noise: 2 um rms of position, a fifth of it left, are 15 mN,
//   what the coil's 0.2 mm/s moves x^ by 5 mN, and the same at the damper of a light lever (31 N s/m) 6 mN: 17
//   together, of 20 allowed. What is left of a light lever's key swings on it at 210 Hz, of a wooden one's at 500 Hz:
//   above what a key plays. What it costs: nothing that is rendered is stiffer than 40 N/mm. The key bottom is (57 N/mm
//   at 3 N), so a device without stops of felt has a softer bottom, and one that its motor has to hold: `limited` says
//   so. Where the hammer is thrown into its check with 8 N the simulated key gives way by 0.2 mm: it is why repetition
//   is followed less well.
// Mass and weight of the device's own key are left out of the simulated one (key_tie.h), so no acceleration is
//   estimated or fed forward. A wooden key brings all of its own: what acts at the capstan is left. A light lever
//   brings 20 of 43 g. A device heavier than the simulated key cannot be made lighter.
// Friction of the device: dry_N v / 10 mm/s up to dry_N, and viscous, four fifths of each: were the stated numbers a
//   quarter too high, nothing would be given that it does not take.
// A key begins where it is: the tie starts at the simulated key's own dip and goes over to the device's in kJoin_s,
// while the force rises from nothing. Without a new reading for kLost_s, or with one that is no motion of a key, it is
// no longer live; its force falls to zero, and is zero at once if the reading is no number.
// Real-time safe; one owner.
#pragma once

#include "core/fault/force_limits.h"
#include "keyboard/haptic/haptic_rows.h"
#include "keyboard/haptic/passivity.h"
#include "keyboard/keybed/key_tie.h"

namespace letoff::keyboard {

class HapticKey {
  public:
    static constexpr double kJoin_s = 0.1, kLost_s = 0.010;
    static constexpr double kDeepest_m = 0.03, kFastest_mps = 5.0;  // beyond: no motion of a key

    struct Options {
        bool passivity = true, lead = true;  // off only to show what they are for
    };
    HapticKey(const HapticValues& values, double h_s, const Options& options);
    HapticKey(const HapticValues& values, double h_s) : HapticKey(values, h_s, Options{}) {}

    struct Reading {
        double time_s = 0, dip_m = 0, speed_mps = 0;
        bool live = false;
    };
    /// Before the tick that begins at now_s, given where the simulated key is. True: tie the key by `tie`.
    bool begin(double now_s, const Reading& reading, double key_dip_m, KeyTie& tie) noexcept;
    /// After it: the force on the finger to command. `tied` is not looked at for a key that begin() did not tie.
    double finish(double now_s, const TiedForce& tied) noexcept;

    bool live() const { return live_; }
    bool rests() const { return !live_ && !faulty_ && limits_.rests(); }
    /// What happened in the last tick.
    bool limited() const { return limits_.limited(); }
    bool damped() const { return damped_; }
    bool faulty() const { return faulty_; }
    double rendered_N() const { return rendered_N_; }  // the model's wish
    double given_share() const { return share_; }      // of it that was commanded, where faded; else 1
    double stiffness_N_per_m() const { return stiffness_N_per_m_; }
    const Passivity& passivity() const { return passivity_; }

  private:
    void track(const Reading& reading) noexcept;
    double friction_N() const noexcept;
    void leave() noexcept;
    double give_up() noexcept;

    HapticValues values_;
    Options options_;
    double h_s_, delay_s_;
    double stiffness_N_per_m_, damping_Ns_per_m_ = 0;
    core::ForceLimits limits_;
    Passivity passivity_;
    bool live_ = false, faulty_ = false, damped_ = false;
    double time_s_ = 0, dip_m_ = 0, speed_mps_ = 0;  // tracked, at the time of the last reading
    double join_left_s_ = 0, offset_m_ = 0;
    double rendered_N_ = 0, share_ = 1, own_mass_kg_ = 0;
};

}  // namespace letoff::keyboard
