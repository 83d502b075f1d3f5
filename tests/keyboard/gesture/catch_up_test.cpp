#include "keyboard/gesture/catch_up.h"

#include <gtest/gtest.h>

#include "tests/keyboard/gesture/live_keys.h"

namespace letoff::keyboard {
namespace {

using Tray = CatchUpTable::Tray;

TEST(CatchUpTable, DoublesThereAndBack) {
    for (const CatchUpTable& table : LiveKeys::get().tables.catch_up) {
        const std::vector<double> values = table.to_doubles();
        EXPECT_LT(static_cast<double>(88 * values.size() * sizeof(double)), 40e6);
        CatchUpTable back;
        ASSERT_TRUE(CatchUpTable::from_doubles(values, back));
        EXPECT_EQ(back.damped(), table.damped());
        EXPECT_TRUE(back.playable());
        EXPECT_EQ(back.to_doubles(), values);
        const CatchUpTable::Curve &a = table.curve(Tray::lifted, 9), &b = back.curve(Tray::lifted, 9);
        EXPECT_EQ(a.speed_mps, b.speed_mps);
        for (size_t i = 0; i < kKeyFrictions.size(); ++i)
            EXPECT_EQ(a.nodes[5].friction_side[i], b.nodes[5].friction_side[i]);
        CatchUpTable bad;
        EXPECT_FALSE(CatchUpTable::from_doubles(std::span(values).first(values.size() - 1), bad));
        std::vector<double> broken = values;
        broken[10] = std::nan("");
        EXPECT_FALSE(CatchUpTable::from_doubles(broken, bad));
    }
    EXPECT_FALSE(CatchUpTable().playable());
    const KeyBuild& key = LiveKeys::get().keys.front();
    EXPECT_NE(catch_up_hash(key, 4000), stroke_hash(key, 4000));
    EXPECT_NE(catch_up_hash(key, 4000), catch_up_hash(key, 8000));
}

// Phases are names: between curves of phases 0 and 3 there is none of 1 or 2.
TEST(CatchUpTable, APhaseIsThatOfTheNearerCurve) {
    CatchUpTable table(false);
    for (int v = 0; v < CatchUpTable::kVelocities; ++v) {
        CatchUpTable::Curve& curve = table.curve(Tray::down, v);
        curve = {1.0 + v, 0.1, 1, 0, -1, -1, {}};
        for (CatchUpTable::Node& node : curve.nodes) node.phase = v < 10 ? 0 : 3;
    }
    table.finish();
    CatchUpTable back;
    ASSERT_TRUE(CatchUpTable::from_doubles(table.to_doubles(), back));
    for (const CatchUpTable& one : {table, back}) {
        for (const auto& [speed_mps, phase] : {std::pair{10.4, 0}, {10.9, 3}, {11.3, 3}}) {
            const KeyState key = one.at(Tray::down, one.mix(Tray::down, speed_mps), 0.02).key;
            EXPECT_EQ(key.phase, phase) << speed_mps;
            EXPECT_EQ(key.friction_impulse_Ns[kKey], 0);
        }
    }
}

// The state at s before the strike puts the crown s v below the strings, at the speed asked for, at every speed between
// the recorded ones.
TEST(CatchUpTable, PutsTheCrownWhereItWillBeInTime) {
    for (size_t k = 0; k < 3; ++k) {
        const CatchUpTable& table = LiveKeys::get().tables.catch_up[k];
        const CrownGeometry crown = crown_geometry(LiveKeys::get().keys[k].values);
        for (const Tray tray : {Tray::down, Tray::lifted}) {
            for (int mv = 20; mv <= 120; ++mv) {
                const double speed = core::speed_mps_of_midi_velocity(mv);
                const CatchUpTable::Mix mix = table.mix(tray, speed);
                EXPECT_NEAR(mix.speed_mps, speed, 1e-9 * speed) << mv;
                for (const double before_s : {10e-6, 100e-6, 250e-6}) {
                    const KeyState key = table.at(tray, mix, before_s).key;
                    const CrownGeometry::Pose pose = crown.at(key.q[kHammer]);
                    EXPECT_NEAR(pose.below_string_m / speed, before_s, 5e-6) << mv << " key " << k;
                    EXPECT_NEAR(pose.lever_arm_m * key.v[kHammer] / speed, 1, 0.02) << mv << " key " << k;
                }
            }
        }
    }
}

TEST(CatchUp, MechanicalEnergyOfATurningHammerAndALiftedDamper) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    const Keybed keybed(LiveKeys::get().keys, kLiveTick_hz, *executor);
    const ActionBlock& block = keybed.block_of(1);
    const KeyState rest = block.key_state(1);
    const auto energy_J = [&](const KeyState& key) { return mechanical_energy_J(block.model(), key, 1); };
    KeyState key = rest;
    key.v[kHammer] += 2;
    EXPECT_NEAR(energy_J(key) - energy_J(rest), 0.5 * block.model().body[kHammer].inertia.lane[1] * 4, 1e-12);
    key = rest;
    key.q[kDamper] += 0.002;
    EXPECT_NEAR(energy_J(key) - energy_J(rest), block.model().body[kDamper].mass.lane[1] * 9.80665 * 0.002, 1e-9);
    key = rest;
    key.q[kFinger] += 0.01;  // the hand carries it
    EXPECT_EQ(energy_J(key), energy_J(rest));
}

// A pedal half way: the damper, already above what the stroke lifts it to, stays; else it goes up, never down.
TEST(CatchUp, NeverLowersADamper) {
    for (const int pedal : {0, 30, 50, 70, 90, 127}) {
        LiveStage stage;
        stage.player.message(0, core::control_change(0, core::kSustainPedal, pedal));
        stage.run_to(0.2);
        stage.on(0.2, LiveKeys::kA4, 70);
        const double before_m = stage.keybed.block_of(1).state().q[kDamper].lane[1];
        stage.player.before_tick(stage.keybed);
        const double after_m = stage.keybed.block_of(1).state().q[kDamper].lane[1];
        EXPECT_GE(after_m, before_m) << pedal;
        if (pedal == 127) {
            EXPECT_EQ(after_m, before_m);
        }
        stage.keybed.tick(&stage.events, &stage.player);
        stage.tick();
        EXPECT_EQ(stage.events.strikes.size(), 1u) << pedal;
        EXPECT_EQ(stage.keybed.block_of(1).damper_compression_m(1), 0) << pedal;
    }
}

TEST(CatchUp, OnlyAFreeKeyWithItsHammerAtRestOrFallingMay) {
    LiveStage stage;
    EXPECT_TRUE(may_catch_up(stage.keybed, 1));
    stage.on(0.1, LiveKeys::kA4, 100);
    stage.run_to(0.3);
    EXPECT_FALSE(may_catch_up(stage.keybed, 1));  // held, in check
    EXPECT_TRUE(may_catch_up(stage.keybed, 0));
    stage.off(0.3, LiveKeys::kA4);
    stage.run_to(0.31);
    EXPECT_FALSE(may_catch_up(stage.keybed, 1));  // leaving, still deep
    stage.run_to(0.37);
    EXPECT_TRUE(may_catch_up(stage.keybed, 1));  // falling
    stage.run_to(1.0);
    EXPECT_TRUE(may_catch_up(stage.keybed, 1));
    stage.player.set_catch_up(0);
    stage.on(1.0, LiveKeys::kA4, 64);
    stage.run_to(1.06);
    stage.keybed.lift(1, stage.keybed.now_s(), 0.5);
    stage.tick();
    EXPECT_FALSE(may_catch_up(stage.keybed, 1));  // thrown: going up
}

}  // namespace
}  // namespace letoff::keyboard
