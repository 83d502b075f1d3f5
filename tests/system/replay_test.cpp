// A recording of which only the begin was kept, as when the program was killed, replays as far as it goes.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "core/midi/message.h"
#include "storage/profile_json.h"
#include "tests/system/run_program.h"
#include "ui/app/recording/play_again.h"
#include "ui/app/recording/take_run.h"

namespace letoff::test {
namespace {

using core::TakeKind;

ui::InstrumentSetting setting() {
    ui::InstrumentSetting made;
    made.cache_file = kept_tables();
    return made;
}

TEST(Replay, ARecordingCutBehindItsLastStrikeOrReleaseHasItToo) {
    const auto played = ui::Instrument::create(setting());
    ASSERT_TRUE(played.ok()) << played.error();
    storage::Recording recording;
    recording.head.name = "cut";
    recording.head.begin_s = played.value()->keybed().now_s();
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    tap.switch_on();
    const auto drain = [&] {
        for (core::TakeEvent event; tap.pop(event);) recording.events.push_back(event);
    };
    const std::vector<core::TimedMidiMessage> piece = {
        {0.1, core::note_on(0, 60, 90)}, {0.2, core::note_on(0, 69, 40)}, {0.5, core::note_off(0, 60)}};
    ui::take_in(*played.value(), piece, 0.8, tap, drain);
    const std::vector<core::TakeEvent> whole = recording.events;
    for (const TakeKind last : {TakeKind::strike, TakeKind::release}) {
        recording.events = whole;
        while (!recording.events.empty() && recording.events.back().kind != last) recording.events.pop_back();
        ASSERT_FALSE(recording.events.empty());
        const auto again = ui::Instrument::create(setting());
        ASSERT_TRUE(again.ok()) << again.error();
        const auto report = ui::replay(*again.value(), recording, {});
        ASSERT_TRUE(report.ok()) << report.error();
        EXPECT_EQ(report.value().strikes, 2);
        EXPECT_EQ(report.value().same_strikes, 2);
        EXPECT_TRUE(report.value().same());
        EXPECT_EQ(again.value()->keybed().now_ticks(), recording.events.back().tick + 1);
    }
}

TEST(Replay, WhatIsTooLongForAWavFileIsSaidBeforeItIsPlayed) {
    storage::Profile profile;
    profile.name = "Mine";
    profile.action = "grand";
    storage::Recording recording;
    recording.head.profile_json = storage::profile_json(profile);
    recording.events.emplace_back().tick = std::int64_t{5} * 3600 * recording.head.tick_hz;
    const TempDir dir;
    const auto again = ui::play_again(recording, setting(), dir.path() / "long.wav", {});
    ASSERT_FALSE(again.ok());
    EXPECT_NE(again.error().find("longer than the 4 GiB that a WAV file holds"), std::string::npos) << again.error();
    EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace letoff::test
