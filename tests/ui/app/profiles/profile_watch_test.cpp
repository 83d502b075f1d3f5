#include "ui/app/profiles/profile_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "keyboard/action/action.h"
#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

using storage::ProfileStore;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// One library watches, another one changes, as two programs do.
struct Watched : testing::Test {
    ProfileLibrary opened() {
        auto library = ProfileLibrary::open(dir.path() / "profiles.db", ProfileLibrary::Missing::kIsMade);
        if (!library) throw std::runtime_error(library.error());
        return std::move(library.value());
    }
    storage::ProfileHead head() { return head_of(name); }
    storage::ProfileHead head_of(const std::string& profile) {
        const auto found = other.store()->find(profile, storage::Deleted::kToo);
        const auto head = found ? found.value() : std::nullopt;
        if (!head) throw std::runtime_error("there is no " + profile);
        return *head;
    }
    /// Saves one value more, or another name.
    void save(const char* row, double value, const std::string& new_name = "") {
        storage::Profile content = other.store()->load(head()).value();
        content.values[{0, row}] = {value, false};
        if (!new_name.empty()) content.name = new_name;
        ASSERT_TRUE(other.store()->save(head(), content, "").ok());
        if (!new_name.empty()) name = new_name;
    }
    ProfileWatch watch() {
        ProfileLibrary library = opened();
        return {std::move(library), head()};
    }
    /// What there is to tell; without a title where there is nothing.
    static ProfileWatch::News news_of(ProfileWatch& watched) {
        return watched.look().value_or(ProfileWatch::News{{}, {}, std::nullopt});
    }
    void SetUp() override {
        ASSERT_TRUE(other.store()->create({.name = name, .action = "grand"}, "").ok());
        ASSERT_TRUE(other.store()->create({.name = "Another", .action = "grand"}, "").ok());
    }

    test::TempDir dir;
    std::string name = "Mine";
    ProfileLibrary other = opened();
};

TEST_F(Watched, EachRevisionIsToldOnceTheNewestOfSeveral) {
    ProfileWatch watched = watch();
    EXPECT_FALSE(watched.look());
    save("hammer_mass_kg", 0.011);
    save("hammer_mass_kg", 0.012);
    const ProfileWatch::News news = news_of(watched);
    EXPECT_EQ(news.title, "'Mine', revision 3");
    EXPECT_EQ(whole_value(news.touch.value_or(Touch{}), "hammer_mass_kg"), 0.012);
    EXPECT_FALSE(watched.look());
    // Somebody else's profile is none of it.
    ASSERT_TRUE(other.store()->remove(head_of("Another"), "").ok());
    EXPECT_FALSE(watched.look());
}

TEST_F(Watched, WhatIsSavedBeforeTheFirstLookIsTold) {
    ProfileWatch watched = watch();
    save("hammer_mass_kg", 0.012);
    EXPECT_TRUE(watched.look());
}

TEST_F(Watched, ADeletedOneKeepsTheTouchAndARenamedOneIsFollowed) {
    ProfileWatch watched = watch();
    save("catch_up", 50, "Ours");
    EXPECT_EQ(news_of(watched).title, "'Ours', revision 2");
    ASSERT_TRUE(other.store()->remove(head(), "").ok());
    const ProfileWatch::News gone = news_of(watched);
    EXPECT_FALSE(gone.touch);
    EXPECT_EQ(gone.sentence, "it was deleted; the touch stays as it is");
    ASSERT_TRUE(other.store()->undo(head(), "").ok());
    EXPECT_EQ(news_of(watched).touch.value_or(Touch{}).catch_up_percent, 50);
}

// Another build's limits may be wider: what cannot be played is said, and what plays plays on.
TEST_F(Watched, WhatCannotBePlayedIsASentence) {
    ProfileWatch watched = watch();
    storage::Profile content = other.store()->load(head()).value();
    content.action = "clavichord";
    ASSERT_TRUE(other.store()->save(head(), content, "").ok());
    const ProfileWatch::News news = news_of(watched);
    EXPECT_FALSE(news.touch);
    EXPECT_THAT(news.sentence, HasSubstr("'clavichord'; this version has: " + keyboard::action_names() +
                                         "; the touch stays as it is"));
}

}  // namespace
}  // namespace letoff::ui
