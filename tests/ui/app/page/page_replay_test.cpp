#include "ui/app/page/page_replay.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/midi/message.h"
#include "core/rt/monotonic_clock.h"

namespace letoff::ui {
namespace {

/// One note of ten seconds.
storage::Recording recording_of(int midi_note) {
    storage::Recording recording;
    recording.events.push_back(
        {.time_s = 3, .kind = core::TakeKind::message, .message = core::note_on(0, midi_note, 80)});
    recording.events.push_back(
        {.time_s = 13, .kind = core::TakeKind::message, .message = core::note_off(0, midi_note)});
    return recording;
}

// A note that the port was given ahead would begin after all fingers have left, and nothing would end it.
TEST(PageReplay, AnotherRecordingOrAStopTakesBackWhatWasGivenAhead) {
    core::MonotonicClock clock{4000};
    PagePort port(clock);
    PageReplay replay(port);
    core::ArrivedMessage message;
    for (const bool by_another : {true, false}) {
        ASSERT_TRUE(replay.start("first", recording_of(60)));
        (void)port.take_release_all();
        std::this_thread::sleep_for(std::chrono::milliseconds(200));  // its first note is due in less than 150 ms
        replay.poll();
        ASSERT_TRUE(by_another ? replay.start("second", recording_of(62)) : replay.stop());
        EXPECT_TRUE(port.take_release_all());
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        EXPECT_FALSE(port.take_again(message)) << "note " << message.message.data1;
        EXPECT_EQ(replay.name(), by_another ? "second" : "");
    }
    EXPECT_FALSE(replay.stop());
}

TEST(PageReplay, BeginsWithItsFirstNoteHoweverLateThatCame) {
    core::MonotonicClock clock{4000};
    PagePort port(clock);
    PageReplay replay(port);
    EXPECT_FALSE(replay.start("empty", {})) << "nothing is played";
    ASSERT_TRUE(replay.start("late", recording_of(60)));
    EXPECT_DOUBLE_EQ(replay.length_s(), 10);
    EXPECT_EQ(replay.played_s(), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(310));
    replay.poll();
    core::ArrivedMessage message;
    ASSERT_TRUE(port.take_again(message));
    EXPECT_EQ(message.message, core::note_on(0, 60, 80));
    EXPECT_FALSE(port.take_again(message));
}

}  // namespace
}  // namespace letoff::ui
