#include "keyboard/strike/hammer_string.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/string/deterministic_math.h"
#include "core/unit/constants.h"
#include "keyboard/strike/mode_kernels.h"

namespace letoff::keyboard {
namespace {

constexpr double kGrid_s = 1.0 / core::kStrikeGrid_hz;
constexpr std::int64_t kReleased_samples = core::kStrikeGrid_hz / 500;  // 2 ms: waves from the agraffe are back by then
constexpr double kQuiet_m = 1e-15;       // 60 dB under a picometre: below this the strings are set to rest
constexpr double kReachMargin_m = 1e-5;  // against rounding of the caller's own motion within the tick
constexpr int kMaxIterations = 24;       // quadratic from above: a few are needed
constexpr double kConverged = 1e-9;      // last correction, relative; what is left is its square
constexpr double kSmallChange = 1e-3;    // of the compression: below this the secant is taken by its series

void finish(HammerOnStringState& state) {
    if (state.contact_open) {
        state.finished = state.contact;
        state.contact_finished = true;
    }
    state.contact_open = false;
    state.touching = false;
    state.last_force_N = state.expected_force_N = 0;
}

}  // namespace

HammerFelt felt_of(const core::NoteStrings& note) {
    return {note.hammer_K_N_m_p, note.hammer_p, note.hammer_b_Ns_m3, note.una_corda.hardness};
}

HammerOnString::HammerOnString(const core::NoteStrings& note) : una_corda_(note.una_corda), felt_(felt_of(note)) {
    for (int s = 0; s < note.sets; ++s) {
        const core::StringModes& m = note.set[static_cast<std::size_t>(s)];
        Set& set = sets_.emplace_back();
        set.first = coefficients_.size();
        for (std::size_t j = 0; j < m.omega_radps.size(); ++j) {
            const std::size_t lane = omega_radps_.size() % core::kLanes;
            if (lane == 0) coefficients_.emplace_back();
            ModeCoefficients& c = coefficients_.back();
            const std::complex<double> pole(-m.sigma_1ps[j], m.omega_radps[j]);
            const std::complex<double> turn = std::exp(pole * kGrid_s);
            const double shape = m.phi_strike[j] / note.strings;
            const std::complex<double> push = std::complex<double>(0, -shape / m.omega_radps[j]) * (turn - 1.0) / pole;
            c.turn_re.lane[lane] = turn.real();
            c.turn_im.lane[lane] = turn.imag();
            c.push_re.lane[lane] = push.real();
            c.push_im.lane[lane] = push.imag();
            c.shape.lane[lane] = shape;
            c.damper_weight.lane[lane] = m.damper_weight[j];
            set.admittance_m_per_N += shape * push.real();
            omega_radps_.push_back(m.omega_radps[j]);
            sigma_1ps_.push_back(m.sigma_1ps[j]);
        }
        set.blocks = coefficients_.size() - set.first;
    }
}

FreeMotion HammerOnString::turn(HammerOnStringState& state, std::uint64_t steps, double damping) const noexcept {
    FreeMotion all;
    for (std::size_t k = 0; k < sets_.size(); ++k) {
        const Set& set = sets_[k];
        const FreeMotion motion =
            turn_freely(coefficients_.data() + set.first, state.modes.data() + set.first, set.blocks, steps, damping);
        all.string_m += state.blow.gain[k] * motion.string_m;
        all.bound_m += std::abs(state.blow.gain[k]) * motion.bound_m;
    }
    return all;
}

void HammerOnString::take_una_corda(HammerOnStringState& state, double pedal) const noexcept {
    state.blow_pedal = pedal;
    const core::Blow blow = core::blow_of(una_corda_, pedal);
    if (blow == state.blow) return;
    state.blow = blow;
    if (state.quiet) return;
    const FreeMotion motion = turn(state, 0, 0.0);
    state.string_m = motion.string_m;
    state.string_bound_m = motion.bound_m;
}

HammerOnStringState HammerOnString::at_rest() const {
    HammerOnStringState state;
    state.modes.assign(coefficients_.size(), ModePhasors{});
    return state;
}

bool HammerOnString::within_reach(const HammerOnStringState& state, const HammerState& hammer,
                                  double duration_s) const noexcept {
    if (state.contact_open) return true;
    const double acceleration = hammer.other_force_N / hammer.mass_kg;
    const double advance_m =
        (std::max(hammer.speed_mps, 0.0) + 0.5 * std::max(acceleration, 0.0) * duration_s) * duration_s;
    return hammer.position_m + advance_m + state.string_bound_m + kReachMargin_m >= 0;
}

void HammerOnString::advance_to(HammerOnStringState& state, std::int64_t sample) const noexcept {
    const auto steps = static_cast<std::uint64_t>(std::max<std::int64_t>(sample - state.sample, 0));
    if (steps > 0) finish(state);
    if (!state.quiet && (steps > 0 || state.damping_integral > 0)) {
        const FreeMotion motion = turn(state, steps, state.damping_integral);
        state.string_m = motion.string_m;
        state.string_bound_m = motion.bound_m;
        if (!(motion.bound_m >= kQuiet_m)) {
            std::fill(state.modes.begin(), state.modes.end(), ModePhasors{});
            state.quiet = true;
            state.string_m = state.string_bound_m = 0;
        }
    }
    state.damping_integral = 0;
    state.sample += static_cast<std::int64_t>(steps);
}

double HammerOnString::solve_force(double d0_m, double free_m, double give_m_per_N, double guess_N,
                                   double hardness) const noexcept {
    if (d0_m <= 0 && free_m <= 0) return 0;
    const double start_m = std::max(d0_m, 0.0);
    const double felt_K = hardness * felt_.K_N_m_p;
    const double energy0_J = felt_K * core::pow_positive(start_m, felt_.p) * start_m / (felt_.p + 1);
    const double cube0 = start_m * start_m * start_m;
    const double b_over_3h = hardness * felt_.b_Ns_m3 * (core::kStrikeGrid_hz / 3.0);
    double d1 = free_m - give_m_per_N * guess_N;
    for (int i = 0; i < kMaxIterations; ++i) {
        const double end_m = std::max(d1, 0.0);
        const double change = d1 - d0_m;
        double force, slope;
        if (d0_m > 0 && std::abs(change) < kSmallChange * d0_m) {
            const double mid = 0.5 * (d0_m + d1);
            const double ratio = change / mid;
            const double at_mid = felt_K * core::pow_positive(mid, felt_.p);
            force = at_mid + at_mid * (felt_.p * (felt_.p - 1) / 24) * ratio * ratio;
            slope = 0.5 * felt_.p * at_mid / mid;
        } else {
            const double static_N = felt_K * core::pow_positive(end_m, felt_.p);
            force = (static_N * end_m / (felt_.p + 1) - energy0_J) / change;
            slope = (static_N - force) / change;
        }
        force += b_over_3h * (end_m * end_m * end_m - cube0);
        slope += 3 * b_over_3h * end_m * end_m;
        if (!(force > 0)) force = slope = 0;
        const double correction = (d1 + give_m_per_N * force - free_m) / (1 + give_m_per_N * slope);
        d1 -= correction;
        if (std::abs(correction) <= kConverged * (std::abs(d1) + std::abs(free_m))) break;
    }
    return std::max((free_m - d1) / give_m_per_N, 0.0);
}

void HammerOnString::step(HammerOnStringState& state, HammerState& hammer, int samples,
                          double* force_N) const noexcept {
    const std::array<double, core::kMaxSets>& gain = state.blow.gain;
    double admittance_m_per_N = 0;
    for (std::size_t k = 0; k < sets_.size(); ++k)
        admittance_m_per_N += gain[k] * gain[k] * sets_[k].admittance_m_per_N;
    const double give = admittance_m_per_N + kGrid_s * kGrid_s / (2 * hammer.mass_kg);
    double pending_N = 0;  // force of the interval before, not yet in the modes
    const double free_acceleration = hammer.other_force_N / hammer.mass_kg;
    for (int i = 0; i < samples; ++i, ++state.sample) {
        const double d0 = hammer.position_m - state.string_m;
        const double free_x = hammer.position_m + (hammer.speed_mps + 0.5 * free_acceleration * kGrid_s) * kGrid_s;
        double free_y = 0;
        for (std::size_t k = 0; k < sets_.size() && !state.quiet; ++k)
            free_y +=
                gain[k] * push_and_turn(coefficients_.data() + sets_[k].first, state.modes.data() + sets_[k].first,
                                        sets_[k].blocks, gain[k] * pending_N);
        const double force = solve_force(d0, free_x - free_y, give, state.expected_force_N, state.blow.hardness);
        const bool touching = force > 0;
        StringContact& contact = state.contact;
        if (touching && !state.contact_open) {
            const double fraction = std::clamp(d0 / (d0 - (free_x - free_y)), 0.0, 1.0);
            contact = StringContact{};
            contact.first_sample = state.sample;
            contact.first_fraction = fraction;
            contact.hammer_speed_mps = hammer.speed_mps + free_acceleration * fraction * kGrid_s;
            state.contact_open = true;
        }
        const double acceleration = free_acceleration - force / hammer.mass_kg;
        const double new_x = hammer.position_m + (hammer.speed_mps + 0.5 * acceleration * kGrid_s) * kGrid_s;
        const double new_y = free_y + admittance_m_per_N * force;
        if (touching) {
            contact.last_sample = state.sample;
            contact.impulse_Ns += force * kGrid_s;
            contact.peak_force_N = std::max(contact.peak_force_N, force);
            contact.hammer_work_J += force * (new_x - hammer.position_m);
            contact.string_work_J += force * (new_y - state.string_m);
            contact.touches += state.touching ? 0 : 1;
            state.quiet = false;
        }
        hammer.position_m = new_x;
        hammer.speed_mps += acceleration * kGrid_s;
        state.string_m = new_y;
        state.touching = touching;
        state.expected_force_N = 2 * force - state.last_force_N;
        state.last_force_N = pending_N = force;
        force_N[i] = force;
        const bool away = hammer.speed_mps < 0 && new_x < new_y;
        if (state.contact_open && away && state.sample - contact.last_sample >= kReleased_samples) finish(state);
    }
    if (state.quiet) return;
    for (std::size_t k = 0; k < sets_.size() && pending_N > 0; ++k)
        push(coefficients_.data() + sets_[k].first, state.modes.data() + sets_[k].first, sets_[k].blocks,
             gain[k] * pending_N);
    // string_m stays as summed above, so that the result does not depend on how the time is cut into calls.
    state.string_bound_m = turn(state, 0, 0.0).bound_m;
}

bool HammerOnString::take_contact(HammerOnStringState& state, StringContact& contact) noexcept {
    if (!state.contact_finished) return false;
    contact = state.finished;
    state.contact_finished = false;
    return true;
}

double HammerOnString::string_energy_J(const HammerOnStringState& state) const {
    double energy_J = 0;
    for (std::size_t j = 0; j < omega_radps_.size(); ++j) {
        const std::size_t block = j / core::kLanes, lane = j % core::kLanes;
        const double eta = state.modes[block].re.lane[lane];
        const double speed = -sigma_1ps_[j] * eta - omega_radps_[j] * state.modes[block].im.lane[lane];
        const double stiffness = omega_radps_[j] * omega_radps_[j] + sigma_1ps_[j] * sigma_1ps_[j];
        energy_J += 0.5 * (speed * speed + stiffness * eta * eta);
    }
    return energy_J;
}

}  // namespace letoff::keyboard
