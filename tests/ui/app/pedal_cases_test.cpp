// The pedal faults that users of such instruments report (field cases 1, 2, 4, 5, 6, 11 and 15), each as its MIDI bytes
// reach the mechanics and as the strings sound then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/midi/input_map.h"
#include "tests/ui/app/live/live_rig.h"
#include "ui/app/offline_sound.h"

namespace letoff::ui {
namespace {

constexpr int kTick_hz = 4000, kRate_hz = 48000, kC4 = 60;

/// 40 keys from A0 up under a player, all strings of the piano on their board: those above have no dampers here and
/// answer a little whatever the pedal does.
constexpr double kDamped_dB = 20;

class PedalCases : public testing::Test {
  protected:
    PedalCases() { keybed_.settle(); }

    void tell(const core::MidiMessage& message) {
        for (const core::MidiMessage& meant : mapper_.map(message)) player_.message(keybed_.now_s(), meant);
    }
    void sustain(int value) { tell(core::control_change(0, core::kSustainPedal, value)); }
    void run(double seconds) {
        for (auto left = std::llround(seconds * kTick_hz); left > 0; --left) {
            player_.before_tick(keybed_);
            keybed_.tick(&sound_, &player_);
        }
    }
    /// Level of the last so many seconds. Everything that was told until now has become sound.
    double level_dB(double seconds) {
        run(1.0 * OfflineSound::kFramesAtOnce * OfflineSound::kBatches / kTick_hz);  // sound comes in batches
        const auto count = static_cast<std::size_t>(seconds * kRate_hz);
        double sum = 1e-20;
        for (auto it = heard_.end() - static_cast<std::ptrdiff_t>(count); it != heard_.end(); ++it)
            sum += double{*it} * *it;
        return 10 * std::log10(sum / static_cast<double>(count));
    }
    /// C4 struck, let go after 0.2 s with the pedal at this value all the while: the level half a second later.
    double level_with_pedal_at(int value) {
        sustain(value);
        run(0.1);
        tell(core::note_on(0, kC4, 80));
        run(0.2);
        tell(core::note_off(0, kC4));
        run(0.5);
        return level_dB(0.05);
    }
    bool all_rest() {
        run(3);
        return keybed_.sleeping_keys() == keybed_.keys() && keybed_.tray_share() == 0;
    }

    core::InputMapper mapper_;

  private:
    test::RigKeys keys_ = test::RigKeys::rough(40);
    std::unique_ptr<core::Executor> executor_ = std::move(core::make_executor("inline", 1).value());
    core::SnapshotSwap<keyboard::LiveTables> tables_{std::make_unique<keyboard::LiveTables>(keys_.tables)};

  protected:
    keyboard::Keybed keybed_{keys_.keys, kTick_hz, *executor_};
    keyboard::LivePlayer player_{tables_, keybed_.keys(), kTick_hz, nullptr};

  private:
    std::vector<float> heard_;
    audio::SoundEngine engine_ = std::move(
        audio::SoundEngine::create(keyboard::piano_strings(), {.ticks_at_once = OfflineSound::kFramesAtOnce}).value());

  protected:
    OfflineSound sound_{engine_, {.tick_hz = kTick_hz}, [this](std::span<const float> left, std::span<const float>) {
                            heard_.insert(heard_.end(), left.begin(), left.end());
                        }};
};

TEST_F(PedalCases, Case1AKeyStruckAgainUnderThePedalKeepsItsRing) {
    sustain(127);
    run(0.1);
    const auto strike = [this] {
        tell(core::note_on(0, kC4, 80));
        run(0.3);
        const double level = level_dB(0.05);
        tell(core::note_off(0, kC4));
        run(0.7);
        return level;
    };
    const double once_dB = strike(), before_dB = level_dB(0.05);
    const double again_dB = strike();
    EXPECT_GT(again_dB, before_dB);
    // The ring of before, some 15 dB softer, may meet the new one in any phase.
    EXPECT_NEAR(again_dB, once_dB, 2);
}

TEST_F(PedalCases, Case2AllNotesOffLeavesWhatThePedalHolds) {
    sustain(127);
    run(0.1);
    tell(core::note_on(0, kC4, 80));
    run(0.3);
    tell(core::control_change(0, core::kAllNotesOff, 0));
    run(0.5);
    const double held_dB = level_dB(0.05);
    EXPECT_GT(held_dB, -60);
    EXPECT_LT(keybed_.dip_m(kC4 - core::kFirstMidiNote), 1e-3) << "the finger has left";
    sustain(0);
    run(0.8);
    EXPECT_LT(level_dB(0.05), held_dB - 30);
}

TEST_F(PedalCases, Case4AFootThatRestsOnThePedalLeavesTheDampersOnTheirStrings) {
    const double damped_dB = level_with_pedal_at(0);
    ASSERT_TRUE(all_rest());
    sustain(127);
    run(0.2);
    EXPECT_NEAR(level_with_pedal_at(12), damped_dB, 3);
    ASSERT_GT(level_with_pedal_at(127), damped_dB + kDamped_dB);
    run(1);
    EXPECT_NEAR(level_with_pedal_at(12), damped_dB, 6);
}

// A pedal that never comes back to 0: its ends are learnt (`letoff keyboard learn` or `set`).
TEST_F(PedalCases, Case5APedalThatSticksAtElevenOrThirtyIsUpWhenItsEndsAreLearnt) {
    core::InputMap map;
    map.sustain = {30, 110};
    mapper_.set(map);
    for (const int value : {0, 8, 11, 30, 40, 110, 127, 30, 127, 11}) {
        sustain(value);
        run(0.05);
    }
    EXPECT_TRUE(all_rest());
    sustain(110);
    run(0.1);
    EXPECT_EQ(keybed_.tray_share(), 1);
}

TEST_F(PedalCases, Case6HowLongANoteRingsGrowsWithEveryStepOfThePedal) {
    double before_dB = -300, first_dB = 0;
    for (const int value : {0, 48, 72, 96, 127}) {
        const double level = level_with_pedal_at(value);
        EXPECT_GT(level, before_dB - 1) << value;  // resonance of the others may differ a little
        if (value == 0) first_dB = level;
        before_dB = level;
        sustain(0);
        run(1);
    }
    EXPECT_GT(before_dB, first_dB + kDamped_dB);
}

TEST_F(PedalCases, Case11APedalJustAfterTheReleaseCatchesWhatIsLeft) {
    const double damped_dB = level_with_pedal_at(0);
    ASSERT_TRUE(all_rest());
    const double held_dB = level_with_pedal_at(127);
    sustain(0);
    ASSERT_TRUE(all_rest());
    tell(core::note_on(0, kC4, 80));
    run(0.2);
    tell(core::note_off(0, kC4));
    // The damper lands some 30 to 40 ms after the finger has left.
    run(0.06);
    sustain(127);
    run(0.44);
    const double caught_dB = level_dB(0.05);
    EXPECT_GT(caught_dB, damped_dB + 6);
    EXPECT_LT(caught_dB, held_dB - 3);
}

TEST_F(PedalCases, Case15PanicEndsNotesAndPedal) {
    sustain(127);
    for (int note = core::kFirstMidiNote; note < core::kFirstMidiNote + keybed_.keys(); ++note) {
        tell(core::note_on(0, note, 90));
    }
    run(0.3);
    const double playing_dB = level_dB(0.05);
    player_.release_all();
    EXPECT_TRUE(all_rest());
    EXPECT_LT(level_dB(0.05), playing_dB - 50);
    EXPECT_TRUE(player_.idle());
}

}  // namespace
}  // namespace letoff::ui
