// Simulated keys whose device knows voltages only, moved as a technician moves them.
#include "hw/sensing/calibration_recorder.h"

#include <gtest/gtest.h>

#include "tests/hw/sim/sim_array.h"

namespace letoff::hw {
namespace {

constexpr int kKeys = 8;

DeviceSetup raw_levers() {
    DeviceNumbers numbers = light_lever();
    numbers.weight_N = -0.2;  // a spring lifts them
    return DeviceSetup::of_voltages(numbers, "RAW", 1, kKeys);
}

class RawKeys {
  public:
    RawKeys() : array(raw_levers(), options()) {}
    void run(double seconds) {
        array.run(seconds, [] {});
    }
    void hold(int key, double dip_m, double hold_s) { array.sim.hold(key, array.clock.now_s(), dip_m, hold_s); }
    DeviceKey& key(int k) { return array.sim.device(0).key(k); }

    CalibrationRecorder recorder{kKeys};

  private:
    ArrayOptions options() {
        ArrayOptions o;
        o.tap = [this](const Identity&, const MotionView& view) {
            for (int k = 0; k < kKeys; ++k) {
                SensorSample s;
                s.time_s = 1e-6 * static_cast<double>(view.header.time_us);
                s.front_V = view.raw(0, Field::kHallFront, k) * kHallUnit_V;
                s.rear_V = view.raw(0, Field::kHallRear, k) * kHallUnit_V;
                s.coil_V = view.value(0, Field::kCoil, k) * kCoilUnit_V;
                recorder.take(k, s);
            }
        };
        return o;
    }

  public:
    test::SimArray array;
};

TEST(CalibrationRecorder, FindsWhatTheSensorsMeanKeyByKey) {
    RawKeys keys;
    keys.run(0.2);
    keys.recorder.begin_rest();
    keys.run(1.1);
    ASSERT_EQ(keys.recorder.left(), 0);
    for (const double gauge_m : {4e-3, 9e-3}) {
        keys.recorder.begin_gauge(gauge_m);
        keys.run(1.0);
        EXPECT_EQ(keys.recorder.left(), kKeys) << "keys at rest stand on no gauge";
        for (int k = 0; k < kKeys; ++k) {  // in an order of their own
            keys.hold((3 * k) % kKeys, gauge_m, 0.5);
            keys.run(0.9);
            EXPECT_TRUE(keys.recorder.is_done((3 * k) % kKeys));
        }
        ASSERT_EQ(keys.recorder.left(), 0);
    }
    keys.recorder.begin_strokes();
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < kKeys; ++k) keys.hold(k, 9e-3, 0.05);
        keys.run(0.5);
    }
    ASSERT_EQ(keys.recorder.left(), 0);
    for (int k = 0; k < kKeys; ++k) {
        const auto fit = keys.recorder.fit(k);
        ASSERT_TRUE(fit.ok()) << fit.error();
        keys.hold(k, 6e-3, 0.5);
        keys.run(0.4);
        const auto& reading = keys.key(k).reading();
        EXPECT_NEAR(fit.value().position_m(reading.hall_front_V, reading.hall_rear_V), keys.key(k).plant.dip_m(),
                    0.2e-3)
            << "as exact as the technician's gauges";
        EXPECT_NEAR(fit.value().kappa_Vs_per_m, 0.5, 0.02) << "2 V s/m behind the device's divider by 4";
        keys.run(0.4);
    }
}

TEST(CalibrationRecorder, AKeyStillOnTheLastGaugeDoesNotCount) {
    RawKeys keys;
    keys.run(0.2);
    keys.recorder.begin_rest();
    keys.run(1.1);
    keys.recorder.begin_gauge(4e-3);
    keys.hold(2, 4e-3, 3.0);
    keys.run(0.6);
    ASSERT_TRUE(keys.recorder.is_done(2));
    keys.recorder.begin_gauge(9e-3);
    keys.run(1.0);
    EXPECT_FALSE(keys.recorder.is_done(2));
}

TEST(CalibrationRecorder, ADeadSensorHasNoCalibration) {
    RawKeys keys;
    keys.key(1).ailment.sensor_stuck = true;
    keys.run(0.2);
    keys.recorder.begin_rest();
    keys.run(1.1);
    keys.recorder.begin_gauge(9e-3);
    keys.hold(1, 9e-3, 0.6);
    keys.run(0.9);
    EXPECT_FALSE(keys.recorder.is_done(1));
    EXPECT_FALSE(keys.recorder.fit(1).ok());
}

}  // namespace
}  // namespace letoff::hw
