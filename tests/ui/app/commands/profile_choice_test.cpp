#include "ui/app/commands/profile_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"
#include "ui/app/profiles/library.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Without = ProfileChoice::Without;

class Choice : public testing::Test {
  protected:
    void SetUp() override { setenv("XDG_DATA_HOME", dir_.path().c_str(), 1); }
    void TearDown() override { unsetenv("XDG_DATA_HOME"); }
    fs::path database() const { return dir_.path() / "letoff/profiles.db"; }
    static core::Result<Touch> touch(const std::string& name, Without without = Without::kNothing) {
        ProfileChoice choice;
        choice.name = name;
        return choice.touch("play", without);
    }
    test::TempDir dir_;
};

TEST_F(Choice, AStoredProfileIsTaken) {
    {
        auto library = ProfileLibrary::open("", ProfileLibrary::Missing::kIsMade);
        ASSERT_TRUE(library.ok()) << library.error();
        storage::Profile profile{.name = "Mine", .action = "grand"};
        profile.values[{storage::kWholeInstrument, "catch_up"}] = {30, false};
        ASSERT_TRUE(library.value().store()->create(profile, "").ok());
    }
    const auto made = touch("mine");
    ASSERT_TRUE(made.ok()) << made.error();
    EXPECT_EQ(made.value().catch_up_percent, 30);
}

TEST_F(Choice, AFactoryProfileLooksAtNoDatabase) {
    fs::create_directories(database());  // a folder where the database should be
    EXPECT_TRUE(touch("concert").ok());
    EXPECT_FALSE(touch("Mine").ok());
}

/// A pianist rather plays the factory's touch than nothing; a rendering would be the wrong one.
TEST_F(Choice, WithoutAUsableDatabaseTheFactorysPlaysWhereThatIsAsked) {
    testing::internal::CaptureStderr();
    fs::create_directories(database());
    EXPECT_TRUE(touch("Mine", Without::kFactory).ok());
    fs::remove(database());
    dir_.write("letoff/profiles.db", "no database any more, and nothing beside it to take its place");
    EXPECT_TRUE(touch("Mine", Without::kFactory).ok());
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("it is a folder; playing the factory profile 'concert'"));
    EXPECT_THAT(said, HasSubstr("damaged-1"));
}

TEST_F(Choice, AWrongNameIsNeverReplaced) {
    const auto made = touch("Mine", Without::kFactory);
    ASSERT_FALSE(made.ok());
    EXPECT_THAT(made.error(), HasSubstr("there is no profile named 'Mine'"));
}

}  // namespace
}  // namespace letoff::ui
