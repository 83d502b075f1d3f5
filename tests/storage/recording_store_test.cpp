#include "storage/recording_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/event/take_tap.h"
#include "core/versions.h"
#include "storage/recording_events.h"
#include "storage/recording_schema.h"
#include "tests/storage/recording_examples.h"

namespace letoff::storage {
namespace {

using core::TakeEvent;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

using RecordingStoreTest = RecordingFolder;

TEST_F(RecordingStoreTest, KeepsEveryBitBetweenRuns) {
    {
        RecordingStore store = opened();
        const auto id = store.begin(head_named("Evening"));
        ASSERT_TRUE(id.ok()) << id.error();
        ASSERT_TRUE(store.append(id.value(), some_events(2000)).ok());
        ASSERT_TRUE(store.append(id.value(), {}).ok());
        ASSERT_TRUE(store.append(id.value(), some_events(6000)).ok());
        ASSERT_TRUE(store.add_touch(id.value(), {7, "{}"}).ok());
        ASSERT_TRUE(store.end(id.value(), 0).ok());
    }
    RecordingStore store = opened();
    const auto recording = store.load("EVENING");
    ASSERT_TRUE(recording.ok()) << recording.error();
    const RecordingHead expected = head_named("Evening");
    const RecordingHead& head = recording.value().head;
    EXPECT_EQ(head.name, "Evening");
    EXPECT_EQ(head.build, expected.build);
    EXPECT_EQ(head.profile_name, expected.profile_name);
    EXPECT_EQ(head.profile_revision, 3);
    EXPECT_EQ(head.profile_json, expected.profile_json);
    EXPECT_EQ(head.strings, expected.strings);
    EXPECT_TRUE(std::signbit(head.strings[1]));
    EXPECT_EQ(head.tick_hz, 4000);
    EXPECT_EQ(head.begin_s, 0.5);
    EXPECT_EQ(head.created_unix_s, 1'700'000'000);
    std::vector<TakeEvent> events = some_events(2000);
    for (const TakeEvent& event : some_events(6000)) events.push_back(event);
    EXPECT_EQ(recording.value().events, events);
    ASSERT_EQ(recording.value().touches.size(), 1u);
    EXPECT_EQ(recording.value().touches[0].version, 7u);

    const auto list = store.list();
    ASSERT_EQ(list.value().size(), 1u);
    const RecordingInfo& info = list.value()[0];
    EXPECT_EQ(info.events, 6);
    EXPECT_EQ(info.strikes, 2);
    EXPECT_TRUE(info.ended);
    EXPECT_DOUBLE_EQ(info.length_s, 6001 / 4000.0 - 0.5);
}

TEST_F(RecordingStoreTest, NamesAreUniqueCheckedAndTold) {
    RecordingStore store = opened();
    ASSERT_TRUE(store.begin(head_named("Evening")).ok());
    EXPECT_THAT(store.begin(head_named("evening")).error(), HasSubstr("'evening' already"));
    EXPECT_THAT(store.begin(head_named("")).error(), HasSubstr("no name"));
    EXPECT_THAT(store.begin(head_named("a\nb")).error(), HasSubstr("no name"));
    EXPECT_THAT(store.load("Morning").error(), HasSubstr("it has 'Evening'"));
    EXPECT_THAT(store.remove("Morning").error(), HasSubstr("no recording 'Morning'"));
    ASSERT_TRUE(store.remove("Evening").ok());
    EXPECT_THAT(store.list().value(), IsEmpty());
    EXPECT_TRUE(store.begin(head_named("Evening")).ok());
}

TEST_F(RecordingStoreTest, WhatWasCapturedCanBeKept) {
    RecordingStore store = opened();
    RecordingHead head = head_named("Captured");
    head.captured = true;
    const std::int64_t id = store.begin(head).value();
    ASSERT_TRUE(store.append(id, some_events(0)).ok());
    ASSERT_TRUE(store.begin(head_named("Mine")).ok());
    EXPECT_THAT(store.keep("Captured", "mine").error(), HasSubstr("'mine' already"));
    EXPECT_THAT(store.keep("Captured", "a@b").error(), HasSubstr("no name"));
    EXPECT_THAT(store.keep("None", "New").error(), HasSubstr("no recording 'None'"));
    ASSERT_TRUE(store.keep("captured", "Evening").ok());
    ASSERT_TRUE(store.bound_captured(0, -1).ok());
    EXPECT_EQ(store.load("Evening").value().events, some_events(0));
    EXPECT_FALSE(store.list().value()[0].captured);
}

TEST_F(RecordingStoreTest, ADeletedRecordingLeavesNoEvents) {
    RecordingStore store = opened();
    const std::int64_t id = store.begin(head_named("Evening")).value();
    ASSERT_TRUE(store.append(id, some_events(0)).ok());
    ASSERT_TRUE(store.add_touch(id, {1, "{}"}).ok());
    ASSERT_TRUE(store.remove("Evening").ok());
    SQLite::Database sqlite(file());
    EXPECT_EQ(sqlite.execAndGet("SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM touch)").getInt(), 0);
}

TEST_F(RecordingStoreTest, ADamagedChunkEndsTheRecordingThere) {
    RecordingStore store = opened();
    const std::int64_t id = store.begin(head_named("Evening")).value();
    for (const int tick : {4000, 8000, 12000}) ASSERT_TRUE(store.append(id, some_events(tick)).ok());
    SQLite::Database(file(), SQLite::OPEN_READWRITE).exec("UPDATE chunk SET bytes = zeroblob(120) WHERE number = 2");
    const auto recording = store.load("Evening");
    ASSERT_TRUE(recording.ok());
    EXPECT_EQ(recording.value().events, some_events(4000));
    ASSERT_EQ(recording.value().warnings.size(), 1u);
    EXPECT_THAT(recording.value().warnings[0], HasSubstr("damaged after 0.5 s"));
}

TEST_F(RecordingStoreTest, AnotherProgramsAndANewerBuildsDatabaseAreRefused) {
    SQLite::Database(file(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE other (x)");
    EXPECT_THAT(RecordingStore::open(file()).error(), HasSubstr("another program"));
    fs::remove(file());
    (void)opened();
    SQLite::Database(file(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    EXPECT_THAT(RecordingStore::open(file()).error(), HasSubstr("99"));
    EXPECT_THAT(RecordingStore::open("").error(), HasSubstr("name is empty"));
}

/// The tables as each earlier version made them, with a recording in them.
TEST_F(RecordingStoreTest, EveryEarlierVersionIsBroughtToThisOneWithItsRecordings) {
    for (int version = 1; version <= core::kRecordingSchemaVersion; ++version) {
        fs::remove(file());
        {
            SQLite::Database old(file(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            for (int step = 0; step < version; ++step) old.exec(kRecordingSchemaSteps[step]);
            old.exec("PRAGMA application_id = " + std::to_string(kRecordingApplicationId));
            old.exec("PRAGMA user_version = " + std::to_string(version));
            old.exec(
                "INSERT INTO recording (id, name, created_unix_s, build, profile_name, profile_revision, profile_json,"
                " strings, tick_hz, begin_s, ended) VALUES (5, 'Old', 1, 'b', 'worn', 0, '{}', x'', 4000, 0.0, 1)");
            SQLite::Statement chunk(old,
                                    "INSERT INTO chunk (recording_id, number, last_tick, events, strikes, check_sum,"
                                    " bytes) VALUES (5, 1, 4001, 3, 1, ?, ?)");
            const auto bytes = take_bytes(some_events(4000));
            std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a, as the files have it
            for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001B3U;
            chunk.bind(1, static_cast<std::int64_t>(sum));
            chunk.bind(2, bytes.data(), static_cast<int>(bytes.size()));
            chunk.exec();
        }
        RecordingStore store = opened();
        const auto recording = store.load("Old");
        ASSERT_TRUE(recording.ok()) << recording.error();
        EXPECT_EQ(recording.value().events, some_events(4000)) << version;
        EXPECT_THAT(recording.value().warnings, IsEmpty());
        SQLite::Database sqlite(file());
        EXPECT_EQ(sqlite.execAndGet("PRAGMA user_version").getInt(), core::kRecordingSchemaVersion);
        EXPECT_EQ(sqlite.execAndGet("SELECT count(*) FROM keyboard").getInt(), 0);
    }
}

TEST_F(RecordingStoreTest, ATapThatOverflowsIsCountedAndTheRecordingSaysSo) {
    core::FaultCounters faults;
    core::TakeTap tap(faults, 4);
    for (int i = 0; i < 7; ++i) tap.push({.tick = i});
    EXPECT_EQ(tap.lost(), 3u);
    EXPECT_EQ(faults.count(core::Fault::kStorageQueueFull), 3u);
    RecordingStore store = opened();
    const std::int64_t id = store.begin(head_named("Evening")).value();
    ASSERT_TRUE(store.end(id, 3).ok());
    EXPECT_EQ(store.load("Evening").value().lost, 3);
}

}  // namespace
}  // namespace letoff::storage
