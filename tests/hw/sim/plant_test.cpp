#include "hw/sim/plant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hw/sim/sim_key_array.h"

namespace letoff::hw {
namespace {

/// Runs one key for a while; each is called after every step.
template <typename Each>
void run(KeyPlant& key, double seconds, Each&& each) {
    const auto steps = static_cast<int>(seconds * kPlant_hz);
    for (int i = 0; i < steps; ++i) {
        key.step(i * kPlantStep_s);
        each();
    }
}
void run(KeyPlant& key, double seconds) {
    run(key, seconds, [] {});
}

DeviceNumbers without_friction(DeviceNumbers numbers) {
    numbers.dry_friction_N = numbers.viscous_Ns_per_m = numbers.motor.cogging_N = 0;
    return numbers;
}

TEST(KeyPlant, AFreeLeverAcceleratesAsItsMassTells) {
    KeyPlant key(without_friction(light_lever()));
    key.command_N = -0.5;  // down
    run(key, 0.010);
    // From 10 ms the current's rise of 1/(2 pi 2000) s is missing.
    const double pushed_s = 0.010 - 1 / light_lever().motor.loop_radps;
    EXPECT_NEAR(key.dip_speed_mps(), 0.5 / 0.020 * pushed_s, 2e-3);
    EXPECT_NEAR(key.motor_work_J(), -0.5 * 0.020 * key.dip_speed_mps() * key.dip_speed_mps(), 1e-6);
}

TEST(KeyPlant, TheWoodenKeyIsFrontHeavyAndItsPunchingHoldsIt) {
    KeyPlant key(wooden_key());
    run(key, 2.0);
    EXPECT_GT(key.dip_m(), 0.0097);
    EXPECT_LT(key.dip_m(), 0.0099);
    EXPECT_NEAR(key.front_felt_N(), 0.12 * 9.81 * 0.04125 / 0.225, 0.01);
    EXPECT_NEAR(key.dip_speed_mps(), 0, 1e-4);
}

TEST(KeyPlant, TheSupplyLimitsHowFastTheForceComes) {
    DeviceNumbers weak = without_friction(light_lever());
    weak.motor.supply_V = 6;
    KeyPlant strong_key(without_friction(light_lever())), weak_key(weak);
    for (KeyPlant* key : {&strong_key, &weak_key}) {
        key->command_N = 60;
        run(*key, 0.0005);
    }
    EXPECT_GT(strong_key.motor_N(), 45);
    EXPECT_LT(weak_key.motor_N(), 30);
    run(weak_key, 0.1);
    EXPECT_LT(weak_key.current_A(), 6 / 2.0 + 0.01) << "U / R";
    strong_key.command_N = 1e6;
    run(strong_key, 0.1);
    EXPECT_LE(strong_key.current_A(), 8.0 + 1e-9);
    strong_key.motor_cut = true;
    run(strong_key, 0.001);
    EXPECT_EQ(strong_key.motor_N(), 0);
}

TEST(KeyPlant, TheHallPairReadsTwoMicrometresAndTheCoilASpeed) {
    KeyPlant key(without_friction(light_lever()), 5);
    double squares = 0, sum = 0, speed_squares = 0;
    constexpr int kReadings = 20'000;
    for (int i = 0; i < kReadings; ++i) {
        const KeyPlant::Reading r = key.read();
        sum += r.dip_m;
        squares += r.dip_m * r.dip_m;
        speed_squares += r.dip_speed_mps * r.dip_speed_mps;
    }
    EXPECT_NEAR(sum / kReadings, key.dip_m(), 1e-6);
    EXPECT_NEAR(std::sqrt(squares / kReadings - sum * sum / kReadings / kReadings), 2e-6, 0.4e-6);
    EXPECT_NEAR(std::sqrt(speed_squares / kReadings), 0.2e-3, 0.03e-3);
    key.command_N = -1;
    run(key, 0.010);
    EXPECT_NEAR(key.read().dip_speed_mps, key.dip_speed_mps(), 0.008 * key.dip_speed_mps() + 1e-3);
    EXPECT_NEAR(key.read().dip_m, key.dip_m(), 1e-5);
}

TEST(KeyPlant, CoggingIsWhatItsAmplitudeSays) {
    DeviceNumbers numbers = without_friction(light_lever());
    numbers.motor.cogging_N = 0.1;
    numbers.moving_mass_kg = 0.05;
    KeyPlant key(numbers);
    double least = 1, most = -1, before_mps = 0;
    key.command_N = -0.3;
    run(key, 0.05, [&] {
        const double force_N = numbers.moving_mass_kg * (key.dip_speed_mps() - before_mps) / kPlantStep_s - 0.3;
        before_mps = key.dip_speed_mps();
        if (key.dip_m() < 1e-4 || key.dip_m() > 9e-3) return;
        least = std::min(least, force_N);
        most = std::max(most, force_N);
    });
    EXPECT_NEAR(most, 0.1, 0.003);
    EXPECT_NEAR(least, -0.1, 0.003);
}

TEST(SimFinger, GivesNoEnergyThatItsMuscleDidNot) {
    KeyPlant key(without_friction(light_lever()));
    key.finger = SimFinger::passive(0, 500, 1);
    key.command_N = 0.5;
    run(key, 1.0);
    EXPECT_LT(key.finger_work_J(), 1e-6) << "a passive hand only takes";
}

TEST(SimKeyArray, ForcesActAfterTheirDelayAndStopWithTheCable) {
    DeviceNumbers numbers = without_friction(light_lever());
    numbers.stops = false;
    numbers.link.jitter_s = 0;
    SimKeyArray array(numbers, 4000, 1, 0, 2);
    core::KeyForces forces;
    forces.force_N[1] = -1;
    array.advance_to(0);
    array.send_forces(forces);
    double began_s = 0, ended_s = 0;
    const double sent_s = array.now_s();
    array.advance_to(0.03, [&] {
        const bool pushes = array.key(1).motor_N() < -0.02;
        if (pushes && began_s == 0) began_s = array.now_s() - sent_s;
        if (!pushes && began_s > 0 && ended_s == 0) ended_s = array.now_s() - sent_s;
    });
    EXPECT_NEAR(began_s, numbers.link.command_s, 2 * kPlantStep_s);
    EXPECT_NEAR(ended_s, numbers.link.command_s + 0.010, 0.5e-3) << "the watchdog";
    EXPECT_EQ(array.key(0).motor_N(), 0);
    EXPECT_GT(array.key(1).dip_speed_mps(), 0.3);
}

TEST(SimKeyArray, MotionComesAfterItsDelayAndALostSensorIsNotTrusted) {
    SimKeyArray array(light_lever(), 4000, 1, 39, 2);
    core::KeyMotion motion;
    array.lose_sensor(40);
    array.advance_to(0.0100);
    ASSERT_TRUE(array.newest_motion(motion));
    EXPECT_NEAR(motion.time_s, 0.0100, 1e-9) << "the host's tick comes when that sample has arrived";
    EXPECT_TRUE(motion.live[39]);
    EXPECT_FALSE(motion.live[40]);
    EXPECT_FALSE(motion.live[0]);
    EXPECT_FALSE(array.newest_motion(motion)) << "nothing new";
}

TEST(SimKeyArray, TheSameSeedGivesTheSameBits) {
    const auto last = [](std::uint64_t seed) {
        SimKeyArray array(light_lever(), 8000, seed, 0, 3);
        array.key(2).finger = SimFinger::nervous_grip(0.005, 0, 9);
        core::KeyMotion motion;
        core::KeyForces forces;
        for (int i = 1; i < 400; ++i) {
            array.advance_to(i / 8000.0);
            array.newest_motion(motion);
            forces.force_N[2] = 100 * motion.dip_m[2];
            array.send_forces(forces);
        }
        return std::pair(motion.dip_m[2], motion.dip_speed_mps[2]);
    };
    EXPECT_EQ(last(1), last(1));
    EXPECT_NE(last(1), last(2));
}

}  // namespace
}  // namespace letoff::hw
