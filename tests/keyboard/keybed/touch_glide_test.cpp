// Keys that turn into another touch while they play.
#include "keyboard/keybed/touch_glide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "keyboard/gesture/catch_up.h"
#include "tests/keyboard/keybed/glide_stage.h"

namespace letoff::keyboard {
namespace {

TEST(TouchGlide, AtItsEndTheKeyIsTheOneThatWouldHaveBeenBuilt) {
    GlideStage stage;
    const Change change = both(both(turned(grand_row("capstan_y_mm"), 0.2), times(grand_row("hammer_mass_kg"), 1.2)),
                               both(turned(grand_row("heel_felt_r"), -0.3), turned(grand_row("touch_point_mm"), 20)));
    std::vector<int> all;
    for (int k = 0; k < core::kKeyCount; ++k) all.push_back(k);
    stage.turn(all, change);
    EXPECT_EQ(stage.keybed.gliding_keys(), 88);
    stage.run(kGlideTicks - 1);
    EXPECT_EQ(stage.keybed.gliding_keys(), 88);
    stage.run(kGlidesDone - kGlideTicks + 1);
    EXPECT_EQ(stage.keybed.gliding_keys(), 0);
    const Keybed fresh(stage.builds, kGlideTick_hz, *stage.executor);
    for (int k = 0; k < core::kKeyCount; ++k) {
        const KeyMechanics is = stage.keybed.block_of(k).mechanics(stage.keybed.lane_of(k));
        const KeyMechanics built = fresh.block_of(k).mechanics(fresh.lane_of(k));
        ASSERT_EQ(is.numbers, built.numbers) << k;
        ASSERT_EQ(is.geometry.touch_arm_m, built.geometry.touch_arm_m);
        ASSERT_EQ(is.geometry.crown.under_string_m, built.geometry.crown.under_string_m);
        ASSERT_EQ(stage.keybed.tray_lift_m(1, k), fresh.tray_lift_m(1, k));
        ASSERT_EQ(stage.keybed.finger(k).setting().learnt_mass_kg, fresh.finger(k).setting().learnt_mass_kg);
        ASSERT_TRUE(stage.keybed.has_touch(k, 1));
    }
}

/// A second on 88 keys, many of them playing; A4 turns in the middle of it, while it is held.
std::vector<std::uint64_t> others_while_a4_turns(bool turns, bool friction_leaves) {
    constexpr int kA4 = 48;
    GlideStage stage;
    std::vector<std::uint64_t> hashes(88);
    for (int tick = 0; tick < 4000; ++tick) {
        for (int i = 0; i < 12; ++i) {
            const int key = i * 87 / 11 == kA4 ? kA4 + 1 : i * 87 / 11;
            if (tick == 50 + 130 * i) stage.keybed.press(key, stage.keybed.now_s(), 3.0 + 4 * i);
            if (tick == 900 + 170 * i) stage.keybed.lift(key, stage.keybed.now_s(), 0.25);
        }
        if (tick == 700) stage.keybed.press(kA4, stage.keybed.now_s(), 10);
        if (turns && tick == 1000) {
            stage.turn({kA4}, both(turned(grand_row("capstan_y_mm"), 0.3),
                                   times(grand_row("backcheck_mu"), friction_leaves ? 0 : 1.5)));
        }
        stage.run(1);
        for (int k = 0; k < 88; ++k) {
            if (k != kA4) hashes[static_cast<size_t>(k)] = hashes[static_cast<size_t>(k)] * 31 + stage.hash_of(k);
        }
    }
    for (const core::Strike& strike : stage.events.strikes) {
        if (strike.key_index != kA4) hashes.push_back(fnv(0, strike.strike_time_s + strike.hammer_speed_mps));
    }
    return hashes;
}

TEST(TouchGlide, TheOther87KeysKeepEveryBit) {
    const auto alone = others_while_a4_turns(false, false);
    EXPECT_GE(alone.size(), 88u + 12u);
    EXPECT_EQ(others_while_a4_turns(true, false), alone);
    EXPECT_EQ(others_while_a4_turns(true, true), alone);
}

/// The piano's strings, struck by hammers four times as hard.
const core::StringSet& hard_hammers() {
    static const auto set = [] {
        core::StringDesign design;
        for (core::Voice& voice : design.voices) voice.felt_hardness = 4;
        return std::make_unique<core::StringSet>(core::design_strings(design));
    }();
    return *set;
}

TEST(TouchGlide, AVoicedHammerStrikesAsOneThatWasBuiltSo) {
    const auto voice = [](KeyBuild& key) {
        key.strings = &hard_hammers().notes[static_cast<std::size_t>(key.key_index)];
    };
    std::vector<KeyBuild> hard = GlideStage::three_keys();
    for (KeyBuild& key : hard) voice(key);
    GlideStage built(hard), turns(GlideStage::three_keys()), stays(GlideStage::three_keys());
    turns.turn_builds({0, 1, 2}, voice);
    for (GlideStage* stage : {&built, &turns, &stays}) {
        stage->run(kGlidesDone);
        for (int key = 0; key < 3; ++key) stage->keybed.press(key, stage->keybed.now_s(), 12);
        stage->run(1200);
        ASSERT_EQ(stage->events.strikes.size(), 3u);
    }
    for (const auto& [key, force_N] : built.events.peak_force_N) {
        EXPECT_NEAR(turns.events.peak_force_N[key], force_N, 1e-4 * force_N) << key;
        EXPECT_GT(force_N, 1.05 * stays.events.peak_force_N[key]) << key;
    }
    EXPECT_EQ(built.events.peak_force_N.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(turns.events.strikes[i].hammer_speed_mps, stays.events.strikes[i].hammer_speed_mps, 1e-3);
}

struct Extreme {
    const char* name;
    Change change;
};
const Extreme kExtremes[] = {
    {"blow 46 to 40 mm", turned(grand_row("capstan_y_mm"), 0.36)},
    {"capstan as high as it goes", [](GrandValues& v) { v[grand_row("capstan_y_mm")] = 32.0; }},
    {"capstan low", turned(grand_row("capstan_y_mm"), -1.0)},
    {"hammer twice as heavy", both(times(grand_row("hammer_mass_kg"), 2), times(grand_row("hammer_inertia_kgm2"), 2))},
    {"hammer a third", both(times(grand_row("hammer_mass_kg"), 0.35), times(grand_row("hammer_inertia_kgm2"), 0.35))},
    {"repetition spring twice as stiff", times(grand_row("repetition_spring_Nm_per_rad"), 2)},
    {"repetition spring a third", times(grand_row("repetition_spring_Nm_per_rad"), 0.33)},
    {"lever height", turned(grand_row("lever_height_mm"), 0.5)},
    {"let-off early", turned(grand_row("let_off_button_y_mm"), -0.5)},
    {"drop screw", turned(grand_row("drop_screw_y_mm"), -0.5)},
    {"string lower", turned(grand_row("string_y_mm"), -1.0)},
    {"string higher", turned(grand_row("string_y_mm"), 4.0)},
    {"slippery", both(times(grand_row("backcheck_mu"), 0.7), times(grand_row("key_dry_friction_Nm"), 0))},
    {"soft knuckle", both(turned(grand_row("knuckle_felt_r"), -1.0), times(grand_row("knuckle_felt_k"), 0.05))},
    {"hard heel", times(grand_row("heel_felt_k"), 20)},
    {"backcheck far forward", turned(grand_row("backcheck_x_mm"), -3.0)},
    {"key dip 9.6 mm", turned(grand_row("front_rail_y_mm"), 0.4)},
    {"key twice as heavy", both(times(grand_row("key_mass_kg"), 2), times(grand_row("key_inertia_kgm2"), 2))},
    {"light damper", times(grand_row("damper_mass_kg"), 0.3)},
    {"played near the fallboard", turned(grand_row("touch_point_mm"), 100)},
};

double energy_J(const GlideStage& stage, int key) {
    const ActionBlock& block = stage.keybed.block_of(key);
    const int lane = stage.keybed.lane_of(key);
    return mechanical_energy_J(block.model(), block.key_state(lane), lane);
}

// A0, A4 and C8, at rest and held down after a blow, hammers in their checks: no strike, no throw.
TEST(TouchGlide, ExtremeChangesThrowNoHammerAtRestOrHeld) {
    for (const Extreme& extreme : kExtremes) {
        for (const bool held : {false, true}) {
            GlideStage stage(GlideStage::three_keys());
            for (int key = 0; key < 3 && held; ++key) stage.keybed.press(key, 0, 12);
            stage.run(held ? 1200 : 1);
            const size_t strikes = stage.events.strikes.size();
            EXPECT_EQ(strikes, held ? 3u : 0u);
            std::array<double, 3> fastest_mps{}, most_J{}, least_J{};
            least_J.fill(1e9);
            most_J.fill(-1e9);
            stage.turn({0, 1, 2}, extreme.change);
            stage.run(kGlidesDone + 800, [&] {
                for (int key = 0; key < 3; ++key) {
                    const auto k = static_cast<size_t>(key);
                    fastest_mps[k] = std::max(fastest_mps[k], std::abs(stage.crown_mps(key)));
                    most_J[k] = std::max(most_J[k], energy_J(stage, key));
                    least_J[k] = std::min(least_J[k], energy_J(stage, key));
                }
            });
            EXPECT_EQ(stage.events.strikes.size(), strikes) << extreme.name << (held ? ", held" : ", at rest");
            EXPECT_EQ(stage.keybed.faults(), 0) << extreme.name;
            EXPECT_EQ(stage.keybed.gliding_keys(), 0);
            for (int key = 0; key < 3; ++key) {
                const auto k = static_cast<size_t>(key);
                const std::string what =
                    std::string(extreme.name) + (held ? ", held, key " : ", at rest, key ") + std::to_string(key);
                EXPECT_LT(fastest_mps[k], 0.4) << what << ": pp strikes at 0.4 m/s";
                EXPECT_TRUE(std::isfinite(most_J[k])) << what;
                EXPECT_LT(most_J[k] - least_J[k], 0.05) << what << ": the key's weight alone gives 10 mJ";
                EXPECT_LT(stage.keybed.dip_m(key), 0.015) << what;
                EXPECT_GT(stage.keybed.dip_m(key), -0.003) << what;
            }
        }
    }
}

// The change meets every part of a stroke: press, flight, strike, check, release. Each stroke strikes, the key comes
// up.
TEST(TouchGlide, AChangeAtAnyMomentOfAStrokeMissesNoStrike) {
    const Extreme sane[] = {kExtremes[0], kExtremes[3], kExtremes[5], kExtremes[12], kExtremes[14]};
    for (const Extreme& extreme : sane) {
        GlideStage built(48, 1, extreme.change);  // a spring of twice the stiffness strikes twice, glide or not
        built.run(100);
        built.keybed.press(0, built.keybed.now_s(), 8);
        built.run(800);
        const size_t of_a_stroke = built.events.strikes.size();
        EXPECT_GE(of_a_stroke, 1u) << extreme.name;
        for (int when = 0; when < 1500; when += 125) {
            GlideStage stage(48, 1);
            stage.run(100);
            stage.keybed.press(0, stage.keybed.now_s(), 8);
            for (int tick = 0; tick < 2600; ++tick) {
                if (tick == when) stage.turn({0}, extreme.change);
                if (tick == 800) stage.keybed.lift(0, stage.keybed.now_s(), 0.25);
                stage.run(1);
            }
            const std::string what = std::string(extreme.name) + " after " + std::to_string(when) + " ticks";
            EXPECT_EQ(stage.events.strikes.size(), 1u) << what;
            EXPECT_EQ(stage.events.releases.size(), 1u) << what;
            EXPECT_LT(std::abs(stage.keybed.dip_m(0)), 0.001) << what;
            stage.keybed.press(0, stage.keybed.now_s(), 8);
            stage.run(800);
            // How often a spring of twice the stiffness throws the hammer at its strings again hangs on where friction
            // lets the key rest.
            EXPECT_GE(stage.events.strikes.size(), 1 + std::min<size_t>(of_a_stroke, 2)) << what << ": played again";
            EXPECT_LE(stage.events.strikes.size(), 1 + of_a_stroke) << what << ": played again";
            EXPECT_EQ(stage.keybed.faults(), 0) << what;
        }
    }
}

// What no longer holds a hammer lets it go, and the repetition spring lifts it, as in a piano whose checks are greased
// or whose key is eased up: that is the action's own motion, bounded by what its spring holds.
TEST(TouchGlide, ACheckThatNoLongerHoldsLetsItsHammerGo) {
    const Change changes[] = {times(grand_row("backcheck_mu"), 0), turned(grand_row("front_rail_y_mm"), 3.0)};
    for (const Change& change : changes) {
        GlideStage stage(GlideStage::three_keys());
        for (int key = 0; key < 3; ++key) stage.keybed.press(key, 0, 12);
        stage.run(1200);
        double fastest_mps = 0;
        stage.turn({0, 1, 2}, change);
        stage.run(kGlidesDone + 2000, [&] {
            for (int key = 0; key < 3; ++key) fastest_mps = std::max(fastest_mps, std::abs(stage.crown_mps(key)));
        });
        EXPECT_LT(fastest_mps, 0.8);
        EXPECT_EQ(stage.keybed.faults(), 0);
        EXPECT_LE(stage.events.strikes.size(), 9u) << "they come to rest";
    }
}

// Why it glides: what a jump does to a resting hammer.
TEST(TouchGlide, AJumpWouldThrowTheHammer) {
    GlideStage stage(48, 1);
    ActionBlock& block = stage.keybed.block_of(0);
    GrandValues values = stage.builds[0].values;
    values[grand_row("capstan_y_mm")] += 1.0;
    stage.builds[0].values = values;
    const KeyMechanics from = block.mechanics(0), to = key_touch(stage.builds[0], 1).mechanics;
    std::array<std::uint16_t, core::kLaneNumbers> store{};
    block.set_mechanics(0, from, to, core::changed_numbers(from.numbers, to.numbers, store), 1);
    double fastest_mps = 0;
    stage.run(400, [&] { fastest_mps = std::max(fastest_mps, stage.crown_mps(0)); });
    EXPECT_GT(fastest_mps, 0.5);
}

TEST(TouchGlide, ATouchThatComesWhileAnotherIsOnItsWayGoesOnFromThere) {
    GlideStage stage(48, 1);
    const double blow_m = stage.crown_m(0);
    stage.turn({0}, turned(grand_row("capstan_y_mm"), 0.3));
    stage.run(kGlideTicks / 2);
    stage.turn({0}, turned(grand_row("capstan_y_mm"), -0.3));  // back
    double fastest_mps = 0;
    stage.run(kGlidesDone + 400, [&] { fastest_mps = std::max(fastest_mps, std::abs(stage.crown_mps(0))); });
    EXPECT_LT(fastest_mps, 0.1);
    EXPECT_NEAR(stage.crown_m(0), blow_m, 1.5e-3) << "within the band of friction";
    EXPECT_TRUE(stage.keybed.has_touch(0, 2));
    EXPECT_FALSE(stage.keybed.has_touch(0, 1));
}

TEST(TouchGlide, AKeyThatRestsAfterwardsSleepsAgain) {
    GlideStage stage(40, 8);
    stage.turn({2}, turned(grand_row("capstan_y_mm"), 0.1));
    stage.run(4);
    EXPECT_EQ(stage.keybed.sleeping_keys(), 7);
    stage.run(kGlidesDone + 2000);
    EXPECT_EQ(stage.keybed.sleeping_keys(), 8);
}

}  // namespace
}  // namespace letoff::keyboard
