#include "storage/recording_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <limits>

#include "core/versions.h"
#include "storage/recording_events.h"
#include "storage/recording_schema.h"
#include "storage/recording_writer.h"
#include "tests/storage/temporary_folder.h"
#include "tests/support/wait_for.h"

namespace letoff::storage {
namespace {

using core::TakeEvent;
using core::TakeKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

RecordingHead head_named(const std::string& name) {
    return {.name = name,
            .build = "abc",
            .profile_name = "concert",
            .profile_revision = 3,
            .profile_json = R"({"name": "concert"})",
            .strings = {440, -0.0, 1e-310},
            .tick_hz = 4000,
            .begin_s = 0.5};
}

std::vector<TakeEvent> some_events(std::int64_t first_tick) {
    return {{.tick = first_tick, .time_s = 0.1 + 1e-16, .kind = TakeKind::message, .message = core::note_on(3, 60, 99)},
            {.tick = first_tick + 1, .time_s = -0.0, .value = 2.8125, .kind = TakeKind::strike, .key = 39},
            {.tick = first_tick + 1,
             .value = std::numeric_limits<double>::infinity(),
             .bits = 0xFEDCBA9876543210U,
             .kind = TakeKind::state}};
}

/// As the keybed's thread does it, from its begin to its end.
void tell_begin(core::TakeTap& tap) {
    tap.push({.value = static_cast<double>(tap.telling()), .kind = TakeKind::begin});
}
void tell_end(core::TakeTap& tap) {
    tap.push({.tick = std::numeric_limits<std::int64_t>::max(), .kind = TakeKind::end});
}

/// What was told between begin and end.
std::vector<TakeEvent> told_in(const Recording& recording) {
    std::vector<TakeEvent> told = recording.events;
    EXPECT_FALSE(told.empty());
    if (!told.empty() && told.back().kind == TakeKind::end) told.pop_back();
    if (!told.empty() && told.front().kind == TakeKind::begin) told.erase(told.begin());
    return told;
}

class RecordingStoreTest : public letoff::test::TemporaryFolder {
  protected:
    std::string file() const { return (folder_ / "recordings.db").string(); }
    RecordingStore opened() const {
        auto store = RecordingStore::open(file(), [] { return std::int64_t{1'700'000'000}; });
        EXPECT_TRUE(store.ok()) << store.error();
        return std::move(store.value());
    }
};

}  // namespace

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

TEST_F(RecordingStoreTest, TheBytesOfAnEventAreTheSameOnEveryMachine) {
    const std::vector<TakeEvent> events = {{.tick = 0x0102,
                                            .time_s = 1.0,
                                            .value = -2.0,
                                            .bits = 0x0304,
                                            .kind = TakeKind::strike,
                                            .key = 5,
                                            .message = core::note_off(6, 7, 8)}};
    const std::vector<std::uint8_t> bytes = take_bytes(events);
    ASSERT_EQ(bytes.size(), kTakeEvent_bytes);
    EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 2), ElementsAre(2, 1));
    EXPECT_THAT(std::vector(bytes.begin() + 14, bytes.begin() + 16), ElementsAre(0xF0, 0x3F));
    EXPECT_THAT(std::vector(bytes.begin() + 23, bytes.begin() + 26), ElementsAre(0xC0, 4, 3));
    EXPECT_THAT(std::vector(bytes.begin() + 32, bytes.end()), ElementsAre(32, 5, 0x80, 6, 7, 8, 0, 0));
    EXPECT_EQ(take_events(bytes), events);
    EXPECT_THAT(take_events(std::vector<std::uint8_t>(kTakeEvent_bytes - 1)), IsEmpty());
}

TEST_F(RecordingStoreTest, PackedEventsKeepEveryBitInFewBytes) {
    std::vector<TakeEvent> events = some_events(4000);
    events.push_back({.tick = 4002, .bits = 300, .kind = TakeKind::key_moved, .key = 87});
    events.push_back({.tick = -5, .time_s = -1e300, .bits = ~std::uint64_t{0}, .kind = TakeKind{200}, .key = -1});
    const std::vector<std::uint8_t> bytes = packed_take(events);
    EXPECT_EQ(packed_events(bytes), events);
    // kind, fields, tick 4000 in two bytes of seven bits, lowest first; then 0.1 and the message.
    EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 4), ElementsAre(1, 1 + 2 + 32, 0xA0, 31));
    EXPECT_THAT(std::vector(bytes.begin() + 12, bytes.begin() + 16), ElementsAre(0x90, 3, 60, 99));
    const std::vector<TakeEvent> moved = {{.tick = 1, .bits = 300, .kind = TakeKind::key_moved, .key = 87}};
    EXPECT_THAT(packed_take(moved), ElementsAre(13, 1 + 8 + 16, 1, 0xAC, 2, 87));
    // Cut anywhere, what is whole is there.
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto some = packed_events(std::span(bytes).first(size));
        ASSERT_LT(some.size(), events.size());
        EXPECT_TRUE(std::equal(some.begin(), some.end(), events.begin())) << size;
    }
    EXPECT_THAT(packed_events(std::vector<std::uint8_t>{1, 64, 1, 0}), IsEmpty());  // a field that nobody knows
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

TEST_F(RecordingStoreTest, TheWriterKeepsWhatTheTapIsToldInOrder) {
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    auto writer = RecordingWriter::start(opened(), head_named("Evening"), tap, faults);
    ASSERT_TRUE(writer.ok()) << writer.error();
    tell_begin(tap);
    std::vector<TakeEvent> told;
    for (int i = 0; i < 5000; ++i) {
        told.push_back({.tick = i, .value = i * 0.5, .kind = TakeKind::state});
        tap.push(told.back());
        if (i == 2500) writer.value()->flush();
    }
    writer.value()->add_touch(3, "{}");
    tell_end(tap);
    ASSERT_TRUE(writer.value()->stop().ok());
    RecordingStore store = opened();
    EXPECT_EQ(told_in(store.load("Evening").value()), told);
    EXPECT_EQ(store.load("Evening").value().touches.size(), 1u);
    EXPECT_TRUE(store.list().value()[0].ended);
    EXPECT_EQ(faults.errors(), 0u);
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

TEST_F(RecordingStoreTest, AFailedWriteIsToldOnceAndTriedAgain) {
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    auto writer = RecordingWriter::start(opened(), head_named("Evening"), tap, faults);
    ASSERT_TRUE(writer.ok());
    tell_begin(tap);
    const auto told = some_events(4000);
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE);
        other.exec("ALTER TABLE chunk RENAME TO hidden");
        for (const TakeEvent& event : told) tap.push(event);
        writer.value()->flush();
        EXPECT_THAT(writer.value()->take_sentence(), HasSubstr("chunk"));
        EXPECT_EQ(writer.value()->take_sentence(), "");
        EXPECT_GE(faults.count(core::Fault::kStorageWriteFailed), 1u);
        other.exec("ALTER TABLE hidden RENAME TO chunk");
    }
    tell_end(tap);
    ASSERT_TRUE(writer.value()->stop().ok());
    EXPECT_EQ(told_in(opened().load("Evening").value()), told);
}

TEST_F(RecordingStoreTest, WhatIsLeftOfAnEarlierTellingIsNotKept) {
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    tap.switch_on();
    tell_begin(tap);
    tap.push({.tick = 1, .kind = TakeKind::state});
    auto writer = RecordingWriter::start(opened(), head_named("Evening"), tap, faults);
    ASSERT_TRUE(writer.ok());
    tap.push({.tick = 2, .kind = TakeKind::state});
    tell_end(tap);
    tell_begin(tap);
    const auto told = some_events(4000);
    for (const TakeEvent& event : told) tap.push(event);
    tell_end(tap);
    ASSERT_TRUE(writer.value()->stop().ok());
    EXPECT_FALSE(core::TakeTap::is_on(tap.telling()));
    EXPECT_EQ(told_in(opened().load("Evening").value()), told);
}

TEST_F(RecordingStoreTest, TimeZeroIsJustBeforeTheFirstThatIsPlayed) {
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    auto writer =
        RecordingWriter::start(opened(), head_named("Evening"), tap, faults, RecordingWriter::From::kFirstPlayed);
    ASSERT_TRUE(writer.ok());
    tell_begin(tap);
    tap.push({.tick = 4000, .time_s = 1, .value = 9, .kind = TakeKind::gap});  // nobody waits for it again
    const TakeEvent played{.tick = 40000, .time_s = 10, .kind = TakeKind::message, .message = core::note_on(0, 60, 9)};
    tap.push(played);
    tell_end(tap);
    ASSERT_TRUE(writer.value()->stop().ok());
    const auto recording = opened().load("Evening");
    EXPECT_DOUBLE_EQ(recording.value().head.begin_s, 9.75);
    EXPECT_THAT(told_in(recording.value()), ElementsAre(played));
}

TEST_F(RecordingStoreTest, WhatIsCapturedIsThereOnlyWhenSomethingIsPlayedAndIsBounded) {
    core::FaultCounters faults;
    core::TakeTap tap(faults);
    RecordingHead head = head_named("Captured");
    head.captured = true;
    constexpr std::int64_t kMost_bytes = 8000;
    const auto started = [&] {
        auto writer =
            RecordingWriter::start(opened(), head, tap, faults, RecordingWriter::From::kFirstPlayed, kMost_bytes);
        EXPECT_TRUE(writer.ok()) << writer.error();
        tell_begin(tap);
        return std::move(writer.value());
    };
    const auto write_until = [&](RecordingWriter& writer, const auto& done) {
        for (int i = 0; i < 100 && !done(); ++i) {
            for (int k = 0; k < 10; ++k)
                tap.push(
                    {.tick = 10 * i + k, .time_s = 1, .kind = TakeKind::strike, .key = static_cast<std::int8_t>(k)});
            writer.flush();
        }
        EXPECT_TRUE(done());
    };
    ASSERT_TRUE(opened().begin(head_named("Mine")).ok());
    {
        auto writer = started();
        tap.push({.kind = TakeKind::state});
        writer->flush();
        tell_end(tap);
    }
    EXPECT_EQ(opened().list().value().size(), 1u);  // nothing was played
    for (int session = 0; session < 6; ++session) {
        auto writer = started();
        // A quarter of the bound ends a recording; the keybed's thread answers with the begin of the next.
        const std::uint32_t telling = tap.telling();
        write_until(*writer, [&] { return tap.telling() != telling; });
        tell_end(tap);
        tell_begin(tap);
        tap.push({.tick = 5, .kind = TakeKind::strike});
        tell_end(tap);
        EXPECT_TRUE(writer->stop().ok());
    }
    RecordingStore store = opened();
    const auto list = store.list().value();
    // Seven of 2000 bytes are more than fit, "Mine" is no captured one and stays.
    ASSERT_GE(list.size(), 4u);
    EXPECT_LE(list.size(), 1 + 2 * 4u);
    EXPECT_EQ(list.front().name, "Mine");
    EXPECT_FALSE(list.front().captured);
    std::int64_t bytes = 0;
    for (const RecordingInfo& info : list) {
        if (!info.captured) continue;
        EXPECT_TRUE(info.ended) << info.name;
        bytes += static_cast<std::int64_t>(packed_take(store.load(info.name).value().events).size());
    }
    EXPECT_LE(bytes, kMost_bytes);
    EXPECT_THAT(list.back().name, HasSubstr("Captured"));
}

/// A program that is killed keeps all but the last second.
TEST_F(RecordingStoreTest, KilledItKeepsAllButTheLastSecond) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        core::FaultCounters faults;
        auto store = RecordingStore::open(file());
        if (!store) ::_exit(1);
        core::TakeTap tap(faults);
        auto writer = RecordingWriter::start(std::move(store.value()), head_named("Evening"), tap, faults);
        if (!writer) ::_exit(1);
        tell_begin(tap);
        // As the keybed: a thing a millisecond, its number written to the pipe when it has happened.
        for (int i = 0;; ++i) {
            tap.push({.tick = i, .kind = TakeKind::state});
            if (::write(ends[1], &i, sizeof i) != sizeof i) ::_exit(1);
            ::usleep(1000);
        }
    }
    ::close(ends[1]);
    std::vector<std::chrono::steady_clock::time_point> happened;
    int number = 0;
    while (happened.size() < 1500 && ::read(ends[0], &number, sizeof number) == sizeof number)
        happened.push_back(std::chrono::steady_clock::now());
    const auto killed = std::chrono::steady_clock::now();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    ASSERT_EQ(happened.size(), 1500u);

    RecordingStore store = opened();
    const auto recording = store.load("Evening");
    ASSERT_TRUE(recording.ok()) << recording.error();
    EXPECT_FALSE(store.list().value()[0].ended);
    std::size_t due = 0;
    while (due < happened.size() && killed - happened[due] > std::chrono::seconds(1)) ++due;
    EXPECT_GT(due, 0u);
    const std::vector<TakeEvent> told = told_in(recording.value());
    EXPECT_GE(told.size(), due);
    for (std::size_t i = 0; i < told.size(); ++i) ASSERT_EQ(told[i].tick, static_cast<std::int64_t>(i));
}

}  // namespace letoff::storage
