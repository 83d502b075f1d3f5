#include "hw/sim/plant.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {
namespace {

// Felts of keyboard/action/grand_rows.h's default key, at the front.
struct Rail {
    double k, b;  // N/m^2.5, N s/m^3
    double force_N(double pressed_m, double speed_mps) const {
        if (!(pressed_m > 0)) return 0;
        return std::max(0.0, pressed_m * pressed_m * (k * std::sqrt(pressed_m) + b * speed_mps));
    }
    double stored_J(double pressed_m) const {
        if (!(pressed_m > 0)) return 0;
        return k / 3.5 * pressed_m * pressed_m * pressed_m * std::sqrt(pressed_m);
    }
};
constexpr Rail kFront{15404682700.0, 1e9}, kBack{1e9, 2e9};
constexpr double kBackLever = 0.195 / 0.225;                // tail arm to front arm
constexpr double kDip_m = 0.0097461178;                     // where the front meets its punching
constexpr double kFarFront_m = 0.014, kFarBack_m = -0.004;  // hard ends of a device without stops
constexpr double kCreep_mps = 1e-3;  // below this friction is a drag: it creeps instead of sticking

// Hall pair: U^2 = A +- B (x - middle), in V^2: the rear sensor never falls below 0.3 V over 18 mm of travel.
constexpr double kHallMiddle_m = 0.005, kHallA = 1.0, kHallB_per_m = 90.0;

/// sin(2 pi x) to 1e-3: two parabolas and their correction.
double sine_turns(double x) {
    const double t = x - std::floor(x) - 0.5;        // -0.5 .. 0.5, sin(2 pi x) = -sin(2 pi t)
    const double p = 8 * t * (1 - 2 * std::abs(t));  // parabola through the zeros and +-1
    return -(0.775 * p + 0.225 * p * std::abs(p));
}

double quantised(double value_V, const SensorNumbers& s) {
    const double step_V = 2 * s.adc_V / static_cast<double>(std::int64_t{1} << s.adc_bits);
    return std::clamp(std::floor(value_V / step_V + 0.5) * step_V, -s.adc_V, s.adc_V);
}

}  // namespace

KeyPlant::KeyPlant(const DeviceNumbers& numbers, std::uint64_t seed)
    : numbers_(numbers), noise_(seed), force_N_per_A_(numbers.motor.force_N_per_A) {}

void KeyPlant::step(double t_s) noexcept {
    constexpr double h = kPlantStep_s;
    const MotorNumbers& m = numbers_.motor;
    const double wanted_A = std::clamp(command_N / force_N_per_A_, -m.most_A, m.most_A);
    const double back_V = -force_N_per_A_ * v_mps_;
    // The voltage that brings the current a step nearer, if the supply allows.
    const double next_A = current_A_ + h * m.loop_radps / (1 + h * m.loop_radps) * (wanted_A - current_A_);
    const double u_V = std::clamp(back_V + m.resistance_ohm * next_A + m.inductance_H * (next_A - current_A_) / h,
                                  -m.supply_V, m.supply_V);
    current_A_ = (current_A_ + h / m.inductance_H * (u_V - back_V)) / (1 + h * m.resistance_ohm / m.inductance_H);
    if (motor_cut) current_A_ = 0;

    finger_N_ = finger.step_N(t_s, h, x_m_, v_mps_);
    const double dip_m = numbers_.stops ? kDip_m : kFarFront_m, top_m = numbers_.stops ? 0 : kFarBack_m;
    front_N_ = kFront.force_N(x_m_ - dip_m, v_mps_);
    const double back_N = kBackLever * kBack.force_N(kBackLever * (top_m - x_m_), -kBackLever * v_mps_);
    double sum_N = finger_N_ + numbers_.weight_N - motor_N() - front_N_ + back_N;
    if (m.cogging_N > 0) sum_N -= m.cogging_N * sine_turns(x_m_ / m.cogging_pitch_m);
    const double drag = numbers_.viscous_Ns_per_m;
    const double dry_N = numbers_.dry_friction_N * std::clamp(v_mps_ / kCreep_mps, -1.0, 1.0);
    const double v0 = v_mps_;
    v_mps_ = (v_mps_ + h * (sum_N - dry_N) / numbers_.moving_mass_kg) / (1 + h * drag / numbers_.moving_mass_kg);
    x_m_ += h * v_mps_;
    finger_work_J_ += h * finger_N_ * 0.5 * (v0 + v_mps_);
    motor_work_J_ += h * motor_N() * 0.5 * (v0 + v_mps_);
}

KeyPlant::Reading KeyPlant::read() noexcept {
    const SensorNumbers& s = numbers_.sensor;
    const double from_middle = kHallB_per_m * std::clamp(x_m_ - kHallMiddle_m, -0.0105, 0.0105);
    Reading r;
    r.hall_front_V = quantised(std::sqrt(kHallA + from_middle) + s.hall_noise_V * noise_.normal(), s);
    r.hall_rear_V = quantised(std::sqrt(kHallA - from_middle) + s.hall_noise_V * noise_.normal(), s);
    r.coil_V = quantised(s.coil_V_per_mps * v_mps_ + s.coil_noise_V * noise_.normal(), s);
    r.current_A = current_A_;
    r.dip_m = kHallMiddle_m + (r.hall_front_V * r.hall_front_V - r.hall_rear_V * r.hall_rear_V) / (2 * kHallB_per_m);
    r.dip_speed_mps = r.coil_V / (s.coil_V_per_mps * (1 - s.coil_gain_error));
    return r;
}

double KeyPlant::stored_J() const {
    const double dip_m = numbers_.stops ? kDip_m : kFarFront_m, top_m = numbers_.stops ? 0 : kFarBack_m;
    return 0.5 * numbers_.moving_mass_kg * v_mps_ * v_mps_ - numbers_.weight_N * x_m_ + kFront.stored_J(x_m_ - dip_m) +
           kBack.stored_J(kBackLever * (top_m - x_m_));
}

}  // namespace letoff::hw
