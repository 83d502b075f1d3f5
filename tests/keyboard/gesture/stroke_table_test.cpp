#include "keyboard/gesture/stroke_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/midi/velocity.h"
#include "keyboard/gesture/stroke_trial.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

constexpr int kTick_hz = 4000;

/// A block of eight keys: bass, round A4, top.
class StrokeTableOfBlock : public testing::TestWithParam<int> {};

// Every velocity, so also between the table's own; each stroke played on a key at rest.
TEST_P(StrokeTableOfBlock, GivesTheSpeedOfEveryVelocityWithTheTrayDownAndUp) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    const std::vector<KeyBuild> keys = piano_keys(GetParam(), core::kLanes);
    const std::vector<StrokeTable> tables = calibrate_strokes(keys, kTick_hz, *executor);
    StrokeTrial rest(keys, kTick_hz);
    rest.settle();
    std::string wrong;
    double worst = 0, worst_travel_s = 0;
    for (const double tray : {0.0, 1.0}) {
        StrokeTrial bench = rest;
        bench.set_tray_share(tray);
        bench.run(0.2);
        for (int mv = 8; mv <= 127; ++mv) {
            LaneValues start_s, a{}, travel_s{};
            start_s.fill(bench.now_s());
            for (size_t l = 0; l < core::kLanes; ++l) {
                a[l] = tables[l].at(mv, tray).acceleration_mps2;
                travel_s[l] = tables[l].at(mv, tray).travel_s;
            }
            const LaneTrials trials = StrokeTrial(bench).strike(start_s, a, 0.6);
            for (size_t l = 0; l < core::kLanes; ++l) {
                const double error = trials[l].speed_mps / core::speed_mps_of_midi_velocity(mv) - 1;
                worst = std::max(worst, std::abs(error));
                if (!(std::abs(error) <= (mv <= 116 ? 0.01 : 0.03))) {
                    wrong += fmt::format("key {} velocity {} tray {}: {:+.2f} %\n",
                                         GetParam() + static_cast<int>(l) + 1, mv, tray, 100 * error);
                }
                worst_travel_s = std::max(worst_travel_s, std::abs(trials[l].strike_s - start_s[l] - travel_s[l]));
            }
        }
    }
    EXPECT_EQ(wrong, "") << "worst " << 100 * worst << " %";
    EXPECT_LT(worst_travel_s, 0.002);  // so that aiming begins early enough
    RecordProperty("worst_percent", fmt::format("{:.2f}", 100 * worst));
    RecordProperty("worst_travel_ms", fmt::format("{:.2f}", 1e3 * worst_travel_s));
}

INSTANTIATE_TEST_SUITE_P(BassMiddleTop, StrokeTableOfBlock, testing::Values(0, 44, 80));

TEST(StrokeTable, DoublesThereAndBack) {
    StrokeTable table;
    for (int tray = 0; tray < StrokeTable::kTrays; ++tray) {
        for (int v = 0; v < StrokeTable::kVelocities; ++v)
            table.entry(tray, v) = {{1.0 + tray + 10 * v, 0.5 + v}, 2.0 * tray + v};
    }
    StrokeTable back;
    std::vector<double> values = table.to_doubles();
    ASSERT_TRUE(StrokeTable::from_doubles(values, back));
    EXPECT_EQ(back.to_doubles(), values);
    EXPECT_EQ(back.entry(3, 7).stroke.acceleration_mps2, 74.0);
    for (const double bad : {std::nan(""), -0.1}) {
        std::vector<double> broken = values;
        broken[10] = bad;
        EXPECT_FALSE(StrokeTable::from_doubles(broken, back)) << bad;
    }
    values.pop_back();
    EXPECT_FALSE(StrokeTable::from_doubles(values, back));
}

// Strings that no hammer reaches: a stroke that never strikes takes no time to do it, so its finger is not sent for
// seconds after the note.
TEST(StrokeTable, AKeyThatCannotStrikeIsStillPressedOnTime) {
    KeyBuild far = piano_keys(48, 1).front();
    far.damped = false;
    far.values[grand_row("string_y_mm")] += 200;
    const auto executor = std::move(core::make_executor("inline", 1).value());
    const StrokeTable table = calibrate_strokes({&far, 1}, 1000, *executor).front();
    for (int v = 0; v < StrokeTable::kVelocities; ++v) {
        EXPECT_EQ(table.entry(0, v).speed_mps, 0) << v;
        EXPECT_EQ(table.entry(0, v).stroke.travel_s, 0) << v;
        EXPECT_GT(table.entry(0, v).stroke.acceleration_mps2, 0) << v;
    }
}

TEST(StrokeTable, IsLinearBetweenItsVelocitiesAndTraysAndEndsAtItsEnds) {
    StrokeTable table;
    for (int tray = 0; tray < StrokeTable::kTrays; ++tray) {
        for (int v = 0; v < StrokeTable::kVelocities; ++v) {
            const double mv = StrokeTable::kVelocityKnots[static_cast<size_t>(v)];
            table.entry(tray, v).stroke = {2 * mv + 100 * StrokeTable::kTrayShares[static_cast<size_t>(tray)], -mv};
        }
    }
    EXPECT_NEAR(table.at(58.5, 0.25).acceleration_mps2, 2 * 58.5 + 25, 1e-9);
    EXPECT_NEAR(table.at(58.5, 0.25).travel_s, -58.5, 1e-9);
    EXPECT_NEAR(table.at(127, 1.0).acceleration_mps2, 2 * 127 + 80, 1e-9);
    EXPECT_NEAR(table.at(1, 0).acceleration_mps2, 2, 1e-9);
}

TEST(StrokeTable, ItsHashKnowsWhatItDependsOn) {
    const KeyBuild key = piano_keys(48, 1)[0];
    KeyBuild heavier = key, undamped = key;
    heavier.values[0] = key.values[0] * 1.0001 + 1e-9;
    undamped.damped = false;
    EXPECT_EQ(stroke_hash(key, 4000), stroke_hash(piano_keys(48, 1)[0], 4000));
    EXPECT_NE(stroke_hash(key, 4000), stroke_hash(heavier, 4000));
    EXPECT_NE(stroke_hash(key, 4000), stroke_hash(undamped, 4000));
    EXPECT_NE(stroke_hash(key, 4000), stroke_hash(key, 8000));
}

}  // namespace
}  // namespace letoff::keyboard
