#include "storage/profile_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/profile_json.h"
#include "tests/storage/profile_store_fixture.h"

namespace letoff::storage {
namespace {

using test::example;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

TEST_F(ProfileStoreTest, KeepsAProfileToTheBit) {
    Profile profile = example();
    profile.values[{1, "a"}] = {0.1, false};
    profile.values[{2, "a"}] = {5e-324, true};
    profile.values[{3, "a"}] = {1e308, false};
    profile.extra = "{\n  \"field\": 1\n}\n";
    {
        ProfileStore store = opened();
        expect_revision(store.create(profile, "a note"), 1);
    }
    ProfileStore store = opened();
    EXPECT_EQ(content(store), profile);
    EXPECT_TRUE(store.warnings().empty());
}

TEST_F(ProfileStoreTest, ANegativeZeroIsSavedAsZero) {
    ProfileStore store = with_example();
    set(store, 7, "angle_rad", -0.0);
    EXPECT_FALSE(std::signbit(content(store).values.at({7, "angle_rad"}).value));
}

TEST_F(ProfileStoreTest, EverySaveIsARevisionWithTimeAndNote) {
    auto clocked = setting();
    std::int64_t now = 1'800'000'000;
    clocked.now_unix_s = [&now] { return now++; };
    ProfileStore store = opened(clocked);
    expect_revision(store.create(example(), "first", "imported"), 1);
    Profile profile = content(store);
    profile.values[{kWholeInstrument, "blow_mm"}] = {46, false};
    profile.values.erase({49, "hammer_g"});
    expect_revision(store.save(head(store), profile, "after the humid week"), 2);

    const auto history = store.history(head(store));
    ASSERT_TRUE(history.ok());
    ASSERT_EQ(history.value().size(), 2u);
    const RevisionInfo& first = history.value()[0];
    EXPECT_EQ(first.number, 1);
    EXPECT_EQ(first.saved_unix_s, 1'800'000'000);
    EXPECT_EQ(first.how, "imported");
    EXPECT_EQ(first.note, "first");
    EXPECT_EQ(first.changed_values, 4);
    const RevisionInfo& second = history.value()[1];
    EXPECT_EQ(second.saved_unix_s, 1'800'000'001);
    EXPECT_EQ(second.how, "saved");
    EXPECT_EQ(second.note, "after the humid week");
    EXPECT_EQ(second.changed_values, 2);
    EXPECT_FALSE(second.deleted);
    EXPECT_EQ(content(store, "My grand", 1), example());
    EXPECT_EQ(content(store, "My grand", 2), profile);
}

TEST_F(ProfileStoreTest, ARevisionThatIsNotThereIsASentence) {
    ProfileStore store = with_example();
    for (const int number : {0, 2, -1})
        EXPECT_THAT(store.load(head(store), number).error(), AllOf(HasSubstr("My grand"), HasSubstr("it has 1 to 1")));
}

TEST_F(ProfileStoreTest, NoSaveOverwritesOneItHasNotSeen) {
    ProfileStore mine = with_example();
    ProfileStore other = opened();
    const ProfileHead old_head = head(mine);
    set(other, 1, "hammer_g", 12);

    Profile profile = content(mine, "My grand", 1);
    profile.values[{2, "hammer_g"}] = {13, false};
    for (const auto& saved : {mine.save(old_head, profile, ""), mine.remove(old_head, ""),
                              mine.restore(old_head, 1, ""), mine.save(old_head, profile, "", "imported")}) {
        ASSERT_TRUE(saved.ok()) << saved.error();
        EXPECT_TRUE(saved.value().conflict);
        EXPECT_EQ(saved.value().revision, 2);
    }
    EXPECT_EQ(head(mine).newest, 2);
    EXPECT_FALSE(content(mine).values.contains({2, "hammer_g"}));
    EXPECT_EQ(content(mine).values.at({1, "hammer_g"}).value, 12);
}

TEST_F(ProfileStoreTest, NamesAreUniqueWhateverTheirCase) {
    ProfileStore store = with_example();
    EXPECT_THAT(error_of(store.create(example("MY GRAND"), "")), HasSubstr("already"));
    EXPECT_EQ(head(store, "my GRAND").name, "My grand");
    expect_revision(store.create(example("Salon"), ""), 1);
    Profile renamed = content(store, "Salon");
    renamed.name = "my grand";
    EXPECT_THAT(error_of(store.save(head(store, "Salon"), renamed, "")), HasSubstr("already"));
    Profile same = content(store);
    same.name = "MY grand";  // another spelling of its own name
    expect_revision(store.save(head(store), same, "", "renamed"), 2);
    EXPECT_THAT(store.list().value(),
                ElementsAre(Field(&ProfileInfo::name, "MY grand"), Field(&ProfileInfo::name, "Salon")));
}

TEST_F(ProfileStoreTest, FactoryNamesStayFree) {
    ProfileStore store = with_example();
    for (const char* name : {"concert", "Concert"})
        EXPECT_THAT(error_of(store.create(example(name), "")), HasSubstr("factory profile"));
    Profile renamed = content(store);
    renamed.name = "concert";
    EXPECT_THAT(error_of(store.save(head(store), renamed, "")), HasSubstr("factory profile"));
}

TEST_F(ProfileStoreTest, WhatIsWrongIsNotSaved) {
    ProfileStore store = with_example();
    Profile profile = content(store);
    profile.values[{49, "hammer_g"}] = {99, false};
    EXPECT_THAT(error_of(store.save(head(store), profile, "")),
                AllOf(HasSubstr("'My grand'"), HasSubstr("hammer_g is 99")));
    EXPECT_FALSE(store.create(example("a@b"), "").ok());
    EXPECT_FALSE(store.save(head(store), example(), "two\nlines").ok());
    EXPECT_EQ(head(store).newest, 1);
    EXPECT_EQ(store.list().value().size(), 1u);
}

TEST_F(ProfileStoreTest, ADamagedValueIsNoticedAndAnEarlierRevisionCanBeRestored) {
    {
        ProfileStore store = with_example();
        set(store, 1, "hammer_g", 12);
    }
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE);  // a bit that fell over
        other.exec("DROP TRIGGER change_stays; UPDATE change SET value = 13 WHERE number = 2");
    }
    ProfileStore store = opened();
    EXPECT_THAT(store.load(head(store)).error(), AllOf(HasSubstr("revision 2"), HasSubstr("damaged")));
    expect_revision(store.restore(head(store), 1, ""), 3);
    EXPECT_EQ(content(store), example());
    ASSERT_TRUE(store.remove(head(store), "").ok());
}

TEST_F(ProfileStoreTest, RevisionsCannotBeChangedBehindTheStore) {
    {
        with_example();
    }
    SQLite::Database other(file(), SQLite::OPEN_READWRITE);
    for (const char* statement : {"UPDATE revision SET note = 'x'", "DELETE FROM revision",
                                  "UPDATE change SET value = 1", "DELETE FROM change"})
        EXPECT_THROW(other.exec(statement), SQLite::Exception) << statement;
}

TEST_F(ProfileStoreTest, ALargeProfileIsSavedAsItsChanges) {
    ProfileStore store = opened();
    Profile profile = example();
    for (int key = 1; key <= 88; ++key) {
        for (int row = 0; row < 100; ++row) profile.values[{key, "row_" + std::to_string(row)}] = {key / 8.0, true};
    }
    ASSERT_TRUE(store.create(profile, "").ok());
    set(store, 1, "row_7", 5);
    EXPECT_EQ(store.history(head(store)).value().back().changed_values, 1);
    EXPECT_EQ(content(store, "My grand", 1), profile);
}

TEST_F(ProfileStoreTest, WorksInMemory) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder_);  // where files would be made
    auto in_memory = setting();
    in_memory.file = ":memory:";
    ProfileStore store = opened(in_memory);
    ASSERT_TRUE(store.create(example(), "").ok());
    EXPECT_EQ(content(store), example());
    EXPECT_EQ(entries(), 0u);
    std::filesystem::current_path(before);
}

TEST_F(ProfileStoreTest, ExportImportExportIsTheSameToTheByte) {
    std::string first;
    {
        ProfileStore store = with_example();
        set(store, 3, "angle_rad", -1.0 / 3);
        first = profile_json(content(store));
    }
    auto elsewhere = setting();
    elsewhere.file = (folder_ / "elsewhere.db").string();
    ProfileStore store = opened(elsewhere);
    const auto imported = parse_profile_json(first, "f.json", test::kRows);
    ASSERT_TRUE(imported.ok()) << imported.error();
    ASSERT_TRUE(store.create(imported.value(), "", "imported").ok());
    EXPECT_EQ(profile_json(content(store)), first);
}

}  // namespace
}  // namespace letoff::storage
