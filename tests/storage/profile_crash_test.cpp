// Programs that are killed while they save, two that save at once, and files that are refused: nothing is lost, nothing
// is half there, nothing hangs. The Long suite does the same for longer.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <new>
#include <random>

#include "storage/profile_json.h"
#include "tests/storage/profile_examples.h"
#include "tests/support/wait_for.h"

namespace letoff::storage {
namespace {

using test::example;
namespace fs = std::filesystem;

constexpr int kValues = 200;
constexpr std::uintmax_t kLargestLog_bytes = 4 << 20;  // 1 MiB and the largest transactions of these tests

/// A revision whose values all say its number, so that a part of one would show.
Profile numbered(int number) {
    Profile profile = example();
    profile.notes = std::to_string(number);
    for (int i = 0; i < kValues; ++i)
        profile.values[{1 + i % 88, "row_" + std::to_string(i / 88)}] = {number * 1.0, false};
    return profile;
}

class ProfileCrash : public test::ProfileFolder {
  protected:
    /// Saves for ever; a byte on the pipe for each revision that is saved.
    [[noreturn]] void save_until_killed(int pipe_end) const {
        try {
            ProfileStore store = opened();
            while (true) {
                const ProfileHead from = head(store);
                const auto saved = store.save(from, numbered(from.newest + 1), "");
                if (!saved || saved.value().conflict) ::_exit(1);
                const char done = 1;
                if (::write(pipe_end, &done, 1) != 1) ::_exit(1);
            }
        } catch (const std::exception&) {
            ::_exit(1);
        }
    }

    /// Starts a writer and kills it after some saves, or before its first. Returns how many it told of.
    void kill_a_writer(int saves, int after_us, int& told) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t writer = ::fork();
        ASSERT_GE(writer, 0);
        if (writer == 0) {
            ::close(ends[0]);
            save_until_killed(ends[1]);
        }
        ::close(ends[1]);
        char done = 0;
        for (int i = 0; i < saves; ++i) ASSERT_EQ(::read(ends[0], &done, 1), 1);
        ::usleep(static_cast<useconds_t>(after_us));  // the moment is meant to be any
        ::kill(writer, SIGKILL);
        told = saves;
        while (::read(ends[0], &done, 1) == 1) ++told;
        ::close(ends[0]);
        int status = 0;
        ASSERT_EQ(::waitpid(writer, &status, 0), writer);
        EXPECT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself";
    }

    void expect_killed_writers_leave_whole_revisions(int saves) {
        std::mt19937 random(20261127);
        {
            ProfileStore store = opened();
            ASSERT_TRUE(store.create(numbered(1), "").ok());
        }
        int newest = 1, checked = 0, kills = 0;
        while (newest < saves) {
            int told = 0;
            // Every third is killed while it starts: integrity check, backup copy, first save.
            const bool early = ++kills % 3 == 0;
            kill_a_writer(early ? 0 : static_cast<int>(random() % 24), static_cast<int>(random() % 20'000), told);
            if (HasFatalFailure()) return;
            if (fs::exists(file() + "-wal")) {
                ASSERT_LT(fs::file_size(file() + "-wal"), kLargestLog_bytes);
            }
            ProfileStore store = opened();
            ASSERT_FALSE(store.was_damaged());
            const int now = head(store).newest;
            ASSERT_GE(now, newest + told);  // what was told is there
            ASSERT_LE(now, newest + told + 1);
            newest = now;
            ASSERT_EQ(store.history(head(store)).value().size(), static_cast<std::size_t>(newest));
            for (; checked < newest; ++checked)
                ASSERT_EQ(content(store, "My grand", checked + 1), numbered(checked + 1));
        }
        ProfileStore store = opened();
        for (int i = 1; i <= newest; ++i) ASSERT_EQ(content(store, "My grand", i), numbered(i));
        EXPECT_EQ(SQLite::Database(file()).execAndGet("PRAGMA integrity_check").getString(), "ok");
        EXPECT_EQ(SQLite::Database(file() + ".backup").execAndGet("PRAGMA integrity_check").getString(), "ok");
    }

    void expect_no_lost_update(int programs, int saves_each) {
        {
            ProfileStore store = opened();
            Profile profile = example();
            profile.values[{1, "count"}] = {0, false};
            ASSERT_TRUE(store.create(profile, "").ok());
        }
        // Of the first save everybody has read before anybody writes: so all but one have to begin anew.
        void* const shared =
            ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(shared, MAP_FAILED);
        auto& have_read = *new (shared) std::atomic<int>(0);
        std::vector<pid_t> children;
        for (int p = 0; p < programs; ++p) {
            children.push_back(::fork());
            ASSERT_GE(children.back(), 0);
            if (children.back() != 0) continue;
            try {
                int tries = 0;
                for (int i = 0; i < saves_each; ++tries) {
                    ProfileStore store = opened();  // each time as a new program: opening meets saving too
                    const ProfileHead from = head(store);
                    Profile profile = content(store, "My grand", from.newest);
                    profile.values[{1, "count"}].value += 1;
                    if (tries == 0) {
                        ++have_read;
                        if (!test::wait_for(60, [&] { return have_read == programs; })) ::_exit(3);
                    }
                    const auto saved = store.save(from, profile, "");
                    if (!saved) ::_exit(1);
                    if (!saved.value().conflict) ++i;
                }
                ::_exit(0);
            } catch (const std::exception&) {
                ::_exit(2);
            }
        }
        for (const pid_t child : children) {
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        }
        ::munmap(shared, sizeof(std::atomic<int>));
        ProfileStore store = opened();
        EXPECT_EQ(content(store).values.at({1, "count"}).value, programs * saves_each);
        EXPECT_EQ(head(store).newest, 1 + programs * saves_each);
    }

    /// Exports with some bytes changed: what is refused leaves the file of the database as it was.
    void expect_refused_imports_change_nothing(int tries) {
        std::mt19937 random(5);
        auto now = setting();
        now.now_unix_s = [] { return 0; };
        ProfileStore store = opened(now);
        ASSERT_TRUE(store.create(numbered(1), "").ok());
        Profile small = example();
        small.extra = "{\"field\": [1, {\"a\": \"b\"}]}";
        const std::string text = profile_json(small);
        const std::string_view pieces[] = {"\"", "{", "}", "[",  ",",    ":",  "1",
                                           "-",  "e", ".", "\\", "\xff", "\n", "null"};
        int imported = 0, refused = 0;
        std::string before = contents(file()) + contents(file() + "-wal");
        for (int i = 0; i < tries; ++i) {
            std::string changed = text;
            for (auto changes = 1 + random() % 3; changes > 0; --changes) {
                const std::size_t at = random() % changed.size();
                changed.replace(at, random() % 3, pieces[random() % std::size(pieces)]);
            }
            const auto profile = parse_profile_json(changed, "f.json", test::kRows);
            core::Result<Saved> saved = core::Error{"not parsed"};
            if (profile) {
                saved = profile.value().name == "My grand" ? store.save(head(store), profile.value(), "", "imported")
                                                           : store.create(profile.value(), "", "imported");
            }
            const std::string after = contents(file()) + contents(file() + "-wal");
            if (saved) {
                ++imported;
                ASSERT_EQ(content(store, profile.value().name), profile.value());
            } else {
                ++refused;
                ASSERT_TRUE(after == before) << changed;
            }
            before = after;
        }
        EXPECT_GT(imported, tries / 20);
        EXPECT_GT(refused, tries / 4);
        EXPECT_EQ(SQLite::Database(file()).execAndGet("PRAGMA integrity_check").getString(), "ok");
    }
};
using ProfileCrashLong = ProfileCrash;

TEST_F(ProfileCrash, KilledWritersLeaveWholeRevisions) {
    expect_killed_writers_leave_whole_revisions(60);
}
TEST_F(ProfileCrashLong, KilledWritersLeaveWholeRevisions) {
    expect_killed_writers_leave_whole_revisions(500);
}

TEST_F(ProfileCrash, TwoProgramsAtOnceLoseNoUpdate) {
    expect_no_lost_update(2, 20);
}
TEST_F(ProfileCrashLong, FourProgramsAtOnceLoseNoUpdate) {
    expect_no_lost_update(4, 100);
}

TEST_F(ProfileCrash, RefusedImportsChangeNothing) {
    expect_refused_imports_change_nothing(300);
}
TEST_F(ProfileCrashLong, RefusedImportsChangeNothing) {
    expect_refused_imports_change_nothing(10'000);
}

}  // namespace
}  // namespace letoff::storage
