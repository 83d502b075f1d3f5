// What holds for every action that is stepped by itself.
#include "keyboard/action/action.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "keyboard/bench/strokes.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

TEST(Actions, AreFoundByNameAndAWrongNameIsToldWhatThereIs) {
    for (const Action& action : actions()) EXPECT_EQ(find_action(action.name), &action);
    EXPECT_EQ(find_action("square"), nullptr);
    EXPECT_EQ(grand_action().name, "grand");
    EXPECT_EQ(no_such_action("square"), "there is no action named 'square'; there are: " + action_names());
    EXPECT_NE(action_names().find("grand, two_body"), std::string::npos);
}

std::vector<KeyBuild> keys_of(const Action& action, int first = 0, int count = core::kKeyCount) {
    GrandTouch touch;
    touch.action = &action;
    return grand_keys(piano_strings(), first, count, touch);
}

class OtherAction : public testing::TestWithParam<const Action*> {};
std::vector<const Action*> other_actions() {
    std::vector<const Action*> others;
    for (const Action& action : actions()) {
        if (!action.is_grand()) others.push_back(&action);
    }
    return others;
}
INSTANTIATE_TEST_SUITE_P(Actions, OtherAction, testing::ValuesIn(other_actions()),
                         [](const auto& info) { return std::string(info.param->name); });

struct Played {
    std::uint64_t state_hash = 0, force_hash = 0;
    std::size_t strikes = 0;
    bool sleeps = false;
};
/// A chord on 24 keys, three blocks, held and let go; `to_rest`: and waited for.
Played play_chord(const Action& action, const char* executor_name, int threads, bool to_rest = false) {
    const auto executor = std::move(core::make_executor(executor_name, threads).value());
    Keybed keybed(keys_of(action, 0, 24), 4000, *executor);
    KeptEvents events;
    const auto run = [&](double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * 4000); ++i) keybed.tick(&events, &events);
    };
    run(0.05);
    for (int k = 0; k < 24; k += 5) keybed.press(k, keybed.now_s(), 6.0 + 0.5 * k);
    run(0.15);
    for (int k = 0; k < 24; k += 5) keybed.lift(k, keybed.now_s(), 0.3);
    run(0.1);
    Played played{keybed.state_hash(), events.force_hash, events.strikes.size(), false};
    for (int i = 0; to_rest && i < 40 && !played.sleeps; ++i) {
        run(0.1);
        played.sleeps = keybed.sleeping_keys() == 24;
    }
    EXPECT_EQ(keybed.faults(), 0);
    return played;
}

TEST_P(OtherAction, GivesTheSameBitsForAnyThreadsAndSleepsAtRest) {
    const Played one = play_chord(*GetParam(), "inline", 1, true);
    EXPECT_GE(one.strikes, 5U);
    EXPECT_TRUE(one.sleeps);
    for (const char* executor : {"threads", "tbb"}) {
        const Played other = play_chord(*GetParam(), executor, 2);
        EXPECT_EQ(other.state_hash, one.state_hash) << executor;
        EXPECT_EQ(other.force_hash, one.force_hash) << executor;
    }
}

TEST_P(OtherAction, StrikesAsFastAtAnyTick) {
    const KeyBuild build = keys_of(*GetParam(), 48, 1).front();
    for (const double acceleration : {3.0, 9.0, 25.0}) {
        const auto speed_mps = [&](int tick_hz) {
            return play_strokes(settle_test_key(build, tick_hz), {&acceleration, 1}).front().hammer_speed_mps;
        };
        const double fine = speed_mps(16000);
        EXPECT_GT(fine, 0.3) << acceleration;
        // The upright's jack pushes until a tenth of a millisecond before the strings at forte (the grand's a
        // millisecond and more): a tick of 1 ms sees both at once. NOT YET 2 % there.
        const bool upright_forte = GetParam()->lanes != nullptr && acceleration > 10;
        EXPECT_NEAR(speed_mps(1000), fine, (upright_forte ? 0.05 : 0.02) * fine) << acceleration;
        EXPECT_NEAR(speed_mps(4000), fine, 0.01 * fine) << acceleration;
    }
}

// Pressed and let up again slowly, a key without dry friction gives back what it took but for viscous losses: never
// more.
TEST_P(OtherAction, GivesBackNoMoreThanItTook) {
    const TestKey key = settle_test_key(keys_of(*GetParam(), 48, 1).front());
    for (const double speed_mps : {0.01, 0.1, 0.5}) {
        Bench bench(key);
        double work_J = 0, dip_m = bench.dip_m(0);
        const auto add = [&] {
            work_J += bench.block().driven_force_N(0) * (bench.dip_m(0) - dip_m);
            dip_m = bench.dip_m(0);
        };
        bench.drive_at(speed_mps, key.rest_dip_m + 0.006, add);
        bench.drive_at(speed_mps, key.rest_dip_m, add);
        for (int i = 0; i < 4000; ++i) {
            bench.drive_tick(0);
            add();
        }
        EXPECT_GT(work_J, -2e-5) << speed_mps;
    }
}

}  // namespace
}  // namespace letoff::keyboard
