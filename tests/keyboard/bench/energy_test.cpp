// Where a stroke's energy goes, and that none comes from nowhere, whatever drives the key (stored + dissipated
// - work <= 1e-6 J + 1e-3 of throughput per stroke).
#include "keyboard/bench/energy.h"

#include <gtest/gtest.h>

#include "keyboard/bench/finger_trials.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

void expect_passive(const EnergyBalance& b, const std::string& what) {
    EXPECT_LE(b.residual_J(), 1e-6 + 1e-3 * b.throughput_J) << what << ", throughput " << b.throughput_J << " J";
    EXPECT_GE(b.residual_J(), -1e-6 - 1e-3 * b.throughput_J) << what << ": nor is any lost without a cause";
}

TEST(StrokeEnergy, AddsUpAndGoesWhereItShould) {
    double last_J = 0;
    for (const double acceleration : {1.0, 10.0, 100.0}) {
        const StrokeEnergy e = measure_stroke_energy(a4(), acceleration);
        expect_passive(e.balance, "stroke");
        EXPECT_GT(e.balance.work_J, last_J);
        last_J = e.balance.work_J;
        EXPECT_GT(e.hammer_J, e.balance.strings_J) << "the hammer keeps some: it bounces back";
        EXPECT_GT(e.balance.strings_J, e.strings_keep_J) << "its felt takes a share";
        EXPECT_GT(e.strings_keep_J, 0);
        EXPECT_GT(e.balance.felts_J[kKeyFrontRail], 0);
        // Friction and felts only take.
        for (const double loss : e.balance.pivots_J) EXPECT_GE(loss, -1e-9);
        for (const double loss : e.balance.felts_J) EXPECT_GE(loss, -1e-9);
        for (const double loss : e.balance.rubbing_J) EXPECT_GE(loss, -1e-7);
    }
    // Loud: 100 m/s2 give the hammer about a sixth of the arm's work, the rest stops with key and finger.
    const StrokeEnergy loud = measure_stroke_energy(a4(), 100.0);
    EXPECT_NEAR(loud.hammer_J, 0.13, 0.03);
}

TEST(StrokeEnergy, HammerEnergyIsItsSpeeds) {
    const double acceleration = 20;
    Bench bench(a4());
    bench.press(0, acceleration);
    double speed_radps = 0;
    while (!bench.block().events(0).on_strings) {
        speed_radps = bench.block().state().v[kHammer].lane[0];
        bench.tick();
    }
    const double inertia = grand_defaults()[grand_row("hammer_inertia_kgm2")];
    EXPECT_NEAR(measure_stroke_energy(a4(), acceleration).hammer_J, 0.5 * inertia * speed_radps * speed_radps, 1e-12);
}

TEST(Passivity, EveryFingerOfTheLibrary) {
    const std::vector<core::FingerProfile> fingers = core::finger_library();
    const std::vector<FingerTrial> trials = try_fingers(a4(), fingers, true);
    for (std::size_t i = 0; i < fingers.size(); ++i) expect_passive(trials[i].energy, fingers[i].name());
}

TEST(Passivity, RandomFingersOnTheHeaviestAndTheLightestKey) {
    std::vector<core::FingerProfile> fingers;
    for (std::uint64_t seed = 100; seed < 116; ++seed) fingers.push_back(core::random_finger(seed));
    for (const int key : {1, 88}) {
        const std::vector<FingerTrial> trials = try_fingers(grand_key(key), fingers, true);
        for (std::size_t i = 0; i < fingers.size(); ++i) expect_passive(trials[i].energy, fingers[i].name());
    }
}

TEST(Passivity, RandomForcesOnTheKey) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const core::RandomForce force(seed, 4.0 * static_cast<double>(seed),
                                      0.02 + 0.01 * static_cast<double>(seed % 3));
        Bench bench(a4());
        EnergyMeter meter(bench, a4());
        int strikes = 0;
        bench.block().input.key_force_N[0] = force.at_N(0.5 * bench.h_s());
        bench.run(2.0, [&] {
            meter.read();
            strikes += bench.block().events(0).struck ? 1 : 0;
            bench.block().input.key_force_N[0] = force.at_N(bench.now_s() + 0.5 * bench.h_s());
        });
        EXPECT_GT(strikes, 0) << "seed " << seed << " plays";
        expect_passive(meter.balance(), "force of seed " + std::to_string(seed));
    }
}

TEST(Passivity, RandomMotionOfTheKeyAndOfThePedal) {
    for (std::uint64_t seed = 11; seed <= 14; ++seed) {
        const core::RandomForce wander(seed, 0.0098, 0.04), pedal(seed + 100, 5e-3, 0.1);
        Bench bench(a4());
        EnergyMeter meter(bench, a4());
        while (bench.now_s() < 2.0) {
            const double t = bench.now_s() + bench.h_s(), e = 1e-6;
            const double start = std::min(1.0, t / 0.1);  // from rest
            const double dip = a4().rest_dip_m + start * wander.at_N(t);
            const double speed =
                start * (wander.at_N(t + e) - wander.at_N(t - e)) / (2 * e) + (t < 0.1 ? wander.at_N(t) / 0.1 : 0.0);
            bench.block().drive_keys({&dip, 1}, {&speed, 1});
            bench.block().input.tray_lift_m.fill(start * pedal.at_N(t));
            bench.tick();
            meter.read();
        }
        EXPECT_GT(meter.balance().throughput_J, 0.05);
        expect_passive(meter.balance(), "motion of seed " + std::to_string(seed));
    }
}

}  // namespace
}  // namespace letoff::keyboard
