#include "keyboard/gesture/player.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/midi/velocity.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

constexpr int kTick_hz = 4000;

/// Eight keys from A4 up, numbered 0..7, with tables for their fingers.
class PlayerTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        keys_ = piano_keys(48, core::kLanes);
        for (size_t k = 0; k < keys_.size(); ++k) keys_[k].key_index = static_cast<int>(k);
        const auto executor = std::move(core::make_executor("inline", 1).value());
        tables_ = calibrate_strokes(keys_, kTick_hz, *executor);
    }

    static std::vector<NoteOutcome> play(const core::Performance& performance, bool aimed = true) {
        const auto executor = std::move(core::make_executor("inline", 1).value());
        Keybed keybed(keys_, kTick_hz, *executor);
        keybed.settle();
        Player player(performance, tables_, kTick_hz,
                      aimed ? std::span<const KeyBuild>(keys_) : std::span<const KeyBuild>{}, keybed.now_s());
        while (keybed.now_s() < player.end_s()) {
            player.before_tick(keybed);
            keybed.tick(nullptr, &player);
        }
        EXPECT_TRUE(player.extra_strikes().empty());
        return player.outcomes();
    }

    static std::vector<KeyBuild> keys_;
    static std::vector<StrokeTable> tables_;
};
std::vector<KeyBuild> PlayerTest::keys_;
std::vector<StrokeTable> PlayerTest::tables_;

core::PerformedNote note(int key, double on_s, double off_s, int velocity) {
    core::PerformedNote n;
    n.key_index = key;
    n.on_time_s = on_s;
    n.off_time_s = off_s;
    n.velocity = velocity;
    return n;
}

/// Ten notes from very soft to very loud at times that lie on no tick; the keys that are played twice have rested.
core::Performance ten_notes() {
    core::Performance performance;
    constexpr std::array<int, 10> kVelocity{8, 20, 33, 46, 59, 72, 85, 98, 111, 124};
    for (int i = 0; i < 10; ++i) {
        const double on_s = 0.1 + 0.2001234 * i;
        performance.notes.push_back(note(i % 8, on_s, on_s + 0.25, kVelocity[static_cast<size_t>(i)]));
    }
    performance.end_s = 2.6;
    return performance;
}

/// Up and down evenly, as a controller sends it every 5 ms; `phase` in periods.
std::vector<core::PedalMove> pumped_pedal(double period_s, double phase) {
    std::vector<core::PedalMove> moves;
    for (int i = 0; i < 500; ++i) {
        const double time_s = 0.005 * i;
        moves.push_back({time_s, 0.5 - 0.5 * std::cos(2 * core::kPi * (time_s / period_s + phase))});
    }
    return moves;
}

void expect_on_time(const std::vector<NoteOutcome>& outcomes, const char* pedal) {
    ASSERT_EQ(outcomes.size(), 10u);
    for (const NoteOutcome& outcome : outcomes) {
        EXPECT_TRUE(outcome.struck) << pedal << " " << outcome.note_velocity;
        EXPECT_FALSE(outcome.repetition) << pedal << " " << outcome.note_velocity;
        EXPECT_EQ(outcome.extra_strikes, 0) << pedal << " " << outcome.note_velocity;
        EXPECT_EQ(outcome.note_shortened_ms, 0) << pedal << " " << outcome.note_velocity;
        EXPECT_NEAR(outcome.strike.strike_time_s, outcome.note_time_s, 0.25e-3)
            << pedal << " " << outcome.note_velocity;
        const double wanted = core::speed_mps_of_midi_velocity(outcome.note_velocity);
        EXPECT_NEAR(outcome.strike.hammer_speed_mps, wanted, (outcome.note_velocity <= 116 ? 0.01 : 0.03) * wanted)
            << pedal << " " << outcome.note_velocity;
    }
}

TEST_F(PlayerTest, RestedNotesStrikeOnTimeAtTheirSpeedWhateverThePedalDoes) {
    core::Performance performance = ten_notes();
    expect_on_time(play(performance), "no pedal");
    performance.sustain = {{0.0, 0.5}};
    expect_on_time(play(performance), "half");
    performance.sustain = {{0.0, 1.0}};
    expect_on_time(play(performance), "down");
    performance.sustain = pumped_pedal(1.0, 0);
    expect_on_time(play(performance), "moving");
}

// As required of ordinary notes: 99 in a hundred, also while the foot pumps as fast as a foot can.
TEST_F(PlayerTest, NinetyNineInAHundredAreOnTimeUnderAQuicklyPumpedPedal) {
    int notes = 0, on_time = 0;
    for (const double period_s : {0.3, 0.45, 0.6}) {
        for (int eighth = 0; eighth < 8; ++eighth) {
            core::Performance performance = ten_notes();
            performance.sustain = pumped_pedal(period_s, eighth / 8.0);
            for (const NoteOutcome& outcome : play(performance)) {
                ++notes;
                on_time += outcome.struck && std::abs(outcome.strike.strike_time_s - outcome.note_time_s) <= 0.25e-3;
            }
        }
    }
    EXPECT_EQ(notes, 240);
    EXPECT_GE(on_time, 238);
}

TEST_F(PlayerTest, ARepetitionTooFastIsSaidToBeOneAndShortensTheNoteBefore) {
    core::Performance performance;
    performance.notes = {note(0, 0.1, 0.4, 70), note(0, 0.42, 0.8, 70), note(3, 0.1, 0.4, 70), note(3, 1.0, 1.2, 70)};
    performance.end_s = 1.2;
    const std::vector<NoteOutcome> outcomes = play(performance);
    ASSERT_EQ(outcomes.size(), 4u);
    EXPECT_TRUE(outcomes[0].struck);
    EXPECT_FALSE(outcomes[0].repetition);
    EXPECT_TRUE(outcomes[1].repetition);
    EXPECT_TRUE(outcomes[1].struck);
    // The key needs about 30 ms to come up half way and 40 ms for the stroke; it had 20.
    EXPECT_GT(outcomes[0].note_shortened_ms, 20);
    EXPECT_LT(outcomes[0].note_shortened_ms, 100);
    EXPECT_EQ(outcomes[1].note_shortened_ms, 0);
    // Enough time: nothing is taken from the note before.
    EXPECT_FALSE(outcomes[3].repetition);
    EXPECT_EQ(outcomes[2].note_shortened_ms, 0);
    EXPECT_NEAR(outcomes[3].strike.strike_time_s, 1.0, 0.25e-3);
}

TEST_F(PlayerTest, WithoutAimingTheTablesAloneAreWithinTwoMilliseconds) {
    for (const NoteOutcome& outcome : play(ten_notes(), false)) {
        EXPECT_TRUE(outcome.struck) << outcome.note_velocity;
        EXPECT_NEAR(outcome.strike.strike_time_s, outcome.note_time_s, 2e-3) << outcome.note_velocity;
    }
}

TEST(SilentPress, APressTooSlowToThrowTheHammerLiftsTheDamperAndIsSilent) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    Keybed keybed(piano_keys(48, 1), kTick_hz, *executor);
    keybed.settle();
    KeptEvents events;
    const auto run = [&](double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * kTick_hz); ++i) keybed.tick(&events, &events);
    };
    run(0.1);
    EXPECT_GT(keybed.block_of(0).damper_compression_m(0), 1e-5);
    keybed.press(0, keybed.now_s(), 0.05);  // 10 mm in 0.64 s
    run(1.0);
    EXPECT_TRUE(events.strikes.empty());
    EXPECT_EQ(keybed.block_of(0).damper_compression_m(0), 0);
    EXPECT_GT(keybed.dip_m(0), 0.009);
    EXPECT_EQ(keybed.block_of(0).string_energy_J(0), 0);
    EXPECT_EQ(events.bottoms.size(), 1u);
    keybed.lift(0, keybed.now_s(), 0.2);
    run(0.5);
    EXPECT_TRUE(events.strikes.empty());
    EXPECT_EQ(events.releases.size(), 1u);
    EXPECT_GT(keybed.block_of(0).damper_compression_m(0), 1e-5);
}

}  // namespace
}  // namespace letoff::keyboard
