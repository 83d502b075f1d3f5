// The sostenuto and the una corda pedal on the keybed.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

constexpr int kTick_hz = 4000;

/// C4 and G4 held, then let go.
class Pedals : public testing::Test {
  protected:
    static constexpr int kC4 = 0, kG4 = 7;

    Pedals() : keybed_(piano_keys(39, 8), kTick_hz, *executor_) { keybed_.settle(); }
    void run(double seconds) {
        for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) keybed_.tick(&events_, &events_);
    }
    void press(int key) { keybed_.press(key, keybed_.now_s(), 6.0); }
    void let_go(int key) { keybed_.lift(key, keybed_.now_s(), 0.25); }
    double compression_m(int key) { return keybed_.block_of(key).damper_compression_m(keybed_.lane_of(key)); }
    double lift_m(int key) { return keybed_.block_of(key).damper_lift_m(keybed_.lane_of(key)); }

    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    Keybed keybed_;
    KeptEvents events_;
};

TEST_F(Pedals, TheSostenutoHoldsTheDampersThatAreUpAndNoOthers) {
    press(kC4);
    run(0.3);
    keybed_.set_sostenuto(1);
    run(0.1);
    press(kG4);
    run(0.3);
    let_go(kC4);
    let_go(kG4);
    run(0.5);
    EXPECT_NEAR(lift_m(kC4), SostenutoRod::kHolds_m, 0.2e-3);
    EXPECT_EQ(compression_m(kC4), 0);
    EXPECT_GT(compression_m(kG4), 0.1e-3);
    keybed_.set_sostenuto(0);
    run(0.3);
    EXPECT_GT(compression_m(kC4), 0.1e-3);
    keybed_.set_sostenuto(1);  // nothing is up now
    run(0.3);
    EXPECT_GT(compression_m(kC4), 0.1e-3);
}

TEST_F(Pedals, ASostenutoThatIsNotQuiteDownHoldsDampersHalfOff) {
    press(kC4);
    run(0.3);
    const double seated_m = compression_m(kG4);
    keybed_.set_sostenuto(1);
    run(0.1);
    let_go(kC4);
    run(0.5);
    keybed_.set_sostenuto(0.535);
    run(0.3);
    EXPECT_GT(compression_m(kC4), 0.05 * seated_m);
    EXPECT_LT(compression_m(kC4), 0.8 * seated_m);
    keybed_.set_sostenuto(1);  // still caught
    run(0.3);
    EXPECT_EQ(compression_m(kC4), 0);
}

TEST_F(Pedals, TheSostenutoHoldsWhatTheDamperPedalHasLifted) {
    keybed_.set_tray(1);
    run(0.2);
    keybed_.set_sostenuto(1);
    run(0.1);
    keybed_.set_tray(0);
    run(0.3);
    for (int key = 0; key < 8; ++key) EXPECT_EQ(compression_m(key), 0) << key;
}

TEST_F(Pedals, AStrokeIsAimedAtAHeldDamper) {
    EXPECT_EQ(keybed_.lift_share(kC4), 0);
    press(kC4);
    run(0.3);
    keybed_.set_sostenuto(1);
    run(0.1);
    // 1 mm of tray travel is free: 4.5 of 5.6 mm hold the damper 3.5 mm up.
    EXPECT_NEAR(keybed_.lift_share(kC4), 4.5 / 5.6, 1e-9);
    EXPECT_EQ(keybed_.lift_share(kG4), 0);
    keybed_.set_tray(1);
    EXPECT_EQ(keybed_.lift_share(kC4), 1);
}

// The same stroke: the key does what it did until the hammer meets fewer strings through softer felt.
TEST_F(Pedals, UnaCordaChangesTheBlowAndNotTheKey) {
    press(kC4);
    run(0.3);
    ASSERT_EQ(events_.strikes.size(), 1u);
    Keybed shifted(piano_keys(39, 8), kTick_hz, *executor_);
    shifted.settle();
    shifted.set_una_corda(1);
    KeptEvents events;
    shifted.press(kC4, shifted.now_s(), 6.0);
    for (int tick = 0; tick < static_cast<int>(0.3 * kTick_hz); ++tick) shifted.tick(&events, &events);
    ASSERT_EQ(events.strikes.size(), 1u);
    EXPECT_EQ(events.strikes[0].hammer_speed_mps, events_.strikes[0].hammer_speed_mps);
    EXPECT_EQ(events.strikes[0].strike_time_s, events_.strikes[0].strike_time_s);
    EXPECT_NE(events.force_hash, events_.force_hash);
}

}  // namespace
}  // namespace letoff::keyboard
