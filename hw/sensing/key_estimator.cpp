#include "hw/sensing/key_estimator.h"

#include <cmath>

namespace letoff::hw {

std::string_view what(SensorTrouble trouble) noexcept {
    switch (trouble) {
        case SensorTrouble::kNone:
            return "nothing is wrong with its sensor";
        case SensorTrouble::kNotANumber:
            return "its sensor gives no number";
        case SensorTrouble::kOutOfTravel:
            return "its sensor says that it is outside its travel";
        case SensorTrouble::kJumps:
            return "its sensor jumps";
        case SensorTrouble::kStuck:
            return "its sensor is stuck";
        case SensorTrouble::kDrifted:
            return "its sensor has drifted and needs calibration";
    }
    return "its sensor has failed";
}

void KeyEstimator::start(const KeyReading& reading) noexcept {
    started_ = true;
    position_m_ = stuck_at_m_ = reading.position_m;
    velocity_mps_ = reading.has_velocity ? reading.velocity_mps - constant_mps_ : 0;
}

void KeyEstimator::take(const KeyReading& reading, double dt_s) noexcept {
    if (failed()) {
        velocity_mps_ = 0;
        return;
    }
    if (!std::isfinite(reading.position_m) || (reading.has_velocity && !std::isfinite(reading.velocity_mps))) {
        trouble_ = SensorTrouble::kNotANumber;
        velocity_mps_ = 0;
        return;
    }
    if (!started_ || dt_s > kAnew_s) start(reading);
    if (dt_s > kAnew_s) dt_s = 0;

    const double velocity_mps = reading.has_velocity ? reading.velocity_mps - constant_mps_ : velocity_mps_;
    const double expected_m = position_m_ + velocity_mps * dt_s;
    const double off_m = reading.position_m - expected_m;
    if (reading.has_velocity) look_for_stuck(reading, velocity_mps, dt_s);
    if (failed()) return;
    if (std::abs(off_m) > kOutlier_m + 0.5 * kHardest_mps2 * dt_s * dt_s) {
        ++outliers_;
        rejected_s_ += dt_s;
        position_m_ = expected_m;
        if (reading.has_velocity) velocity_mps_ = velocity_mps;
        if (rejected_s_ < kFailed_s) return;
        const bool outside = reading.position_m < -kOutside_m || reading.position_m > travel_m_ + kOutside_m;
        trouble_ = outside ? SensorTrouble::kOutOfTravel : SensorTrouble::kJumps;
        velocity_mps_ = 0;
        return;
    }
    rejected_s_ = 0;
    if (reading.has_velocity) {
        position_m_ = expected_m + kCrossover_radps * dt_s * off_m;
        constant_mps_ -= kConstant_radps * kCrossover_radps * dt_s * off_m;
        velocity_mps_ = velocity_mps;
    } else {
        position_m_ = expected_m + 2 * kObserver_radps * dt_s * off_m;
        velocity_mps_ += kObserver_radps * kObserver_radps * dt_s * off_m;
    }
    if (position_m_ < -kOutside_m || position_m_ > travel_m_ + kOutside_m) trouble_ = SensorTrouble::kOutOfTravel;
    look_for_drift(dt_s);
}

void KeyEstimator::look_for_stuck(const KeyReading& reading, double velocity_mps, double dt_s) noexcept {
    if (std::abs(reading.position_m - stuck_at_m_) > kStuck_m) {
        stuck_at_m_ = reading.position_m;
        way_m_ = 0;
        return;
    }
    way_m_ += (velocity_mps - way_m_ / kStuckFade_s) * dt_s;
    if (std::abs(way_m_) <= kStuckWay_m) return;
    trouble_ = SensorTrouble::kStuck;
    velocity_mps_ = 0;
}

void KeyEstimator::look_for_drift(double dt_s) noexcept {
    if (std::abs(position_m_) > kRestNear_m || std::abs(velocity_mps_) > kRestSpeed_mps) return;
    rest_m_ += (position_m_ - rest_m_) * (dt_s / (position_m_ < rest_m_ ? kRestUp_s : kRestDown_s));
    if (std::abs(rest_m_) > kDriftFailed_m) trouble_ = SensorTrouble::kDrifted;
}

}  // namespace letoff::hw
