// A hammer on the strings of its note: the one place where the two meet ("one owner": the audio side replays the force
// computed here).
//
// Strings: the modes of core/string/modal_string.h as rotating phasors z, eta = Re z, eta' = -sigma eta - omega Im z,
// so that free motion is z(t + h) = lambda z(t), lambda = exp((-sigma + i omega) h), and a force constant over h adds
// beta F, beta = -i (lambda - 1) phi / (n omega (-sigma + i omega)): exact, on the grid h = 1/96000 s, whatever the
// tick. y = sum phi eta / n is the mean displacement of the n strings at the hammer. Hammer: mass m at the crown, x'' =
// (f_other - F)/m, F constant over h. Felt (Thorin et al. eq 2.6 integrated over the step), d = x - y, index 0 and 1 at
// the ends of the grid interval, d+ = max(d, 0):
//   F = (U(d1) - U(d0))/(d1 - d0) + b (d1+^3 - d0+^3)/(3 h), clamped >= 0,  U(d) = K d+^(p+1)/(p+1),  d1 = D - G F,
// D where the felt would be without F, G = sum phi beta / n + h^2/(2 m). The right side is convex in d1: Newton from
// above cannot fail. So the work F (x1 - x0) of the hammer is the strings' work F (y1 - y0), exact in the modes, plus
// the felt's stored and lost energy, to rounding. Between strikes the modes are not stepped: advance_to turns them on
// by lambda^N in closed form, with the damper's decay since.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/simd/lanes.h"
#include "core/string/modal_string.h"

namespace letoff::keyboard {

/// What voicing changes: F = K d^p + b d^2 d', and how hard the felt is beside the strings' grooves, times K.
struct HammerFelt {
    double K_N_m_p = 0, p = 0, b_Ns_m3 = 0;
    double una_corda_hardness = 1;
    bool operator==(const HammerFelt&) const = default;
};
HammerFelt felt_of(const core::NoteStrings& note);

/// Of the crown, along the strings' normal; 0 where it touches strings at rest, negative before, positive into the
/// strings.
struct HammerState {
    double position_m = 0;
    double speed_mps = 0;
    double mass_kg = 0;        // effective, at the crown
    double other_force_N = 0;  // all but the strings', constant over the call
};

/// One meeting of hammer and strings; several bounces within 2 ms are one.
struct StringContact {
    std::int64_t first_sample = 0;  // strike-grid interval in which they first touch ...
    double first_fraction = 0;      // ... and how far into it, 0..1
    double hammer_speed_mps = 0;    // at first touch
    std::int64_t last_sample = 0;   // last interval with force
    double impulse_Ns = 0;
    double peak_force_N = 0;
    double hammer_work_J = 0;  // given by the hammer: to strings and felt
    double string_work_J = 0;
    int touches = 0;
};

struct FreeMotion {
    double string_m = 0;  // sum shape Re z
    double bound_m = 0;   // sum |shape| |z|
};

struct ModePhasors {
    core::LaneBlock re, im;
};

struct HammerOnStringState {
    std::vector<ModePhasors> modes;
    core::Blow blow;                // how the hammer meets the strings ...
    double blow_pedal = 0;          // ... with the una corda pedal so far down; NaN: to be asked anew
    bool quiet = true;              // all modes exactly zero
    double string_m = 0;            // y now
    double string_bound_m = 0;      // |y| can never be more until the next strike
    std::int64_t sample = 0;        // strike-grid time up to which the modes are advanced
    double damping_integral = 0;    // integral of core::damper_loss_1ps over time, not yet applied
    double last_force_N = 0;        // in the last interval
    double expected_force_N = 0;    // start of the next Newton iteration
    bool touching = false;          // force in the last interval
    bool contact_open = false;      // contact below is being written
    bool contact_finished = false;  // `finished` waits to be taken
    StringContact contact, finished;
};

class HammerOnString {
  public:
    /// Set-up: allocates, uses the C library's functions.
    explicit HammerOnString(const core::NoteStrings& note);
    HammerOnStringState at_rest() const;

    /// False where the hammer surely does not touch the strings within duration_s: then step() need not be called.
    bool within_reach(const HammerOnStringState& state, const HammerState& hammer, double duration_s) const noexcept;

    /// The una corda pedal, 0 up .. 1 down, from now on; while hammer and strings touch, a blow stays what it is.
    void set_una_corda(HammerOnStringState& state, double pedal) const noexcept {
        if (pedal != state.blow_pedal && !state.contact_open) take_una_corda(state, pedal);
    }

    /// Another felt from now on; not while hammer and strings touch.
    void set_felt(HammerOnStringState& state, const HammerFelt& felt) noexcept {
        felt_ = felt;
        una_corda_.hardness = felt.una_corda_hardness;
        state.blow_pedal = std::numeric_limits<double>::quiet_NaN();
    }
    const HammerFelt& felt() const { return felt_; }

    /// The damper's loss over a tick in which the strings were left alone; applied by the next advance_to.
    static void add_damping(HammerOnStringState& state, double damper_loss_1ps, double duration_s) noexcept {
        state.damping_integral += damper_loss_1ps * duration_s;
    }
    /// Strings free up to strike-grid time `sample`, in closed form, with the damping added since; an open contact is
    /// finished.
    void advance_to(HammerOnStringState& state, std::int64_t sample) const noexcept;

    /// Hammer and strings together over `samples` grid intervals from state.sample (call advance_to first). force_N[i]
    /// is the total contact force in interval i. Dampers act between calls (add_damping, then advance_to(state,
    /// state.sample)).
    void step(HammerOnStringState& state, HammerState& hammer, int samples, double* force_N) const noexcept;

    /// The contact that ended since the last call, if any. It ends 2 ms after the hammer has left, moving away.
    static bool take_contact(HammerOnStringState& state, StringContact& contact) noexcept;

    double string_energy_J(const HammerOnStringState& state) const;
    int modes() const { return static_cast<int>(omega_radps_.size()); }
    const std::vector<double>& omega_radps() const { return omega_radps_; }

    /// Per block of modes, in the order in which they are read.
    struct ModeCoefficients {
        core::LaneBlock turn_re, turn_im;  // lambda
        core::LaneBlock push_re, push_im;  // beta, m/N
        core::LaneBlock shape;             // phi / n
        core::LaneBlock damper_weight;
    };

  private:
    double solve_force(double d0_m, double free_m, double give_m_per_N, double guess_N, double hardness) const noexcept;
    FreeMotion turn(HammerOnStringState& state, std::uint64_t steps, double damping) const noexcept;
    void take_una_corda(HammerOnStringState& state, double pedal) const noexcept;

    std::vector<ModeCoefficients> coefficients_;
    std::vector<double> omega_radps_, sigma_1ps_;  // with the silent modes
    struct Set {
        std::size_t first = 0, blocks = 0;
        double admittance_m_per_N = 0;  // of an even blow: its part of y after one interval per newton
    };
    std::vector<Set> sets_;
    core::UnaCorda una_corda_;
    HammerFelt felt_;
};

}  // namespace letoff::keyboard
