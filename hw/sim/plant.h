// The physics of a motor array: N keys, each a mass on stops with friction, a motor with its amplifier, a Hall pair and
// a coil, and perhaps a finger. No USB, no time but the one it is stepped through: whoever carries its frames (a
// KeyArray on the virtual clock, or a device that speaks the protocol) sits on top.
//
//   m x'' = finger + weight - motor(i) - cogging(x) - friction(x') - front felt(x) + back felt(x)
//   L i' = u - R i + K x' (the motor pushes up, so its back EMF helps a falling key),  u = what the current loop asks
//          for within the supply
//   felts: F = k d^2.5 + b d^2 d', clamped >= 0, of the cloth and punching of the default grand (keyboard/action)
// One step is 1/32000 s: 15 times faster than anything here swings (a key on its punching at 30 N: 2000 rad/s).
// Semi-implicit Euler; the current exactly implicit. Plain arithmetic and square roots: the same bits everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/sim/device_numbers.h"
#include "hw/sim/noise.h"
#include "hw/sim/sim_finger.h"

namespace letoff::hw {

inline constexpr int kPlant_hz = 32000;
inline constexpr double kPlantStep_s = 1.0 / kPlant_hz;

class KeyPlant {
  public:
    explicit KeyPlant(const DeviceNumbers& numbers, std::uint64_t seed = 1);

    SimFinger finger;
    double command_N = 0;    // set point of the motor's force, on the finger, upwards
    bool motor_cut = false;  // a broken phase: no current, whatever is commanded

    /// One step of kPlantStep_s from t_s on.
    void step(double t_s) noexcept;

    /// What the electronics read now; draws noise.
    struct Reading {
        double hall_front_V = 0, hall_rear_V = 0, coil_V = 0, current_A = 0;
        double dip_m = 0, dip_speed_mps = 0;  // by eqs 17, 18 with the device's own calibration
    };
    Reading read() noexcept;

    // The truth, for tests and plots.
    double dip_m() const { return x_m_; }
    double dip_speed_mps() const { return v_mps_; }
    double finger_N() const { return finger_N_; }  // the finger's on the key, downwards: what it feels
    double motor_N() const { return force_N_per_A_ * current_A_; }
    double current_A() const { return current_A_; }
    double finger_work_J() const { return finger_work_J_; }  // given by the finger so far
    double motor_work_J() const { return motor_work_J_; }    // taken by the motor so far
    double stored_J() const;                                 // in the key: speed, height, felts
    double front_felt_N() const { return front_N_; }
    const DeviceNumbers& numbers() const { return numbers_; }

  private:
    DeviceNumbers numbers_;
    Noise noise_;
    double force_N_per_A_;
    double x_m_ = 0, v_mps_ = 0, current_A_ = 0;
    double finger_N_ = 0, front_N_ = 0, finger_work_J_ = 0, motor_work_J_ = 0;
};

}  // namespace letoff::hw
