// The sostenuto and the soft pedal on the keybed.
#include <gtest/gtest.h>

#include <cstdio>
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
    // And the strike says so, for the samples.
    EXPECT_EQ(events_.strikes[0].felt_hardness, 1);
    EXPECT_EQ(events_.strikes[0].in_phase, 1);
    EXPECT_NEAR(events.strikes[0].felt_hardness, 0.6, 1e-12);
    EXPECT_EQ(events.strikes[0].in_phase, core::blow_of(piano_strings().notes[39].una_corda, 1).gain[0]);
}

/// Four keys of an upright about A4, and a finger that goes down slowly.
class UprightSoftPedal : public testing::Test {
  protected:
    static constexpr int kA4 = 1;

    static std::vector<KeyBuild> upright_keys() {
        GrandTouch touch;
        touch.action = find_action("upright");
        return grand_keys(piano_strings(), 47, 4, touch);
    }
    UprightSoftPedal() : keybed_(upright_keys(), kTick_hz, *executor_) {
        keybed_.settle();
        run(0.5);
    }
    void run(double seconds) {
        for (int tick = 0; tick < static_cast<int>(seconds * kTick_hz); ++tick) keybed_.tick(&events_, &events_);
    }
    void pedal(double from, double to) {
        constexpr int kTicks = kTick_hz / 10;
        for (int tick = 1; tick <= kTicks; ++tick) {
            keybed_.set_una_corda(from + (to - from) * tick / kTicks);
            keybed_.tick(&events_, &events_);
        }
        run(1);
    }
    double below_string_mm() { return 1e3 * keybed_.block_of(kA4).crown_below_string_m(keybed_.lane_of(kA4)); }
    /// Dip at which the hammer has moved a millimetre, in a press.
    double dip_that_moves_it_mm() {
        const double at_rest_mm = below_string_mm(), rest_mm = 1e3 * keybed_.dip_m(kA4);
        keybed_.press(kA4, keybed_.now_s(), 0.5);
        double moved_mm = -1;
        for (int tick = 0; tick < kTick_hz && moved_mm < 0; ++tick) {
            keybed_.tick(&events_, &events_);
            if (below_string_mm() < at_rest_mm - 1) moved_mm = 1e3 * keybed_.dip_m(kA4) - rest_mm;
        }
        keybed_.lift(kA4, keybed_.now_s(), 0.25);
        run(1.5);
        return moved_mm;
    }
    double struck_mps() {
        events_.strikes.clear();
        keybed_.press(kA4, keybed_.now_s(), 8.0);
        run(0.4);
        keybed_.lift(kA4, keybed_.now_s(), 0.25);
        run(1.5);
        EXPECT_EQ(events_.strikes.size(), 1u);
        return events_.strikes.empty() ? 0 : events_.strikes[0].hammer_speed_mps;
    }

    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    Keybed keybed_;
    KeptEvents events_;
};

// Half the blow is left, the jack has to come up to the butt first, and the hammer arrives slower; all of it is as it
// was once the pedal is up.
TEST_F(UprightSoftPedal, BringsTheHammersNearerWithLostMotion) {
    const double blow_mm = below_string_mm(), direct_mm = dip_that_moves_it_mm(), loud_mps = struck_mps();
    const int faults = static_cast<int>(keybed_.faults());
    pedal(0, 1);
    const double half_mm = below_string_mm(), lost_mm = dip_that_moves_it_mm() - direct_mm, soft_mps = struck_mps();
    pedal(1, 0);
    std::printf("blow %.1f, with the pedal %.1f mm; lost motion %.2f mm; %.2f and %.2f m/s\n", blow_mm, half_mm,
                lost_mm, loud_mps, soft_mps);
    EXPECT_NEAR(blow_mm, 46, 2);
    EXPECT_NEAR(half_mm, blow_mm - 20, 2);
    EXPECT_GT(lost_mm, 2);
    EXPECT_LT(lost_mm, 6);
    EXPECT_LT(soft_mps, 0.9 * loud_mps);
    EXPECT_GT(soft_mps, 0.4 * loud_mps);
    EXPECT_NEAR(below_string_mm(), blow_mm, 1);
    EXPECT_NEAR(struck_mps(), loud_mps, 0.1 * loud_mps);
    EXPECT_EQ(keybed_.faults(), faults);
}

// All strings of the note are struck, by the same felt.
TEST_F(UprightSoftPedal, ShiftsNothingToTheSide) {
    pedal(0, 1);
    keybed_.press(kA4, keybed_.now_s(), 8.0);
    struct Gains final : core::SoundSink {
        void on_tick(const core::SoundFrame& frame) noexcept override {
            for (const core::StringForce& force : frame.forces) {
                ++forces;
                for (const double gain : force.set_gain) even = even && gain == 1;
            }
        }
        int forces = 0;
        bool even = true;
    } gains;
    for (int tick = 0; tick < kTick_hz / 2; ++tick) keybed_.tick(&gains, &events_);
    EXPECT_GT(gains.forces, 0);
    EXPECT_TRUE(gains.even);
}

}  // namespace
}  // namespace letoff::keyboard
