#include "hw/sim/device_key.h"

#include <algorithm>
#include <cmath>

namespace letoff::hw {
namespace {

using firmware::KeyFault;

// A 30 mm brushed motor: 12 J/K of copper, 20 K/W to the air of the room. 5 N for ever are 0.8 W: 16 K.
constexpr double kAmbient_C = 25, kWarmth_J_per_C = 12, kToAir_C_per_W = 20;

// The device's own calibration of the plant's Hall pair (Docquier et al. 2021, eq 17; hw/sim/plant.cpp makes the
// volts).
constexpr double kHall_m_per_V2 = 1.0 / 180, kHallOffset_m = 0.005;
constexpr double kLeastHall_V = 0.2, kMostHall_V = 4.8;  // the plant's stay between 0.3 V and 1.4 V
// A divider before the coil's converter: the field holds 1.638 V, and a key must be measured up to 3 m/s.
constexpr double kCoilDivider = 0.25;

// A stuck sensor: its way and the coil's differ by so much, of what happened in about the last 100 ms. A whole dip
// fast or slow differs by 0.1 mm (coil gain 0.5 %, noise); a slow leak lets the coil's offset run off.
constexpr double kStuckGap_m = 1.5e-3, kStuckLeak_s = 0.1;
// An open motor: asked for so much, a quarter of it does not flow for so long. The loop needs 0.1 ms.
constexpr double kOpenAsked_A = 0.1, kOpenShare = 0.25, kOpen_s = 0.002;
constexpr double kMostSpeed_mps = 3, kOutside_m = 0.003;
constexpr double kOverCurrent_A = 0.5e-3;  // half the unit of the limit

double rounded(double units, double least, double most) noexcept {
    return units > least ? std::min(std::floor(units + 0.5), most) : least;  // not a number: least
}

}  // namespace

DeviceKey::DeviceKey(const DeviceNumbers& numbers, std::uint64_t seed, const firmware::KeyRow& row)
    : plant(numbers, seed), limits_(firmware::KeyLimits::of(row)), temperature_C_(kAmbient_C) {
    off();
    read(false);
}

void DeviceKey::push(double asked_N) noexcept {
    if (fault_ != KeyFault::none) {
        off();
        return;
    }
    const double force_N = guard_.tick(asked_N, temperature_C(), limits_, kPlantStep_s);
    // The amplifier's own limit. The plant's force is proportional to current.
    const double most_N = limits_.current_A * plant.numbers().motor.force_N_per_A;
    plant.command_N = std::clamp(force_N, -most_N, most_N);
    plant.motor_cut = ailment.motor_open;
}

void DeviceKey::off() noexcept {
    guard_.off(limits_, kPlantStep_s);
    plant.command_N = 0;
    plant.motor_cut = true;
}

void DeviceKey::step(double t_s) noexcept {
    plant.step(t_s);
    const double loss_W = plant.numbers().motor.resistance_ohm * plant.current_A() * plant.current_A();
    temperature_C_ += kPlantStep_s / kWarmth_J_per_C * (loss_W - (temperature_C_ - kAmbient_C) / kToAir_C_per_W);
}

void DeviceKey::read(bool motor_on) noexcept {
    const KeyPlant::Reading before = reading_;
    reading_ = plant.read();
    if (ailment.sensor_stuck) {
        reading_.hall_front_V = before.hall_front_V;
        reading_.hall_rear_V = before.hall_rear_V;
    }
    if (ailment.sensor_dead) reading_.hall_front_V = 0;
    reading_.dip_m = kHallOffset_m + kHall_m_per_V2 * (reading_.hall_front_V * reading_.hall_front_V -
                                                       reading_.hall_rear_V * reading_.hall_rear_V);
    if (dips_ > 0) {
        gap_m_ += kRead_s * reading_.dip_speed_mps - (reading_.dip_m - before.dip_m);
        gap_m_ -= gap_m_ * kRead_s / kStuckLeak_s;
    }
    const KeyFault moving = in_motion(motor_on);
    dips_m_[next_dip_] = reading_.dip_m;
    next_dip_ = (next_dip_ + 1) % dips_m_.size();
    dips_ = std::min(dips_ + 1, dips_m_.size());
    if (fault_ != KeyFault::none) return;
    fault_ = cause();
    if (fault_ == KeyFault::none) fault_ = moving;
    if (fault_ != KeyFault::none) off();
}

KeyFault DeviceKey::cause() const noexcept {
    if (ailment.reported != KeyFault::none) return ailment.reported;
    for (const double hall_V : {reading_.hall_front_V, reading_.hall_rear_V})
        if (!(hall_V >= kLeastHall_V && hall_V <= kMostHall_V)) return KeyFault::sensor_dead;
    if (!(temperature_C() < limits_.temperature_C)) return KeyFault::over_temperature;
    if (guard_.spent(limits_)) return KeyFault::over_energy;
    if (reading_.dip_m < -kOutside_m || reading_.dip_m > limits_.travel_m + kOutside_m) return KeyFault::out_of_travel;
    // The test pulse that a device gives to a motor whose phase was open before it says that the cause is gone.
    if (fault_ == KeyFault::motor_open && ailment.motor_open) return KeyFault::motor_open;
    return KeyFault::none;
}

KeyFault DeviceKey::in_motion(bool motor_on) noexcept {
    const double current_A = std::abs(reading_.current_A);
    const double asked_A = motor_on ? std::abs(plant.command_N) / plant.numbers().motor.force_N_per_A : 0;
    no_current_s_ = asked_A > kOpenAsked_A && current_A < kOpenShare * asked_A ? no_current_s_ + kRead_s : 0;
    const bool spent = guard_.spend(plant.command_N, reading_.dip_speed_mps, limits_, kRead_s);
    if (current_A > limits_.current_A + kOverCurrent_A) return KeyFault::over_current;
    if (no_current_s_ >= kOpen_s) return KeyFault::motor_open;
    if (spent) return KeyFault::over_energy;
    // The oldest of a full ring is a millisecond old; the coil alone ends at 2.5 m/s.
    if (dips_ == dips_m_.size()) {
        const double way_m = std::abs(reading_.dip_m - dips_m_[next_dip_]);
        if (way_m > kMostSpeed_mps * kRead_s * static_cast<double>(dips_m_.size())) return KeyFault::over_speed;
    }
    return std::abs(gap_m_) > kStuckGap_m ? KeyFault::sensor_stuck : KeyFault::none;
}

void DeviceKey::forget_fault() noexcept {
    fault_ = KeyFault::none;
    gap_m_ = no_current_s_ = 0;
    dips_ = next_dip_ = 0;
}

std::uint16_t DeviceKey::field(int bit) const noexcept {
    double units = 0;
    switch (bit) {
        case 0:
            units = reading_.dip_m / 0.5e-6;
            break;
        case 1:
            units = reading_.dip_speed_mps / 1e-4;
            break;
        case 2:
            units = reading_.current_A / 0.5e-3;
            break;
        case 3:
            return static_cast<std::uint16_t>(rounded(reading_.hall_front_V / 1e-4, 0, 65535));
        case 4:
            return static_cast<std::uint16_t>(rounded(reading_.hall_rear_V / 1e-4, 0, 65535));
        default:
            units = kCoilDivider * reading_.coil_V / 50e-6;
            break;
    }
    return static_cast<std::uint16_t>(static_cast<std::int16_t>(rounded(units, -32768, 32767)));
}

std::int16_t DeviceKey::temperature_field() const noexcept {
    return static_cast<std::int16_t>(rounded(10 * temperature_C(), -32768, 32767));
}

std::uint8_t DeviceKey::status_field() noexcept {
    const unsigned limited = guard_.take_limited() ? firmware::kLimitedBit : 0u;
    return static_cast<std::uint8_t>(static_cast<unsigned>(fault_) | limited);
}

}  // namespace letoff::hw
