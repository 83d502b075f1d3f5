// The file of the profile store: what becomes of a foreign, an old, a full and a read-only one. A damaged one:
// profile_damage_test.cpp.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/versions.h"
#include "storage/file_lock.h"
#include "tests/storage/profile_database_fixture.h"

namespace letoff::storage {
namespace {

using test::example;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(ProfileDatabaseTest, UsesAWriteAheadLogAndTheVersionOfTheTable) {
    make_example();
    const ProfileStore store = opened();
    SQLite::Database other(file());
    EXPECT_EQ(other.execAndGet("PRAGMA journal_mode").getString(), "wal");
    EXPECT_EQ(other.execAndGet("PRAGMA user_version").getInt(), core::kProfileSchemaVersion);
    EXPECT_EQ(other.execAndGet("PRAGMA integrity_check").getString(), "ok");
    EXPECT_FALSE(other.tryExec("PRAGMA foreign_key_check"));
}

/// The example of each version, as it was once made, opens and says what it said then.
TEST_F(ProfileDatabaseTest, EveryEarlierVersionIsReadForEver) {
    for (int version = 1; version <= core::kProfileSchemaVersion; ++version) {
        const std::string name = "profiles_v" + std::to_string(version) + ".db";
        const fs::path kept = fs::path(LETOFF_SOURCE_DIR) / "tests/storage/data" / name;
        ASSERT_TRUE(fs::exists(kept)) << "every version needs an example: " << kept;
        fs::copy_file(kept, file(), fs::copy_options::overwrite_existing);
        {
            SQLite::Database old(file());
            ASSERT_EQ(old.execAndGet("PRAGMA user_version").getInt(), version);
        }
        ProfileStore store = opened();
        EXPECT_TRUE(store.warnings().empty());
        const auto profiles = store.list(Deleted::kToo).value();
        ASSERT_EQ(profiles.size(), 2u) << name;
        EXPECT_EQ(profiles[0].name, "Away");
        EXPECT_TRUE(profiles[0].deleted);
        EXPECT_EQ(profiles[1].name, "Salon 1901");

        const ProfileHead salon = head(store, "Salon 1901");
        EXPECT_EQ(salon.newest, 5);
        const auto history = store.history(salon).value();
        ASSERT_EQ(history.size(), 5u);
        EXPECT_EQ(history[0].how, "imported");
        EXPECT_EQ(history[1].how, "saved");
        EXPECT_EQ(history[1].note, "lighter – for the children");
        EXPECT_EQ(history[2].how, "undone");
        EXPECT_EQ(history[3].how, "renamed");
        EXPECT_EQ(history[3].name, "Salon");
        EXPECT_EQ(history[4].how, "renamed");
        EXPECT_EQ(history[1].saved_unix_s, history[0].saved_unix_s + 60);
        const Profile second = content(store, "Salon 1901", 2);
        EXPECT_EQ(second.values.at({1, "hammer_mass_kg"}), (ProfileValue{-0.002, true}));
        EXPECT_EQ(second.values.at({49, "hammer_mass_kg"}), (ProfileValue{-0.0015, true}));
        const Profile newest = content(store, "Salon 1901");
        EXPECT_FALSE(newest.values.contains({1, "hammer_mass_kg"}));
        EXPECT_EQ(newest.values.at({kWholeInstrument, "row_of_another_build"}), (ProfileValue{7, false}));
        EXPECT_EQ(newest.notes, "Repinned in May.\nHammers: \"Abel\", 9 g – light.");
        EXPECT_THAT(newest.extra, HasSubstr("field_of_another_build"));
        set(store, 2, "hammer_g", 11, "Salon 1901");
        EXPECT_TRUE(store.undo(head(store, "Away"), "").ok());
    }
}

TEST_F(ProfileDatabaseTest, ACopyIsKeptWhenTheDatabaseHasChanged) {
    make_example();
    EXPECT_FALSE(exists(".backup"));  // at that start there was nothing to keep
    {
        opened();
    }
    ASSERT_TRUE(exists(".backup"));
    const std::string first = contents(backup());
    const auto inode = [&] {
        struct stat status{};
        EXPECT_EQ(::stat(backup().c_str(), &status), 0);
        return status.st_ino;
    };
    const auto first_inode = inode();
    {
        opened();
    }
    EXPECT_EQ(inode(), first_inode);  // nothing new, nothing written
    {
        ProfileStore store = opened();
        set(store, 1, "hammer_g", 9);
    }
    EXPECT_EQ(contents(backup()), first);
    {
        opened();
    }
    EXPECT_NE(contents(backup()), first);
    EXPECT_EQ(SQLite::Database(backup()).execAndGet("SELECT max(number) FROM revision").getInt(), 2);
}

TEST_F(ProfileDatabaseTest, ForeignFilesAreLeftAlone) {
    auto by_name = setting();
    by_name.own_place = false;
    write("A letter and no database, long enough to be read as a header of one, and then some more of it.");
    const std::string letter = contents(file());
    EXPECT_THAT(refused(by_name), AllOf(HasSubstr("profiles.db"), HasSubstr("not a database of touch profiles")));
    EXPECT_EQ(contents(file()), letter);
    EXPECT_FALSE(exists(".damaged-1"));
    fs::remove(file());
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE accounts (id INTEGER)");
    }
    const std::string accounts = contents(file());
    for (const auto& tried : {by_name, setting()}) EXPECT_THAT(refused(tried), HasSubstr("another program"));
    EXPECT_EQ(contents(file()), accounts);
    EXPECT_THAT(refused({.file = folder_.string()}), HasSubstr("it is a folder"));
    EXPECT_THAT(refused({.file = ""}), HasSubstr("empty"));
    EXPECT_THAT(refused({.file = "/nonexistent/p.db"}), HasSubstr("cannot be opened"));
}

TEST_F(ProfileDatabaseTest, ADatabaseOfANewerBuildIsRefusedAndLeftAlone) {
    make_example();
    SQLite::Database(file(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    EXPECT_THAT(refused(setting()), AllOf(HasSubstr("version 99"), HasSubstr("1 to 1")));
    EXPECT_EQ(SQLite::Database(file()).execAndGet("SELECT count(*) FROM revision").getInt(), 1);
}

TEST_F(ProfileDatabaseTest, AFullDatabaseSavesNothingAndSaysSo) {
    make_example();
    auto small = setting();
    small.largest_bytes = static_cast<std::int64_t>(fs::file_size(file())) + 16 * 4096;
    ProfileStore store = opened(small);
    core::Result<Saved> saved = Saved{};
    int newest = 1;
    for (int i = 0; i < 1000 && saved.ok(); ++i) {
        Profile profile = content(store);
        for (int key = 1; key <= 88; ++key) profile.values[{key, "hammer_g"}] = {4 + i % 20 / 2.0, false};
        saved = store.save(head(store), profile, "");
        if (saved.ok()) newest = saved.value().revision;
    }
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error(), AllOf(HasSubstr("cannot save the touch profile"), HasSubstr("no room left")));
    EXPECT_GT(newest, 1);
    EXPECT_EQ(head(store).newest, newest);
    EXPECT_EQ(store.history(head(store)).value().size(), static_cast<std::size_t>(newest));
    EXPECT_EQ(content(store, "My grand", 1), example());
}

TEST_F(ProfileDatabaseTest, AFileReplacedMeanwhileIsNotWrittenTo) {
    make_example();
    ProfileStore store = opened();
    fs::copy_file(file(), file() + ".copy");
    fs::rename(file() + ".copy", file());
    const auto saved = store.save(head(store), example(), "");
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error(), HasSubstr("replaced meanwhile"));
}

TEST_F(ProfileDatabaseTest, AnotherProgramThatWritesIsWaitedForButNotForEver) {
    make_example();
    auto impatient = setting();
    impatient.patience = std::chrono::milliseconds{50};
    ProfileStore store = opened(impatient);
    SQLite::Database other(file(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    const auto saved = store.save(head(store), example(), "");
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error(), HasSubstr("another program keeps it locked"));
    EXPECT_EQ(content(store), example());  // reading goes on
    other.exec("ROLLBACK");
    EXPECT_TRUE(store.save(head(store), example(), "").ok());
}

TEST_F(ProfileDatabaseTest, ALockThatAnotherHasIsGivenUpWithASentence) {
    const std::string lock = file() + ".lock";
    auto first = FileLock::take(lock, std::chrono::milliseconds{0});
    ASSERT_TRUE(first.ok());
    const auto second = FileLock::take(lock, std::chrono::milliseconds{20});
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error(), AllOf(HasSubstr("another program"), HasSubstr("profiles.db.lock")));
    {
        const FileLock gone = std::move(first.value());
    }
    EXPECT_TRUE(FileLock::take(lock, std::chrono::milliseconds{0}).ok());
}

}  // namespace
}  // namespace letoff::storage
