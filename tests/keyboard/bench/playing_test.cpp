// What hands find: double strikes over the library of fingers, the softest notes, and repetition.
#include <gtest/gtest.h>

#include <cmath>

#include "keyboard/bench/finger_trials.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/soft_control.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

std::vector<core::FingerProfile> constants() {
    std::vector<core::FingerProfile> fingers;
    for (const core::FingerProfile& f : core::finger_library()) {
        if (f.kind == core::FingerProfile::Kind::constant) fingers.push_back(f);
    }
    return fingers;
}

TEST(FingerTrials, ConstantForcesStrikeOnceEachFasterThanTheLast) {
    // Regulation report: constant forces strike twice nowhere.
    double last_mps = 0;
    for (const FingerTrial& t : try_fingers(a4(), constants())) {
        EXPECT_EQ(t.strikes, 1);
        EXPECT_EQ(t.strikes_after, 0);
        EXPECT_FALSE(t.doubled());
        EXPECT_GT(t.first_mps, last_mps);
        last_mps = t.first_mps;
    }
    EXPECT_GT(last_mps, 9.0) << "100 N are beyond ff";
}

TEST(FingerTrials, AHammerThrownBackIsADoubleStrike) {
    // A repetition spring twice as strong throws the hammer out of a weakly held key's check.
    KeyBuild build = a4_build();
    build.values[grand_row("repetition_spring_rest_rad")] *= 2;
    const std::vector<core::FingerProfile> fingers = core::finger_library();
    const std::vector<FingerTrial> trials = try_fingers(settle_test_key(build), fingers);
    const DoubleStrikes strong = count_double_strikes(trials),
                        regulated = count_double_strikes(try_fingers(a4(), fingers));
    EXPECT_EQ(strong.fingers, 92);
    EXPECT_GT(strong.doubled, regulated.doubled + 10);
    for (const FingerTrial& t : trials) {
        if (!t.doubled()) continue;
        EXPECT_GT(t.double_mps, 0) << "its second strike is told";
        EXPECT_GT(t.double_after_s, 0.002);
    }
}

TEST(FingerTrials, TrillAsksForEveryPress) {
    core::FingerProfile trill;
    for (const core::FingerProfile& f : core::finger_library()) {
        if (f.kind == core::FingerProfile::Kind::trill && f.rate_hz == 6.0) trill = f;
    }
    const FingerTrial t = try_fingers(a4(), {&trill, 1}).front();
    EXPECT_EQ(t.asked, 6);
    EXPECT_EQ(t.strikes, 6);
    EXPECT_FALSE(t.doubled());
}

TEST(SoftControl, AFingerThatKnowsItsKeyPlaysPpp) {
    const Regulation regulation = measure_regulation(a4());
    for (const bool from_escapement : {false, true}) {
        const SoftControl c = play_softly(a4(), regulation, from_escapement);
        ASSERT_EQ(c.notes.size(), 20u);
        EXPECT_NEAR(c.notes.front().asked_mps, 0.15, 1e-12);
        EXPECT_NEAR(c.notes.back().asked_mps, 0.50, 1e-12);
        EXPECT_EQ(c.silent, 0) << "every note speaks";
        EXPECT_LT(c.softest_mps, 0.16);
        EXPECT_LT(c.off(), 0.06) << "2 % of inaccuracy in the hand";
        EXPECT_LE(c.spread(), c.off() + 1e-9);
        for (const SoftNote& note : c.notes) EXPECT_NEAR(note.mean_mps(), note.asked_mps, 0.05 * note.asked_mps);
    }
}

TEST(SoftControl, FiguresAreRootMeanSquares) {
    SoftControl c;
    c.notes.push_back({0.2, 1.0, {0.18, 0.2, 0.22, 0, 0}});  // two tries are silent
    EXPECT_NEAR(c.notes[0].mean_mps(), 0.2, 1e-12);
    EXPECT_NEAR(c.spread(), std::sqrt(2 * 0.01 / 3), 1e-12);  // 10 %, 0, 10 %
    c.notes[0].asked_mps = 0.1;
    EXPECT_NEAR(c.off(), std::sqrt((0.8 * 0.8 + 1 + 1.2 * 1.2) / 3), 1e-12);
    EXPECT_NEAR(c.spread(), std::sqrt(2 * 0.04 / 3), 1e-12);
}

TEST(Repetition, EighteenFingersFromEasyToHard) {
    EXPECT_GT(fingers_that_repeat(a4(), kRepetitionLift_m, 10.0), 9) << "of 18, with 6 mm of lift";
    EXPECT_EQ(fingers_that_repeat(a4(), 0.0005, 10.0), 0) << "half a millimetre resets nothing";
    const auto fingers = repetition_fingers();
    for (std::size_t i = 0; i < fingers.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            EXPECT_FALSE(fingers[i].down_share == fingers[k].down_share &&
                         fingers[i].wait_share == fingers[k].wait_share && fingers[i].deep_m == fingers[k].deep_m);
        }
        EXPECT_LT(fingers[i].down_share + fingers[i].wait_share, 0.8) << "some of the cycle is left for the way up";
    }
}

TEST(Repetition, StrikesAreOnlyCountedInTheirOwnCycle) {
    // So slow that the first press strikes and no other does: nothing repeats.
    std::array<double, core::kLanes> rates;
    rates.fill(1.0);
    rates[0] = 10.0;
    const auto all = repeats(a4(), {}, kRepetitionLift_m, rates);
    EXPECT_TRUE(all[0].strikes);
    EXPECT_TRUE(all[0].caught);
    EXPECT_FALSE(all[1].strikes);
    EXPECT_FALSE(all[1].caught);
}

}  // namespace
}  // namespace letoff::keyboard
