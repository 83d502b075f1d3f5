// What the sensors under one key say, and how the numbers in it are found (Docquier et al. 2021, section 5.1.4):
//
//   (17)  U_combined = k (U_front^2 - U_rear^2) + O     two Hall sensors in opposition; U_combined is linear in the
//         position, so k and O are taken in metres here and U_combined is the position itself
//   (18)  U_coil = kappa dz/dt (+ a constant of its amplifier)
//
// Fits are least squares over what was recorded while the key was moved. Positions of reference come from the stops and
// from gauges under the key front. kappa is found without a second instrument and without differentiating anything: the
// integral of the coil's voltage between two moments is kappa times the way between them, as the Hall pair tells it.
//
// Pure. Position positive downwards at the key front, from rest. Not for real-time threads: they allocate for their
// sentence when they refuse.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace letoff::hw {

/// One key; plain, so that storage can keep it under (serial, key).
struct KeySensorCalibration {
    double k_m_per_V2 = 0;
    double offset_m = 0;        // O
    double kappa_Vs_per_m = 0;  // 0: the coil is not used
    double coil_offset_V = 0;   // its reading at rest
    double position_rms_m = 0;  // residuals of the fits, as they were found
    double position_worst_m = 0;
    double velocity_rms_mps = 0;

    double position_m(double front_V, double rear_V) const noexcept {
        return k_m_per_V2 * (front_V * front_V - rear_V * rear_V) + offset_m;
    }
    double velocity_mps(double coil_V) const noexcept {
        return kappa_Vs_per_m == 0 ? 0 : (coil_V - coil_offset_V) / kappa_Vs_per_m;
    }
    bool has_coil() const noexcept { return kappa_Vs_per_m != 0; }
};

struct HallPoint {
    double front_V = 0, rear_V = 0;
    double position_m = 0;  // by the gauge
};
struct CoilPoint {
    double time_s = 0;
    double coil_V = 0;
    double position_m = 0;  // by the Hall pair
};

inline constexpr double kLeastRange_m = 4e-3;         // of the reference positions: less tells too little about k
inline constexpr double kMostResidual_m = 0.5e-3;     // rms; Docquier's pair stays within 0.3 mm rms over 10 mm
inline constexpr double kCoilWindow_s = 0.02;         // over which the coil is integrated: a tenth of a slow stroke
inline constexpr double kMostVelocityResidual = 0.1;  // of the velocities' rms: Docquier's worst at 5 Hz

/// k, O and their residuals into `calibration`.
core::Result<KeySensorCalibration> fit_hall(std::span<const HallPoint> points);
/// kappa, the coil's constant and their residual, beside what the Hall fit found.
core::Result<KeySensorCalibration> fit_coil(KeySensorCalibration hall, std::span<const CoilPoint> points);

}  // namespace letoff::hw
