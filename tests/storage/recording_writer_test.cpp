#include "storage/recording_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <limits>

#include "storage/recording_events.h"
#include "tests/storage/recording_examples.h"

namespace letoff::storage {
namespace {

using core::TakeEvent;
using core::TakeKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

using RecordingWriterTest = RecordingFolder;

TEST_F(RecordingWriterTest, TheWriterKeepsWhatTheTapIsToldInOrder) {
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

TEST_F(RecordingWriterTest, AFailedWriteIsToldOnceAndTriedAgain) {
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

TEST_F(RecordingWriterTest, WhatIsLeftOfAnEarlierTellingIsNotKept) {
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

TEST_F(RecordingWriterTest, TimeZeroIsJustBeforeTheFirstThatIsPlayed) {
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

TEST_F(RecordingWriterTest, WhatIsCapturedIsThereOnlyWhenSomethingIsPlayedAndIsBounded) {
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
TEST_F(RecordingWriterTest, KilledItKeepsAllButTheLastSecond) {
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

}  // namespace
}  // namespace letoff::storage
