#include "keyboard/gesture/live_player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/keyboard/gesture/live_keys.h"

namespace letoff::keyboard {
namespace {

// 20 ms until the hammer is caught, then the key comes up to where its damper falls in 15 ms at the least.
constexpr double kCaughtAndUp_s = 0.035;

TEST(LivePlayer, EightNotesASecondOnOneKeyAndATrillStrikeEachTime) {
    for (const int velocity : {40, 64, 90, 115}) {
        LiveStage repeated;
        for (int i = 0; i < 12; ++i) {
            for (const int note : LiveKeys::kNotes) repeated.on(0.1 + 0.125 * i, note, velocity);
            for (const int note : LiveKeys::kNotes) repeated.off(0.1 + 0.125 * (i + 0.5), note);
        }
        repeated.run_to(2.0);
        EXPECT_EQ(repeated.player.counts().strikes, 36) << velocity;
        EXPECT_EQ(repeated.player.counts().silent, 0) << velocity;

        LiveStage trill;
        for (int i = 0; i < 20; ++i) {  // 14 notes a second, seven a key
            const double on_s = 0.1 + i / 14.0;
            const int note = i % 2 == 0 ? LiveKeys::kA0 : LiveKeys::kA4;
            if (i > 0) trill.off(on_s, i % 2 == 0 ? LiveKeys::kA4 : LiveKeys::kA0);
            trill.on(on_s, note, velocity);
        }
        trill.run_to(2.2);
        EXPECT_EQ(trill.player.counts().strikes, 20) << velocity;
        EXPECT_EQ(trill.player.counts().caught_up, 20) << velocity;
        for (const core::Strike& strike : trill.events.strikes)
            EXPECT_LT(std::abs(speed_error(strike, velocity)), 0.02) << velocity;
    }
}

TEST(LivePlayer, ANoteOnAHeldKeyOrOneInItsCheckStrikesAgainWithRealTravel) {
    for (const int velocity : {64, 100}) {
        for (const bool held : {true, false}) {
            LiveStage stage;
            for (const int note : LiveKeys::kNotes) stage.on(0.1, note, velocity);
            if (!held) {
                for (const int note : LiveKeys::kNotes) stage.off(0.4, note);
            }
            for (const int note : LiveKeys::kNotes) stage.on(0.402, note, velocity);
            stage.run_to(0.9);
            EXPECT_EQ(stage.player.counts().caught_up, 3);
            EXPECT_EQ(stage.player.counts().not_caught_up, 3);
            EXPECT_EQ(stage.player.counts().strikes, 6) << velocity << (held ? " held" : " leaving");
            for (int k = 0; k < 3; ++k) {
                EXPECT_EQ(stage.player.note(k).catch_up, CatchUpUse::not_caught_up);
                EXPECT_TRUE(stage.player.note(k).struck) << "key " << k;
                EXPECT_GT(stage.keybed.dip_m(k), 0.008) << "held by the second note";
            }
        }
    }
}

TEST(LivePlayer, AKeyIsLetGoWhenNoChannelOwesAnOff) {
    LiveStage stage;
    stage.on(0.1, LiveKeys::kA4, 70, 0);
    stage.on(0.104, LiveKeys::kA4, 90, 5);  // of the same moment: one finger
    stage.on(0.3, LiveKeys::kA0, 70, 0);
    stage.off(0.3, LiveKeys::kC8, 0);  // nobody's
    stage.off(0.4, LiveKeys::kA4, 0);
    stage.off(0.4, LiveKeys::kA0, 5);  // nobody's: channel 5 has not played it
    stage.run_to(0.7);
    EXPECT_EQ(stage.player.counts().strikes, 2);
    EXPECT_EQ(stage.player.counts().merged, 1);
    EXPECT_EQ(stage.player.counts().stray_note_offs, 2);
    EXPECT_GT(stage.keybed.dip_m(1), 0.008);
    EXPECT_GT(stage.keybed.dip_m(0), 0.008);
    stage.off(0.7, LiveKeys::kA4, 5);
    stage.player.message(0.7, core::control_change(0, core::kAllNotesOff, 0));
    stage.run_to(1.2);
    EXPECT_LT(stage.keybed.dip_m(1), 0.001);
    EXPECT_LT(stage.keybed.dip_m(0), 0.001);
    EXPECT_EQ(stage.events.releases.size(), 2u);
    EXPECT_TRUE(stage.player.idle());
}

TEST(LivePlayer, AnOffRightAfterItsOnStillLetsTheNoteSound) {
    for (const double percent : {0.0, 100.0}) {
        LiveStage stage;
        stage.player.set_catch_up(percent);
        for (const int note : LiveKeys::kNotes) stage.on(0.1, note, 64);
        for (const int note : LiveKeys::kNotes) stage.off(0.1001, note);
        stage.run_to(0.8);
        EXPECT_EQ(stage.events.strikes.size(), 3u) << percent;
        EXPECT_EQ(stage.events.releases.size(), 3u) << percent;
        for (const core::Strike& strike : stage.events.strikes) {  // no finger left before its hammer could be caught
            for (const core::Release& release : stage.events.releases) {
                if (release.key_index != strike.key_index) continue;
                EXPECT_GT(release.time_s, strike.strike_time_s + kCaughtAndUp_s) << percent;
            }
        }
        for (int k = 0; k < 3; ++k) EXPECT_LT(stage.keybed.dip_m(k), 0.001);
    }
}

TEST(LivePlayer, ReleaseAllLetsGoOfEverythingAndForgetsWhatWaits) {
    LiveStage stage;
    stage.player.message(0.05, core::control_change(3, core::kSustainPedal, 127));
    for (const int note : LiveKeys::kNotes) stage.on(0.1, note, 80, 3);
    stage.on(0.5, LiveKeys::kA4, 80);
    stage.run_to(0.3);
    EXPECT_NEAR(stage.keybed.tray_share(), 1.0, 1e-9);
    EXPECT_EQ(stage.player.counts().strikes, 3);
    stage.player.release_all();
    stage.run_to(1.0);
    EXPECT_EQ(stage.keybed.tray_share(), 0);
    EXPECT_EQ(stage.player.counts().strikes, 3);
    for (int k = 0; k < 3; ++k) EXPECT_LT(stage.keybed.dip_m(k), 0.001);
    EXPECT_GT(stage.keybed.block_of(0).damper_compression_m(0), 1e-5);
    stage.off(1.0, LiveKeys::kA4, 3);
    play_once(stage, 64, 1.1);
    EXPECT_EQ(stage.player.counts().strikes, 6);
    EXPECT_EQ(stage.player.counts().stray_note_offs, 1);
}

core::MidiMessage pressure(int note, int value) {
    return {core::MidiKind::poly_pressure, 0, core::midi_data(note), core::midi_data(value)};
}

TEST(LivePlayer, AKeyThatGoesDownWithoutANoteIsPressedSilently) {
    LiveStage stage;
    const auto at = [&](double time_s, int value) {
        for (const int note : LiveKeys::kNotes) stage.player.message(time_s, pressure(note, value));
    };
    for (int i = 0; i <= 20; ++i) at(0.1 + 0.02 * i, 6 * i);
    stage.run_to(1.8);
    EXPECT_TRUE(stage.events.strikes.empty());
    for (int k = 0; k < 2; ++k) {  // C8 has no damper
        EXPECT_GT(stage.keybed.dip_m(k), 0.008) << k;
        EXPECT_EQ(stage.keybed.block_of(k).damper_compression_m(stage.keybed.lane_of(k)), 0) << k;
    }
    EXPECT_EQ(stage.player.counts().notes, 0);
    at(1.8, 60);  // not up yet
    stage.run_to(2.2);
    EXPECT_GT(stage.keybed.dip_m(0), 0.008);
    at(2.2, 30);
    stage.run_to(3.0);
    EXPECT_LT(stage.keybed.dip_m(0), 0.0005);
    EXPECT_GT(stage.keybed.block_of(0).damper_compression_m(stage.keybed.lane_of(0)), 0);
    EXPECT_TRUE(stage.player.idle());
}

// What such a device sends in a stroke that sounds changes nothing of it.
TEST(LivePlayer, AStrokeWithPositionsIsThatWithout) {
    for (const int velocity : {30, 100}) {
        LiveStage with, without;
        for (int i = 0; i <= 8; ++i)
            with.player.message(0.1 + 0.008 * i, pressure(LiveKeys::kA4, std::min(127, 16 * i)));
        for (LiveStage* stage : {&with, &without}) stage->on(0.17, LiveKeys::kA4, velocity);
        for (int i = 0; i < 8; ++i) with.player.message(0.2 + 0.01 * i, pressure(LiveKeys::kA4, 120 - i));
        for (LiveStage* stage : {&with, &without}) stage->off(0.6, LiveKeys::kA4);
        with.player.message(0.61, pressure(LiveKeys::kA4, 10));
        for (LiveStage* stage : {&with, &without}) stage->run_to(1.5);
        ASSERT_EQ(with.events.strikes.size(), 1u);
        EXPECT_EQ(with.events.strikes[0].strike_time_s, without.events.strikes[0].strike_time_s);
        EXPECT_EQ(with.keybed.state_hash(), without.keybed.state_hash());
    }
}

TEST(LivePlayer, ControllerEightyEightMakesTheVelocityFiner) {
    LiveStage stage;
    for (const core::MidiMessage& message : core::note_on_14bit(0, LiveKeys::kA4, 60 * 128 + 96))
        stage.player.message(0.1, message);
    stage.on(0.1, LiveKeys::kA0, 60);
    stage.run_to(0.2);
    ASSERT_EQ(stage.events.strikes.size(), 2u);
    EXPECT_EQ(stage.player.note(1).midi_velocity, 60.75);
    EXPECT_EQ(stage.player.note(0).midi_velocity, 60);
    const core::Strike& a4 = stage.events.strikes[stage.events.strikes[0].key_index == 1 ? 0 : 1];
    EXPECT_LT(std::abs(speed_error(a4, 60.75)), 0.01);  // 0.75 is 2.5 % of speed
}

TEST(LivePlayer, AKeyWhoseMotorIsEnabledIsNotMovedAtOnce) {
    LiveStage stage;
    stage.player.set_motor_enabled(1, true);
    for (const int note : LiveKeys::kNotes) stage.on(0.1, note, 80);
    stage.run_to(0.3);
    EXPECT_EQ(stage.player.counts().caught_up, 2);
    EXPECT_EQ(stage.player.note(1).catch_up, CatchUpUse::real_travel);
    EXPECT_EQ(stage.player.counts().strikes, 3);
}

TEST(LivePlayer, AFullQueueLetsEverythingGo) {
    LiveStage stage;
    stage.on(0.1, LiveKeys::kA4, 80);
    stage.run_to(0.3);
    for (size_t i = 0; i <= LivePlayer::kMostMessages; ++i) stage.off(0.3, LiveKeys::kA0);
    stage.run_to(0.8);
    EXPECT_EQ(stage.player.counts().messages_dropped, static_cast<std::int64_t>(LivePlayer::kMostMessages));
    EXPECT_LT(stage.keybed.dip_m(1), 0.001);
}

// Three seconds of 200 notes a second on all 88 keys, at random, each held for 80 ms: every note that found its key at
// rest or falling strikes with it, the others as far as the mechanics allow.
TEST(LivePlayerLong, TwoHundredNotesASecondAllStrikeWhereTheirKeyWasAtRest) {
    const std::vector<KeyBuild> keys = piano_keys();
    const LiveTables tables = LiveKeys::quick_tables(keys);
    LiveStage stage(keys, tables);
    std::mt19937 random(7);
    constexpr int kPerSecond = 200, kCount = 600;
    constexpr double kHeld_s = 0.080;
    std::vector<int> notes, velocities;
    for (int i = 0; i < kCount; ++i) {
        notes.push_back(core::kFirstMidiNote + static_cast<int>(random() % core::kKeyCount));
        velocities.push_back(20 + static_cast<int>(random() % 100));
    }
    constexpr int kOffAfter = static_cast<int>(kHeld_s * kPerSecond);
    for (int i = 0; i < kCount + kOffAfter; ++i) {
        const double time_s = 0.1 + i / static_cast<double>(kPerSecond);
        if (i >= kOffAfter) stage.off(time_s, notes[static_cast<size_t>(i - kOffAfter)]);
        if (i < kCount) stage.on(time_s, notes[static_cast<size_t>(i)], velocities[static_cast<size_t>(i)]);
    }
    stage.run_to(4.0);
    const LiveCounts& counts = stage.player.counts();
    EXPECT_EQ(counts.notes + counts.merged, kCount);
    EXPECT_EQ(counts.caught_up + counts.not_caught_up, counts.notes);
    EXPECT_GT(counts.caught_up, kCount * 3 / 4);
    EXPECT_EQ(counts.strikes + counts.superseded + counts.silent, counts.notes);
    // A key asked to repeat before it had come up: 200 notes a second on 88 keys do that to a fifth of them.
    EXPECT_EQ(counts.caught_up_strikes, counts.caught_up);
    EXPECT_LT(counts.superseded + counts.silent, counts.not_caught_up / 5);
    EXPECT_EQ(stage.keybed.faults(), 0);
    EXPECT_TRUE(stage.player.idle());
    RecordProperty("caught_up", static_cast<int>(counts.caught_up));
    RecordProperty("superseded", static_cast<int>(counts.superseded));
    RecordProperty("not_converged", static_cast<int>(stage.keybed.not_converged()));
}

}  // namespace
}  // namespace letoff::keyboard
