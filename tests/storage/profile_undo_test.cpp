// What the profile store brings back: earlier revisions, deleted profiles, old names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/storage/profile_store_fixture.h"

namespace letoff::storage {
namespace {

using test::example;
using ::testing::HasSubstr;

TEST_F(ProfileStoreTest, RestoreBringsBackValuesAndNotesButNotTheName) {
    ProfileStore store = with_example();
    Profile profile = content(store);
    profile.name = "Salon";
    profile.notes = "other";
    profile.values.clear();
    expect_revision(store.save(head(store), profile, "", "renamed"), 2);
    expect_revision(store.restore(head(store, "Salon"), 1, "back"), 3);
    Profile expected = example();
    expected.name = "Salon";
    EXPECT_EQ(content(store, "Salon"), expected);
    const RevisionInfo last = store.history(head(store, "Salon")).value().back();
    EXPECT_EQ(last.how, "restored");
    EXPECT_EQ(last.content_of, 1);
    EXPECT_FALSE(store.restore(head(store, "Salon"), 9, "").ok());
}

TEST_F(ProfileStoreTest, UndoGoesBackOneByOneAndIsARevisionItself) {
    ProfileStore store = with_example();
    for (const double value : {41.0, 42.0, 43.0}) set(store, kWholeInstrument, "blow_mm", value);  // revisions 2 to 4
    expect_revision(store.undo(head(store), ""), 5);
    EXPECT_EQ(blow(store), 42);
    expect_revision(store.undo(head(store), ""), 6);
    EXPECT_EQ(blow(store), 41);
    set(store, kWholeInstrument, "blow_mm", 50);  // 7: a new change after two undos
    expect_revision(store.undo(head(store), ""), 8);
    EXPECT_EQ(blow(store), 41);
    expect_revision(store.undo(head(store), ""), 9);
    EXPECT_EQ(blow(store), 44.5);
    EXPECT_EQ(error_of(store.undo(head(store), "")), "there is nothing to undo in 'My grand'");
    EXPECT_EQ(blow(store, 7), 50);  // nothing is lost
}

TEST_F(ProfileStoreTest, UndoTakesBackARestoreARenamingAndADeletion) {
    ProfileStore store = with_example();
    set(store, kWholeInstrument, "blow_mm", 41);
    expect_revision(store.restore(head(store), 1, ""), 3);
    expect_revision(store.undo(head(store), ""), 4);
    EXPECT_EQ(blow(store), 41);

    Profile renamed = content(store);
    renamed.name = "Salon";
    expect_revision(store.save(head(store), renamed, "", "renamed"), 5);
    expect_revision(store.undo(head(store, "Salon"), ""), 6);
    EXPECT_EQ(head(store).name, "My grand");

    expect_revision(store.remove(head(store), "away"), 7);
    expect_revision(store.undo(head(store), ""), 8);
    EXPECT_FALSE(head(store).deleted);
    EXPECT_EQ(blow(store), 41);

    // What undoes the bringing back of a deleted one deletes it.
    expect_revision(store.remove(head(store), "away"), 9);
    expect_revision(store.restore(store.find("My grand", Deleted::kToo).value().value(), 8, ""), 10);
    expect_revision(store.undo(head(store), ""), 11);
    EXPECT_TRUE(store.find("My grand", Deleted::kToo).value().value().deleted);
}

TEST_F(ProfileStoreTest, ADeletedProfileIsHiddenAndCanComeBack) {
    ProfileStore store = with_example();
    expect_revision(store.remove(head(store), "away"), 2);
    EXPECT_FALSE(store.find("My grand").value().has_value());
    EXPECT_TRUE(store.list().value().empty());
    const auto all = store.list(Deleted::kToo).value();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all[0].deleted);
    EXPECT_EQ(store.history(head(store)).value().back().how, "deleted");
    expect_revision(store.restore(head(store), 1, ""), 3);
    EXPECT_EQ(content(store), example());
    EXPECT_EQ(store.list().value().size(), 1u);
}

TEST_F(ProfileStoreTest, TheNameOfADeletedProfileIsFreeAndTheLivingOneIsFound) {
    ProfileStore store = with_example();
    const ProfileHead first = head(store);
    ASSERT_TRUE(store.remove(first, "").ok());
    Profile second = example();
    second.notes = "second";
    expect_revision(store.create(second, ""), 1);
    EXPECT_EQ(content(store).notes, "second");
    const ProfileHead deleted{first.id, first.name, 2, true};
    EXPECT_THAT(error_of(store.restore(deleted, 1, "")), HasSubstr("there is a profile named 'My grand' already"));
    ASSERT_TRUE(store.remove(head(store), "").ok());
    EXPECT_NE(head(store).id, first.id);  // of two deleted ones the one made last
}

}  // namespace
}  // namespace letoff::storage
