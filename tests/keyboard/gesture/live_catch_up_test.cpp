// Notes that find their key at rest, played by tables of what their strokes do just before the strings.
#include <gtest/gtest.h>

#include "keyboard/gesture/live_player.h"
#include "tests/keyboard/gesture/live_keys.h"

namespace letoff::keyboard {
namespace {

constexpr double kTick_s = 1.0 / kLiveTick_hz;

// Times at every place within a tick; keys with and without a damper; pedal up and down.
TEST(LiveCatchUp, ANoteOnARestedKeyStrikesAsItsMessageComesAtItsSpeed) {
    for (const int pedal : {0, 127}) {
        for (const int velocity : {20, 33, 47, 64, 79, 95, 108, 120}) {
            LiveStage stage;
            stage.player.message(0, core::control_change(0, core::kSustainPedal, pedal));
            const double on_s = 0.1 + 0.125 * kTick_s * (velocity % 8);
            for (const int note : LiveKeys::kNotes) stage.on(on_s, note, velocity);
            stage.run_to(0.11);
            ASSERT_EQ(stage.events.strikes.size(), 3u) << velocity;
            for (const core::Strike& strike : stage.events.strikes) {
                EXPECT_GT(strike.strike_time_s, on_s - 5e-6) << velocity << " key " << strike.key_index;
                EXPECT_LT(strike.strike_time_s, on_s + 0.1 * kTick_s) << velocity << " key " << strike.key_index;
                EXPECT_LT(std::abs(speed_error(strike, velocity)), 0.02) << velocity << " key " << strike.key_index;
                EXPECT_EQ(stage.player.note(strike.key_index).catch_up, CatchUpUse::caught_up);
                EXPECT_TRUE(stage.player.note(strike.key_index).struck);
            }
            EXPECT_EQ(stage.player.counts().caught_up, 3);
            EXPECT_GT(stage.player.counts().catch_up_energy_J, 0.001);
            EXPECT_EQ(stage.keybed.faults(), 0);
        }
    }
}

TEST(LiveCatchUp, AfterACaughtUpStrikeTheKeyGoesOnAsAfterARealOne) {
    for (const int pedal : {0, 127}) {
        for (const int velocity : {40, 64, 90, 120}) {
            LiveStage jumped, real;
            real.player.set_catch_up(0);
            for (LiveStage* stage : {&jumped, &real}) {
                stage->player.message(0, core::control_change(0, core::kSustainPedal, pedal));
                for (const int note : LiveKeys::kNotes) stage->on(0.1, note, velocity);
                stage->run_to(0.6);
            }
            for (int k = 0; k < 3; ++k) {  // held: the hammer in its check, or on its lever after a soft blow
                EXPECT_NEAR(jumped.keybed.block_of(k).crown_below_string_m(k),
                            real.keybed.block_of(k).crown_below_string_m(k), 1e-3)
                    << "key " << k << " velocity " << velocity;
                const auto tail_N = [k](const LiveStage& stage) {
                    return stage.keybed.block_of(k).output().contact_force_N[kTailBackcheck].lane[k];
                };
                EXPECT_EQ(tail_N(jumped) > 0, tail_N(real) > 0) << "key " << k << " velocity " << velocity;
            }
            for (LiveStage* stage : {&jumped, &real}) {
                for (const int note : LiveKeys::kNotes) stage->off(0.6, note);
                stage->run_to(1.6);
            }
            EXPECT_EQ(jumped.events.strikes.size(), real.events.strikes.size()) << velocity;
            EXPECT_EQ(jumped.events.releases.size(), 3u);
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(jumped.keybed.dip_m(k), real.keybed.dip_m(k), 1e-6) << "key " << k << " at " << velocity;
                EXPECT_NEAR(jumped.keybed.block_of(k).crown_below_string_m(k),
                            real.keybed.block_of(k).crown_below_string_m(k), 10e-6)
                    << "key " << k << " at " << velocity;
            }
        }
    }
}

// Its catch-up states are of the key as it was: they would press the new key's felts together.
TEST(LiveCatchUp, AKeyOfAnotherTouchIsPlayedWithRealTravelUntilItsTablesAreThere) {
    LiveStage stage;
    KeybedTouch touch;
    touch.version = 1;
    for (size_t k = 0; k < 3; ++k) {
        KeyBuild key = LiveKeys::get().keys[k];
        if (k == 1) key.values[grand_row("capstan_y_mm")] += 0.2;
        touch.keys.push_back(key_touch(key, k == 1 ? 7 : 0));
    }
    const auto play = [&](double on_s) {
        stage.on(on_s, LiveKeys::kA0, 70);
        stage.on(on_s, LiveKeys::kA4, 70);
        stage.run_to(on_s + 0.5);
        stage.off(on_s + 0.5, LiveKeys::kA0);
        stage.off(on_s + 0.5, LiveKeys::kA4);
        stage.run_to(on_s + 1.2);
    };
    stage.run_to(0.05);
    stage.keybed.take_touch(touch);
    play(0.1);  // on its way
    EXPECT_EQ(stage.player.note(0).catch_up, CatchUpUse::caught_up);
    EXPECT_EQ(stage.player.note(1).catch_up, CatchUpUse::real_travel);
    play(1.5);  // there, with the old tables
    EXPECT_EQ(stage.player.note(1).catch_up, CatchUpUse::real_travel);
    auto tables = std::make_unique<LiveTables>(LiveKeys::get().tables);
    tables->catch_up_touch = {0, 7, 0};
    stage.swap.publish(std::move(tables));
    play(3.0);
    EXPECT_EQ(stage.player.note(1).catch_up, CatchUpUse::caught_up);
    EXPECT_EQ(stage.events.strikes.size(), 6u);
    EXPECT_EQ(stage.keybed.faults(), 0);
}

TEST(LiveCatchUp, TheRowTurnsCatchUpDownToTheStrokesOwnTravel) {
    constexpr int kVelocity = 60;  // one of the table's
    for (const double percent : {0.0, 50.0}) {
        LiveStage stage;
        stage.player.set_catch_up(percent);
        const double on_s = 0.1 + 0.3 * kTick_s;
        for (const int note : LiveKeys::kNotes) stage.on(on_s, note, kVelocity);
        stage.run_to(0.4);
        ASSERT_EQ(stage.events.strikes.size(), 3u);
        for (const core::Strike& strike : stage.events.strikes) {
            const double travel_s =
                LiveKeys::get().tables.strokes[static_cast<size_t>(strike.key_index)].at(kVelocity, 0).travel_s;
            const double expected_s = (1 - 0.01 * percent) * travel_s;
            EXPECT_NEAR(strike.strike_time_s - on_s, expected_s, percent == 0 ? 2e-3 : 0.1 * travel_s);
            EXPECT_LT(std::abs(speed_error(strike, kVelocity)), percent == 0 ? 0.03 : 0.1) << percent;
        }
        EXPECT_EQ(stage.player.counts().caught_up, percent == 0 ? 0 : 3);
        EXPECT_EQ(stage.player.counts().not_caught_up, 0);
    }
}

TEST(LiveCatchUp, WithoutTablesTheTravelIsRealUntilTheyArePublished) {
    LiveStage stage(LiveKeys::get().keys, LiveTables{LiveKeys::get().tables.strokes, {}, {}});
    play_once(stage, 70, 0.1);
    EXPECT_EQ(stage.player.counts().caught_up, 0);
    EXPECT_EQ(stage.player.counts().strikes, 3);
    EXPECT_GT(stage.events.strikes.front().strike_time_s, 0.13);
    stage.swap.publish(std::make_unique<LiveTables>(LiveKeys::get().tables));
    play_once(stage, 70, stage.keybed.now_s() + 0.1);
    EXPECT_EQ(stage.player.counts().caught_up, 3);
    stage.swap.collect();
    EXPECT_EQ(stage.swap.alive(), 1);
}

}  // namespace
}  // namespace letoff::keyboard
