// What was played on motorised keys comes out of a recording the same to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "storage/recording_events.h"
#include "tests/ui/app/live/array_play.h"
#include "ui/app/live/motion_gate.h"
#include "ui/app/recording/motor_replay.h"

namespace letoff::ui {
namespace {

using core::TakeEvent;
using core::TakeKind;
using test::ArrayPlay;

std::vector<TakeEvent> drained(core::TakeTap& tap) {
    std::vector<TakeEvent> events;
    for (TakeEvent event; tap.pop(event);) events.push_back(event);
    EXPECT_EQ(tap.lost(), 0u);
    return storage::packed_events(storage::packed_take(events));  // as a recording keeps them
}

long count(const std::vector<TakeEvent>& events, TakeKind kind) {
    return std::count_if(events.begin(), events.end(), [kind](const TakeEvent& event) { return event.kind == kind; });
}

/// As ui/app/recording/take_run.h plays it, with these keys.
class Again final : public core::StrikeSink {
  public:
    explicit Again(const test::RigKeys& keys)
        : tables_(std::make_unique<keyboard::LiveTables>(keys.tables)),
          keybed_(keys.keys, ArrayPlay::kTick_hz, *executor_) {
        keybed_.settle();
    }
    /// States that came out the same, of those that were told; up to the end of the recording.
    long run(const std::vector<TakeEvent>& events) {
        const core::DenormalsOff denormals_off;
        long same = 0;
        std::size_t next = 0;
        for (;;) {
            for (; next < events.size() && events[next].tick <= keybed_.now_ticks(); ++next) {
                const TakeEvent& event = events[next];
                if (motor_.take(event, 0)) continue;
                if (event.kind == TakeKind::message) player_.message(event.time_s, event.message);
                if (event.kind == TakeKind::state && event.bits == keybed_.state_hash()) ++same;
            }
            if (next == events.size()) return same;
            motor_.before_tick(player_);
            player_.before_tick(keybed_);
            keybed_.tick(nullptr, &player_);
        }
    }
    std::uint64_t state() const { return keybed_.state_hash(); }

    void on_strike(const core::Strike& strike) noexcept override { strikes.push_back(strike); }
    void on_key_bottom(int, double) noexcept override {}
    void on_release(const core::Release&) noexcept override {}
    std::vector<core::Strike> strikes;

  private:
    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    core::SnapshotSwap<keyboard::LiveTables> tables_;
    keyboard::Keybed keybed_;
    keyboard::LivePlayer player_{tables_, ArrayPlay::kKeys, ArrayPlay::kTick_hz, this};
    MotorReplay motor_{keybed_};
};

void play_some(ArrayPlay& play) {
    for (const int velocity : {40, 100, 70}) {
        play.note(velocity);
        play.run(0.4);
        play.note(0);
        play.run(0.3);
    }
}

}  // namespace

TEST(MotorTake, AReplayIsTheSameToTheBit) {
    ArrayPlay play(true);
    play.tap.switch_on();
    play.enable();
    play_some(play);
    // A device that falls silent under a pressed key, and comes back.
    play.note(64);
    play.run(0.3);
    play.sim->device(0).be_silent(10);
    play.run(0.5);
    play.note(0);
    play.run(0.3);
    play.take.finish();
    const auto events = drained(play.tap);
    ASSERT_EQ(play.strikes.size(), 4u);
    EXPECT_GT(count(events, TakeKind::key_moved), 4000);
    EXPECT_EQ(count(events, TakeKind::device_key), ArrayPlay::kKeys);

    Again again(play.keys());
    EXPECT_EQ(again.run(events), count(events, TakeKind::state));
    EXPECT_GE(count(events, TakeKind::state), 4);
    EXPECT_EQ(again.state(), play.keybed.state_hash());
    ASSERT_EQ(again.strikes.size(), play.strikes.size());
    for (std::size_t i = 0; i < play.strikes.size(); ++i) {
        EXPECT_EQ(again.strikes[i].strike_time_s, play.strikes[i].strike_time_s) << i;
        EXPECT_EQ(again.strikes[i].hammer_speed_mps, play.strikes[i].hammer_speed_mps) << i;
    }
}

TEST(MotorTake, KeysThatNobodyTouchesCostNothing) {
    ArrayPlay play(true);
    play.enable();
    play.tap.switch_on();
    play.run(1.0);  // their first rest may still be told
    (void)drained(play.tap);
    play.run(7.0);
    const auto events = drained(play.tap);
    EXPECT_EQ(count(events, TakeKind::motion) + count(events, TakeKind::key_moved), 0);
    EXPECT_LE(events.size(), static_cast<std::size_t>(TakeLog::kStatesFor_s));
    play.note(64);
    play.run(0.3);
    EXPECT_GT(count(drained(play.tap), TakeKind::key_moved), 100);
    EXPECT_EQ(play.strikes.size(), 1u);
}

TEST(MotorTake, ATellingThatBeginsWhileItIsPlayedHasWhatHoldsThen) {
    ArrayPlay play(true);
    play.enable();
    play.note(64);
    play.run(0.3);
    play.tap.switch_on();
    play.run(0.001);
    const auto events = drained(play.tap);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.front().kind, TakeKind::begin);
    EXPECT_EQ(events.front().value, 1);
    EXPECT_EQ(count(events, TakeKind::hands), 1);
    EXPECT_EQ(count(events, TakeKind::device_key), ArrayPlay::kKeys);
    const auto live = std::find_if(events.begin(), events.end(),
                                   [](const TakeEvent& event) { return event.kind == TakeKind::live_keys; });
    ASSERT_NE(live, events.end());
    EXPECT_EQ(live->bits, (std::uint64_t{1} << ArrayPlay::kKeys) - 1);
    const auto pressed = std::find_if(events.begin(), events.end(), [](const TakeEvent& event) {
        return event.kind == TakeKind::key_moved && event.key == ArrayPlay::kKey;
    });
    ASSERT_NE(pressed, events.end());
    EXPECT_NEAR(core::KeyMotionCode::of_bits(pressed->bits).dip_m(), play.plant_dip_m(), 0.2e-3);
}

TEST(MotorTake, MotionIsKeptInSteps) {
    using core::KeyMotionCode;
    const KeyMotionCode code = KeyMotionCode::of(-0.0012346, 0.50011);
    EXPECT_EQ(code.dip, -1235);
    EXPECT_EQ(code.speed, 2501);
    EXPECT_EQ(KeyMotionCode::of_bits(code.bits()), code);
    EXPECT_DOUBLE_EQ(code.dip_m(), -1235e-6);
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(KeyMotionCode::of(no_number, 0).dip_m()));
    // No motion of a key stays none.
    EXPECT_GT(KeyMotionCode::of(1.0, 0).dip_m(), keyboard::HapticKey::kDeepest_m);
    EXPECT_LT(KeyMotionCode::of(0, -100).speed_mps(), -keyboard::HapticKey::kFastest_mps);
}

TEST(MotionGate, AKeyAtTheTopIsHeldUntilItLeaves) {
    MotionGate gate(4000);
    core::KeyMotion motion;
    motion.live.set(3);
    double now_s = 0;
    const auto pass = [&](double dip_m, double speed_mps) {
        now_s += 1 / 4000.0;
        motion.time_s = now_s - 0.0003;
        motion.dip_m[3] = dip_m;
        motion.dip_speed_mps[3] = speed_mps;
        EXPECT_TRUE(gate.pass(now_s, motion, true, nullptr));
    };
    for (int i = 0; i < 500; ++i) pass(100e-6 + (i % 3) * 2e-6, 0.0003);
    EXPECT_DOUBLE_EQ(gate.given().dip_m[3], 100e-6);
    EXPECT_EQ(gate.given().dip_speed_mps[3], 0);
    EXPECT_EQ(gate.given().time_s, now_s);  // all rest
    pass(109e-6, 0);
    EXPECT_DOUBLE_EQ(gate.given().dip_m[3], 100e-6);
    pass(111e-6, 0);
    EXPECT_DOUBLE_EQ(gate.given().dip_m[3], 111e-6);
    EXPECT_EQ(gate.given().time_s, motion.time_s);
    for (int i = 0; i < 500; ++i) pass(111e-6, 0);
    pass(111e-6, 0.002);
    EXPECT_DOUBLE_EQ(gate.given().dip_speed_mps[3], 0.002);
    // A key that is held down is measured, whatever it does.
    for (int i = 0; i < 500; ++i) pass(9e-3, 0);
    EXPECT_EQ(gate.given().time_s, motion.time_s);
    // Nothing new: what is old is told as old, once.
    for (int i = 0; i < 500; ++i) pass(100e-6, 0);
    now_s += 0.004;
    EXPECT_TRUE(gate.pass(now_s, motion, false, nullptr));
    EXPECT_EQ(gate.given().time_s, now_s);
    now_s += 0.004;
    EXPECT_TRUE(gate.pass(now_s, motion, false, nullptr));
    EXPECT_EQ(gate.given().time_s, motion.time_s);
    EXPECT_FALSE(gate.pass(now_s, motion, false, nullptr));
}

}  // namespace letoff::ui
