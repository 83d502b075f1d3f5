// A finger on a device's key: a mass with a pulp (as the action model's fingertip, keyboard/action/grand.h: 1 N at 1
// mm, 27 N at 3 mm), moved by a muscle. Travel positive downwards from where the tip touches the key at dip 0; forces
// positive downwards. It pushes, never pulls.
//   profile   the force over time of core/finger/profile.h, with the speed at which it meets the key
//   strokes   core/finger's finger: learnt force and a path, corrected by the joints' stiffness
//   held      u = F + K (anchor(t) - y) - C y' + tremor: a hand that rests, a nervous grip, a measuring actuator
#pragma once

#include <utility>
#include <vector>

#include "core/finger/finger.h"
#include "core/finger/profile.h"
#include "hw/sim/noise.h"

namespace letoff::hw {

struct HeldFinger {
    double preload_N = 0, stiffness_N_per_m = 0, damping_Ns_per_m = 0;
    std::vector<std::pair<double, double>> anchor;  // time s, travel m; straight between, standing outside
    double tremor_N = 0;                            // rms, 8-12 Hz as of a nervous hand, of random phase
};

class SimFinger {
  public:
    struct Stroke {
        double press_s = 0, acceleration_mps2 = 0, lift_s = 0, lift_mps = 0.25;
    };

    SimFinger() = default;  // no finger
    static SimFinger profile(const core::FingerProfile& profile, double start_s);
    static SimFinger strokes(std::vector<Stroke> strokes, const core::FingerSetting& setting = {});
    /// One that plays no strokes yet: press() and lift() add them as they come, each after those before.
    static SimFinger ready() { return strokes({}); }
    void press(double start_s, double acceleration_mps2);
    void lift(double start_s, double speed_mps);
    static SimFinger held(HeldFinger held, double start_travel_m = 0, std::uint64_t seed = 1);

    // Usual ones.
    /// A hand lying on the key: passive, so that all energy it shows is the key's.
    static SimFinger passive(double preload_N, double stiffness_N_per_m, double damping_Ns_per_m);
    /// A tense hand (5 N/mm of tensed fingers) that presses and trembles.
    static SimFinger nervous_grip(double at_m, double start_s, std::uint64_t seed);
    /// A linear motor that goes down to `to_m` at a speed, waits and comes back (Docquier et al. 2021, figure 23).
    static SimFinger actuator(double speed_mps, double to_m, double start_s = 0.1, double wait_s = 0.2);

    /// Force on the key, mean over the step; moves the finger.
    double step_N(double t_s, double h_s, double key_dip_m, double key_speed_mps) noexcept;
    /// Of the pulp, pressed so deep and at such a speed: k d^3 + b d^2 d', never a pull.
    static double pulp_N(double pressed_m, double speed_mps) noexcept;
    /// How deep a slow force presses it.
    static double pulp_depth_m(double force_N);
    double travel_m() const { return y_m_; }
    double speed_mps() const { return v_mps_; }

  private:
    enum class Kind { none, profile, strokes, held };
    double muscle_N(double t_s, double h_s, double key_dip_m, double key_speed_mps) noexcept;
    double held_N(double t_s, double h_s) noexcept;

    Kind kind_ = Kind::none;
    double mass_kg_ = core::FingerSetting{}.mass_kg;
    double y_m_ = core::FingerSetting{}.parked_m, v_mps_ = 0;
    core::FingerProfile profile_;
    double start_s_ = 0;
    bool arrived_ = false;
    std::vector<Stroke> strokes_;
    std::size_t next_press_ = 0, next_lift_ = 0;
    core::Finger finger_;
    HeldFinger held_;
    Noise noise_{1};
    double tremor_N_ = 0, tremor_slope_ = 0;
};

}  // namespace letoff::hw
