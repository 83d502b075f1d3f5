// What a motorised key is made of, as numbers: two devices that somebody could build, each with its reasons. Dip and
// force at the key front (13 mm behind the edge), dip positive downwards, force on the finger positive upwards.
#pragma once

#include <string_view>

namespace letoff::hw {

struct MotorNumbers {
    double resistance_ohm = 2.0, inductance_H = 0.6e-3;
    double force_N_per_A = 8.0;  // at the key front; the back EMF is as many V per m/s
    double supply_V = 24.0, most_A = 8.0;
    double cogging_N = 0;                       // amplitude; none in a voice coil
    double cogging_pitch_m = 2e-3;              // of dip
    double loop_radps = 2 * 3.14159265 * 2000;  // current loop of the amplifier: 2 kHz, usual for 20 kHz switching
};

/// The Hall pair gives U_front^2 - U_rear^2 linear in dip (Docquier et al. 2021, eq 17), the coil U = kappa v (eq 18).
struct SensorNumbers {
    double hall_noise_V = 0.12e-3;   // rms: 1.9 um of dip at mid travel
    double coil_V_per_mps = 2.0;     // kappa
    double coil_noise_V = 0.4e-3;    // rms: 0.2 mm/s
    double coil_gain_error = 0.005;  // what calibration leaves: the length of the dip is known to 0.5 %
    double adc_V = 5.0;              // range, of both signs for the coil
    int adc_bits = 16;
};

/// What 4 kHz over USB high speed could give at best: 0.25 ms from a sample to the force made of it.
struct LinkNumbers {
    double sense_s = 0.10e-3;        // from the sample to the host
    double command_s = 0.105e-3;     // from the host to the current's set point
    double jitter_s = 0.02e-3;       // most that each way may take longer
    double tick_after_s = 0.125e-3;  // the host's tick follows a sample by so much, so that it has just arrived
    double watchdog_s = 0.010;       // without a command for so long the force is zero (PROTOCOL.md, section 7)
};

struct DeviceNumbers {
    std::string_view name;
    double moving_mass_kg = 0;  // at the front
    double weight_N = 0;        // pulls the front down
    double dry_friction_N = 0, viscous_Ns_per_m = 0;
    bool stops = true;  // front and back rail of felt, as a piano has them; else hard ends far beyond
    MotorNumbers motor;
    SensorNumbers sensor;
    LinkNumbers link;
};

/// A light lever on a small brushed motor with a capstan drive: 12 g of lever and 8 g of rotor at the front, balanced
/// by a spring; bearings and brushes rub with 50 mN and the iron cogs with 20 mN.
constexpr DeviceNumbers light_lever() {
    DeviceNumbers d;
    d.name = "light lever";
    d.moving_mass_kg = 0.020;
    d.dry_friction_N = 0.05;
    d.viscous_Ns_per_m = 0.05;
    d.motor.cogging_N = 0.02;
    return d;
}

/// A real key of spruce with its leads - the mass and weight of the model's default key: 0.0022 kg m2 and 0.12 kg at
/// 41 mm before the pin, on a lever of 225 mm - on a voice coil under the capstan, whose 5 g are among the leads.
constexpr DeviceNumbers wooden_key() {
    constexpr double kArm_m = 0.225;
    DeviceNumbers d;
    d.name = "wooden key";
    d.moving_mass_kg = 0.0022 / (kArm_m * kArm_m);
    d.weight_N = 0.12 * 9.81 * 0.04125 / kArm_m;
    d.dry_friction_N = 0.003;
    d.viscous_Ns_per_m = 0.02;
    d.motor.inductance_H = 0.3e-3;  // little iron
    return d;
}

}  // namespace letoff::hw
