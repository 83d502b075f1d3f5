// The file of the profile store damaged, gone, or beside a copy that is: it is set aside, and its copy takes its place.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/storage/profile_database_fixture.h"

namespace letoff::storage {
namespace {

using test::example;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(ProfileDatabaseTest, ADamagedFileIsSetAsideAndItsCopyTakesItsPlace) {
    make_large();
    {
        opened();
    }
    damage();
    const std::string damaged = contents(file());
    {
        ProfileStore store = opened();
        EXPECT_TRUE(store.was_damaged());
        EXPECT_THAT(store.warnings(), ElementsAre(AllOf(HasSubstr("profiles.db.damaged-1"), HasSubstr("backup"))));
        EXPECT_EQ(head(store).newest, 2);
        set(store, 1, "hammer_g", 30);
    }
    EXPECT_EQ(contents(file() + ".damaged-1"), damaged);
    ProfileStore store = opened();
    EXPECT_FALSE(store.was_damaged());
    EXPECT_EQ(head(store).newest, 3);
}

TEST_F(ProfileDatabaseTest, WithoutACopyADamagedFileIsSetAsideAndANewOneMade) {
    make_large();
    damage();
    fs::remove(backup());
    ProfileStore store = opened();
    EXPECT_TRUE(store.was_damaged());
    EXPECT_THAT(store.warnings(), ElementsAre(AllOf(HasSubstr("damaged-1"), HasSubstr("no backup copy"))));
    EXPECT_TRUE(store.list().value().empty());
    EXPECT_TRUE(store.create(example(), "").ok());
}

TEST_F(ProfileDatabaseTest, ADamagedCopyIsNotTaken) {
    make_large();
    {
        opened();
    }
    const std::string copy = contents(backup());
    std::string noisy_end = copy;  // can be opened and mostly read: only looking at all of it shows it
    std::fill(noisy_end.end() - 4096, noisy_end.end(), '\x55');
    int damaged = 0;
    for (const std::string& wrong : {copy.substr(0, 10000), noisy_end}) {
        write(std::string(20000, '\x55'));
        std::ofstream(backup(), std::ios::binary) << wrong;
        ProfileStore store = opened();
        EXPECT_THAT(store.warnings(), ElementsAre(HasSubstr("no backup copy")));
        EXPECT_TRUE(exists(".damaged-" + std::to_string(++damaged)));
    }
}

TEST_F(ProfileDatabaseTest, ACopyWhoseRowsDisagreeIsSetAsideToo) {
    make_large();
    {
        opened();
    }
    damage();
    // SQLite's own check of the copy finds nothing wrong with these bytes; that of a database made from it does.
    std::string copy = contents(backup());
    for (std::size_t i = copy.size() - 16; i < copy.size(); ++i) copy[i] = static_cast<char>(~copy[i]);
    std::ofstream(backup(), std::ios::binary) << copy;
    ProfileStore store = opened();
    EXPECT_THAT(store.warnings(),
                ElementsAre(HasSubstr("took its place"), HasSubstr("is kept as"), HasSubstr("no backup copy")));
    EXPECT_TRUE(exists(".damaged-1"));
    EXPECT_TRUE(exists(".backup.damaged-1"));
    EXPECT_TRUE(store.create(example(), "").ok());
}

TEST_F(ProfileDatabaseTest, EveryKindOfDamageEndsInAWorkingStore) {
    make_large();
    {
        opened();
    }
    const std::string whole = contents(file());
    int damaged = 0;
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{99}, std::size_t{4096}, whole.size() / 2, whole.size() - 4096}) {
        write(whole.substr(0, length));
        ProfileStore store = opened();
        EXPECT_TRUE(store.was_damaged()) << length;
        EXPECT_EQ(head(store).newest, 2) << length;
        EXPECT_TRUE(exists(".damaged-" + std::to_string(++damaged)));
    }
    for (const std::size_t at : {0U, 20U, 100U, 4096U, 8192U}) {
        std::string bytes = whole;
        for (std::size_t i = at; i < at + 64; ++i) bytes[i] = static_cast<char>(~bytes[i]);
        write(bytes);
        ProfileStore store = opened();
        EXPECT_EQ(head(store).newest, 2) << at;
        EXPECT_EQ(content(store, "My grand", 1), example()) << at;
    }
}

TEST_F(ProfileDatabaseTest, AFileThatIsGoneComesBackFromItsCopy) {
    make_example();
    {
        opened();
    }
    fs::remove(file());
    write("");  // cut to nothing
    {
        ProfileStore store = opened();
        EXPECT_EQ(content(store), example());
    }
    fs::rename(file(), file() + ".damaged-7");  // as if the start that set it aside had been killed
    ProfileStore store = opened();
    EXPECT_EQ(content(store), example());
    EXPECT_THAT(store.warnings(), ElementsAre(HasSubstr("gone")));
}

TEST_F(ProfileDatabaseTest, ALogThatStayedBehindIsKeptAndNotPlayedIntoTheCopy) {
    make_example();
    {
        opened();
    }
    std::string log;
    {
        ProfileStore store = opened();
        set(store, 1, "hammer_g", 9);
        log = contents(file() + "-wal");
        ASSERT_GT(log.size(), 4096u);
    }
    fs::remove(file());
    std::ofstream(file() + "-wal", std::ios::binary) << log;
    ProfileStore store = opened();
    EXPECT_EQ(head(store).newest, 1);
    EXPECT_TRUE(contents(file() + ".damaged-1-wal") == log);
    EXPECT_EQ(SQLite::Database(file()).execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(ProfileDatabaseTest, ACopyOfOtherProfilesIsKeptToo) {
    make_example();
    {
        opened();
    }
    const std::string other_copy = contents(backup());
    const std::string elsewhere = (folder_ / "copy").string();
    fs::rename(backup(), elsewhere);
    fs::remove(file());
    {
        ProfileStore store = opened();
        ASSERT_TRUE(store.create(example("Other"), "").ok());
    }
    fs::rename(elsewhere, backup());
    const ProfileStore store = opened();
    EXPECT_THAT(store.warnings(), ElementsAre(HasSubstr("backup.older-1")));
    EXPECT_EQ(contents(backup() + ".older-1"), other_copy);
}

TEST_F(ProfileDatabaseTest, ADamagedDatabaseOfOursIsSetAsideWhereverItLies) {
    make_large();
    std::string bytes = contents(file());
    for (std::size_t i = 100; i < 164; ++i) bytes[i] = static_cast<char>(~bytes[i]);  // behind the name of its owner
    write(bytes);
    auto by_name = setting();
    by_name.own_place = false;
    const ProfileStore store = opened(by_name);
    EXPECT_TRUE(store.was_damaged());
    EXPECT_TRUE(exists(".damaged-1"));
}

}  // namespace
}  // namespace letoff::storage
