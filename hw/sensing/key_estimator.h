// Where one key is and how fast it moves, from a position sensor and, where there is one, a velocity sensor.
//
// With a velocity sensor: a complementary filter. The velocity is the sensor's own, less its slowly learnt constant;
// the position is the integral of it, pulled to the position sensor.
//
//   z' = v_sensor - b + w (z_sensor - z),     b' = -w_b w (z_sensor - z)
//
//   Why: the Hall pair has no drift but noise, and is up to 10 % wrong in fast motion (Docquier 2021, fig. 20); the
//   coil is clean and fast but has an unknown constant and a gain known to a percent or two. Below w the position
//   sensor decides, above it the velocity sensor. w = 2 pi 20 Hz: 2 um rms of position noise at 4 kHz become
//   2 um sqrt(w dt / 2) = 0.25 um, a coil gain 1 % wrong errs 0.1 mm after a stroke of 10 mm and forgets it in 8 ms,
//   and no difference of two positions is ever taken: b moves so slowly (w_b = w / 20) that the velocity's share of
//   position noise is 2 um w_b sqrt(w dt / 2), below 2 um/s.
//
// Without one: an observer of second order, natural frequency 80 Hz, critically damped. Its velocity carries noise and
// lags by about 4 ms; a device of this kind is played but is not what the force control was made for.
//
// Rejected: a position further than kOutlier_m from what was expected; the estimate runs on without it. When that lasts
// kFailed_s, or the position leaves the travel, or a sensor says nothing, or the velocity's integral moves while the
// position does not, the sensor is failed, and stays so until reset(): the key is quarantined. Drift: the position of
// the key at rest, followed slowly downwards and fast upwards, wanders from 0.
//
// Pure; real-time safe; one thread. Position positive downwards at the key front.
#pragma once

#include <cstdint>
#include <string_view>

namespace letoff::hw {

enum class SensorTrouble : std::uint8_t { kNone, kNotANumber, kOutOfTravel, kJumps, kStuck, kDrifted };
/// "its sensor is stuck", for a sentence about a key.
std::string_view what(SensorTrouble trouble) noexcept;

struct KeyReading {
    double position_m = 0;
    double velocity_mps = 0;
    bool has_velocity = false;
};

class KeyEstimator {
  public:
    static constexpr double kCrossover_radps = 125.7;  // 20 Hz
    static constexpr double kConstant_radps = kCrossover_radps / 20;
    static constexpr double kObserver_radps = 502.7;  // 80 Hz
    static constexpr double kOutlier_m = 1.0e-3;      // in one sample no key moves that far from where it was going
    static constexpr double kHardest_mps2 = 100;      // of a struck key; widens it where samples are missing
    static constexpr double kAnew_s = 0.004;          // after a longer gap the estimate begins at the sensor
    static constexpr double kFailed_s = 0.020;        // of outliers only: the estimate cannot be trusted longer
    static constexpr double kOutside_m = 3.0e-3;      // beyond rest or bottom: felt gives less than half of it
    static constexpr double kStuckWay_m = 1.5e-3;     // that the velocity says while the position does not change ...
    static constexpr double kStuckFade_s = 0.05;      // ... forgotten with this time: a coil's constant is no way
    static constexpr double kStuck_m = 0.02e-3;       // "does not change": ten times the noise
    static constexpr double kRestNear_m = 1.2e-3, kRestSpeed_mps = 2e-3;
    static constexpr double kRestUp_s = 0.2;          // a key above its rest can only be a sensor that drifts,
    static constexpr double kRestDown_s = 120.0;      // one below it may be a finger that rests on it
    static constexpr double kDriftTold_m = 0.15e-3;   // a technician sees it at the key height
    static constexpr double kDriftFailed_m = 1.0e-3;  // a tenth of the travel: the model would be played wrongly

    explicit KeyEstimator(double travel_m = 10e-3) noexcept : travel_m_(travel_m) {}

    void take(const KeyReading& reading, double dt_s) noexcept;
    /// From scratch, trusted again.
    void reset() noexcept { *this = KeyEstimator(travel_m_); }

    double position_m() const noexcept { return position_m_; }
    double velocity_mps() const noexcept { return velocity_mps_; }
    bool failed() const noexcept { return trouble_ != SensorTrouble::kNone; }
    SensorTrouble trouble() const noexcept { return trouble_; }
    std::uint32_t outliers() const noexcept { return outliers_; }
    /// Mean position of the key at rest; 0 when nothing drifts.
    double rest_m() const noexcept { return rest_m_; }
    bool drifting() const noexcept { return rest_m_ > kDriftTold_m || rest_m_ < -kDriftTold_m; }
    double velocity_constant_mps() const noexcept { return constant_mps_; }

  private:
    void start(const KeyReading& reading) noexcept;
    void look_for_stuck(const KeyReading& reading, double velocity_mps, double dt_s) noexcept;
    void look_for_drift(double dt_s) noexcept;

    double travel_m_;
    bool started_ = false;
    double position_m_ = 0, velocity_mps_ = 0, constant_mps_ = 0;
    double rejected_s_ = 0;
    double stuck_at_m_ = 0, way_m_ = 0;
    double rest_m_ = 0;
    std::uint32_t outliers_ = 0;
    SensorTrouble trouble_ = SensorTrouble::kNone;
};

}  // namespace letoff::hw
