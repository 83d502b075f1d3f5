#include "core/midi/performance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace letoff::core;

namespace {

using Messages = std::vector<TimedMidiMessage>;

Performance performed(const Messages& messages, double end_s = 0) {
    return performance_of(messages, end_s);
}

}  // namespace

TEST(Performance, PairsOnAndOff) {
    const Performance p = performed({{0.5, note_on(0, 60, 70)}, {1.5, note_off(0, 60, 33)}});
    ASSERT_EQ(p.notes.size(), 1u);
    EXPECT_EQ(p.notes[0].key_index, 39);
    EXPECT_EQ(p.notes[0].on_time_s, 0.5);
    EXPECT_EQ(p.notes[0].off_time_s, 1.5);
    EXPECT_EQ(p.notes[0].velocity, 70);
    EXPECT_EQ(p.notes[0].release_velocity, 33);
    EXPECT_EQ(p.notes[0].midi_velocity(), 70.0);
    EXPECT_EQ(p.end_s, 1.5);
}

TEST(Performance, ASecondOnEndsTheFirstNoteAndOneOffIsEnough) {
    const Performance p = performed({{0, note_on(0, 60, 70)}, {1, note_on(0, 60, 80)}, {2, note_off(0, 60)}}, 50);
    ASSERT_EQ(p.notes.size(), 2u);
    EXPECT_EQ(p.notes[0].off_time_s, 1);
    EXPECT_EQ(p.notes[1].off_time_s, 2);
    EXPECT_EQ(p.notes_restruck, 1u);
    EXPECT_EQ(p.notes_never_ended, 0u);
}

TEST(Performance, TwoVoicesOnOneKeyHoldItUntilTheLastLetsGo) {
    const Performance p = performed(
        {{0, note_on(0, 60, 70)}, {1, note_on(1, 60, 80)}, {2, note_off(1, 60, 10)}, {4, note_off(0, 60, 20)}});
    ASSERT_EQ(p.notes.size(), 2u);
    EXPECT_EQ(p.notes[0].off_time_s, 1);
    EXPECT_EQ(p.notes[1].off_time_s, 4);
    EXPECT_EQ(p.notes[1].release_velocity, 20);
    EXPECT_EQ(p.stray_note_offs, 0u);
}

TEST(Performance, AnOffOfTheEarlierNoteAtTheSameMomentDoesNotKillTheNewOne) {
    const Performance p =
        performed({{0, note_on(0, 60, 70)}, {1, note_on(1, 60, 80)}, {1, note_off(0, 60)}, {3, note_off(1, 60)}});
    ASSERT_EQ(p.notes.size(), 2u);
    EXPECT_EQ(p.notes[0].off_time_s, 1);
    EXPECT_EQ(p.notes[1].off_time_s, 3);
}

TEST(Performance, AMissingOffDoesNotStretchLaterNotes) {
    const Performance p = performed({{0, note_on(0, 60, 1)},
                                     {1, note_on(0, 60, 2)},
                                     {2, note_off(0, 60)},
                                     {3, note_on(0, 60, 3)},
                                     {4, note_off(0, 60)},
                                     {100, control_change(0, kAllNotesOff, 0)}});
    ASSERT_EQ(p.notes.size(), 3u);
    EXPECT_EQ(p.notes[1].off_time_s, 2);
    EXPECT_EQ(p.notes[2].off_time_s, 4);
}

TEST(Performance, NotesThatNeverEndEndWithThePieceOrAfterTheCap) {
    const Performance within = performed({{1, note_on(0, 60, 70)}}, 11);
    EXPECT_EQ(within.notes[0].off_time_s, 11);
    EXPECT_EQ(within.notes_never_ended, 1u);
    const Performance capped = performed({{1, note_on(0, 60, 70)}}, 80000);
    EXPECT_EQ(capped.notes[0].off_time_s, 61);
    EXPECT_EQ(capped.end_s, 61);
}

TEST(Performance, AllNotesOffEndsItsOwnChannelOnly) {
    const Performance p = performed(
        {{0, note_on(0, 60, 70)}, {0, note_on(1, 62, 70)}, {1, control_change(0, 123, 0)}, {2, note_off(1, 62)}});
    EXPECT_EQ(p.notes[0].off_time_s, 1);
    EXPECT_EQ(p.notes[1].off_time_s, 2);
}

TEST(Performance, CountsWhatAPianoCannotPlay) {
    const Performance p = performed({{0, note_on(0, 20, 70)},
                                     {0, note_on(0, 21, 70)},
                                     {0, note_on(0, 108, 70)},
                                     {0, note_on(0, 109, 70)},
                                     {0, note_on(9, 50, 70)},
                                     {1, note_off(0, 20)},
                                     {1, note_off(0, 77)}},
                                    2);
    EXPECT_EQ(p.notes_outside_keys, 2u);
    ASSERT_EQ(p.notes.size(), 3u);
    EXPECT_EQ(p.notes[0].key_index, 0);
    EXPECT_EQ(p.notes[1].key_index, 87);
    EXPECT_EQ(p.notes_percussion, 1u);
    EXPECT_EQ(p.stray_note_offs, 1u);
}

TEST(Performance, ChannelMaskLeavesChannelsOut) {
    const Messages messages{{0, note_on(0, 60, 70)}, {0, note_on(9, 62, 70)}};
    EXPECT_EQ(performance_of(messages, 1, {.channel_mask = 0xFFFF & ~(1U << 9)}).notes.size(), 1u);
}

TEST(Performance, PedalsAreContinuousAndKeepEveryMove) {
    Messages messages;
    for (int i = 0; i <= 127; ++i) messages.push_back({i * 0.01, control_change(0, kSustainPedal, i)});
    messages.push_back({2, control_change(0, kSostenutoPedal, 127)});
    messages.push_back({3, control_change(0, kSoftPedal, 64)});
    const Performance p = performed(messages);
    ASSERT_EQ(p.sustain.size(), 128u);
    EXPECT_EQ(p.sustain[64].position, 64 / 127.0);
    EXPECT_EQ(p.sustain.back().position, 1.0);
    ASSERT_EQ(p.sostenuto.size(), 1u);
    ASSERT_EQ(p.soft.size(), 1u);
    EXPECT_EQ(p.soft[0].time_s, 3);
}

TEST(Performance, TheDeepestPedalOfAllChannelsCounts) {
    const Performance p =
        performed({{0, control_change(0, 64, 100)}, {1, control_change(1, 64, 0)}, {2, control_change(0, 64, 0)}});
    ASSERT_EQ(p.sustain.size(), 3u);
    EXPECT_EQ(p.sustain[1].position, 100 / 127.0);
    EXPECT_EQ(p.sustain[2].position, 0);
}

TEST(Performance, ResetAllControllersLiftsThePedal) {
    const Performance p = performed({{0, control_change(0, 64, 100)}, {1, control_change(0, kResetAllControllers, 0)}});
    ASSERT_EQ(p.sustain.size(), 2u);
    EXPECT_EQ(p.sustain[1].position, 0);
    EXPECT_TRUE(p.soft.empty());
}

TEST(Performance, LastOfTwentyThousandPedalEventsIsApplied) {
    Messages messages;
    for (int i = 0; i < 20000; ++i) messages.push_back({i * 0.001, control_change(0, 64, i % 128)});
    messages.push_back({20, control_change(0, 64, 5)});
    const Performance p = performed(messages);
    ASSERT_EQ(p.sustain.size(), 20001u);
    EXPECT_EQ(p.sustain.back().position, 5 / 127.0);
}

TEST(Performance, SurvivesTheWayThroughMessages) {
    Performance p;
    // a repeat without any gap, a note of no length struck again at once, 14 bits on both ends, half pedal
    p.notes = {{39, 0, 1, 70, std::nullopt, 30, std::nullopt},
               {39, 1, 1, 57, 7419, 64, std::nullopt},
               {39, 1, 2, 80, std::nullopt, 20, 20 * 128 + 5},
               {40, 1, 1, 60, std::nullopt, 64, std::nullopt}};
    p.sustain = {{1, 0.5}, {1, 1.0}};
    const Performance back = performed(messages_of(p));
    ASSERT_EQ(back.notes.size(), p.notes.size());
    for (std::size_t i = 0; i < p.notes.size(); ++i) {
        EXPECT_EQ(back.notes[i].key_index, p.notes[i].key_index);
        EXPECT_EQ(back.notes[i].on_time_s, p.notes[i].on_time_s);
        EXPECT_EQ(back.notes[i].off_time_s, p.notes[i].off_time_s);
        EXPECT_EQ(back.notes[i].velocity, p.notes[i].velocity);
        EXPECT_EQ(back.notes[i].velocity_14bit, p.notes[i].velocity_14bit);
    }
    EXPECT_EQ(back.notes[2].release_velocity_14bit, 2565);
    EXPECT_NEAR(back.notes[1].midi_velocity(), 57.9609, 1e-4);
    ASSERT_EQ(back.sustain.size(), 2u);
    EXPECT_NEAR(back.sustain[0].position, 0.5, 0.5 / 127);
    EXPECT_EQ(back.sustain[1].position, 1.0);
}

TEST(RestStatistics, MeasuresTheTimeAKeyIsUp) {
    Performance p;
    p.notes = {{10, 0, 1}, {11, 0.5, 0.9}, {10, 1.1, 2}, {10, 2.25, 3}, {11, 1.0, 2}};
    std::sort(p.notes.begin(), p.notes.end(), [](auto& a, auto& b) { return a.on_time_s < b.on_time_s; });
    const RestStatistics rest = rest_statistics(p, 0.25);
    EXPECT_NEAR(rest.smallest_gap_s, 0.1, 1e-12);
    EXPECT_EQ(rest.rested_notes, 3u);  // both first notes, and the one exactly 0.25 s after its key's release
    EXPECT_TRUE(std::isinf(rest_statistics({}, 0.25).smallest_gap_s));
}
