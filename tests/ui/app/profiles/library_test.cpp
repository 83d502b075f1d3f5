#include "ui/app/profiles/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"
#include "ui/app/profiles/factory.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Missing = ProfileLibrary::Missing;

class Library : public testing::Test {
  protected:
    void SetUp() override {
        setenv("HOME", dir_.path().c_str(), 1);
        unsetenv("XDG_DATA_HOME");
    }
    static ProfileLibrary opened(const std::string& db = "", Missing missing = Missing::kIsMade) {
        auto library = ProfileLibrary::open(db, missing);
        if (!library) throw std::runtime_error(library.error());
        return std::move(library.value());
    }
    static void make(ProfileLibrary& library, const std::string& name) {
        const auto saved = library.store()->create({.name = name, .action = "grand"}, "");
        ASSERT_TRUE(saved.ok()) << saved.error();
    }
    test::TempDir dir_;
};

TEST_F(Library, LiesInTheDataFolderOfTheUserAndIsMadeOnlyToBeWritten) {
    EXPECT_EQ(opened("", Missing::kIsEmpty).store(), nullptr);
    EXPECT_TRUE(fs::is_empty(dir_.path()));
    EXPECT_EQ(opened().store()->file(), dir_.path() / ".local/share/letoff/profiles.db");
    setenv("XDG_DATA_HOME", (dir_.path() / "mine").c_str(), 1);
    EXPECT_EQ(opened().store()->file(), dir_.path() / "mine/letoff/profiles.db");
    setenv("XDG_DATA_HOME", "relative", 1);
    EXPECT_EQ(opened().store()->file(), dir_.path() / ".local/share/letoff/profiles.db");
}

TEST_F(Library, WithoutAHomeTheFactoryProfilesAreThere) {
    unsetenv("HOME");
    EXPECT_TRUE(opened("", Missing::kIsEmpty).find("concert").ok());
    const auto none = ProfileLibrary::open("", Missing::kIsMade);
    ASSERT_FALSE(none.ok());
    EXPECT_THAT(none.error(), HasSubstr("HOME or XDG_DATA_HOME"));
}

TEST_F(Library, AFileThatIsNamedMustBeThereToBeRead) {
    const std::string db = dir_.path() / "p.db";
    const auto none = ProfileLibrary::open(db, Missing::kIsEmpty);
    ASSERT_FALSE(none.ok());
    EXPECT_THAT(none.error(), HasSubstr(db));
    {
        opened(db);
    }
    EXPECT_TRUE(ProfileLibrary::open(db, Missing::kIsEmpty).ok());
    // A file given by name is not ours to rename.
    const fs::path letter = dir_.write("letter.txt",
                                       "no database, but long enough to have a header of a hundred bytes, "
                                       "which is how long the header of a database is");
    EXPECT_FALSE(ProfileLibrary::open(letter, Missing::kIsMade).ok());
    EXPECT_TRUE(fs::exists(letter));
}

TEST_F(Library, FindsNamesAndRevisions) {
    ProfileLibrary library = opened();
    make(library, "My grand");
    auto head = library.find_own("my grand").value();
    ASSERT_TRUE(library.store()->save(head, {.name = "My grand", .action = "grand", .notes = "second"}, "").ok());
    EXPECT_EQ(library.find("My grand").value().revision, 2);
    EXPECT_EQ(library.find("My grand").value().content.notes, "second");
    EXPECT_EQ(library.find("My grand@1").value().content.notes, "");
    EXPECT_FALSE(library.find("concert").value().head.has_value());
    EXPECT_THAT(library.find("My grand@3").error(), HasSubstr("it has 1 to 2"));
    EXPECT_THAT(library.find("concert@1").error(), HasSubstr("factory profile"));
    for (const char* wrong : {"My grand@", "My grand@x", "My grand@0", "My grand@-1", "My grand@1x"})
        EXPECT_THAT(library.find(wrong).error(), HasSubstr("names no revision")) << wrong;
}

TEST_F(Library, AnUnknownNameSaysWhichThereAre) {
    ProfileLibrary library = opened();
    make(library, "Salon");
    for (const auto& error : {library.find("mine").error(), library.find_own("mine").error()})
        EXPECT_EQ(error,
                  "there is no profile named 'mine'; there are: concert, small-grand, heavy-practice, light-salon, "
                  "regulated, worn, grand-episode, two-body, upright-studio, upright-worn, harpsichord, "
                  "fortepiano, organ, Salon");
    for (int i = 0; i < 25; ++i) make(library, "P" + std::to_string(100 + i));
    EXPECT_THAT(library.find("mine").error(), HasSubstr("P119 and 6 more"));
}

TEST_F(Library, FactoryProfilesCannotBeChanged) {
    ProfileLibrary library = opened();
    EXPECT_THAT(library.find_own("concert").error(),
                AllOf(HasSubstr("stays as it is"), HasSubstr("profile copy concert")));
}

TEST_F(Library, AChangeStartsAnewWhereAnotherProgramWasFaster) {
    ProfileLibrary library = opened();
    make(library, "Salon");
    int tries = 0;
    const auto saved = library.change("Salon", storage::Deleted::kLeftOut, [&](auto& store, const auto& head) {
        if (++tries <= 2) {  // another program saves between our look and our save
            ProfileLibrary other = opened();
            const auto its_head = other.find_own("Salon").value();
            EXPECT_TRUE(other.store()->save(its_head, {.name = "Salon", .action = "grand"}, "other").ok());
        }
        return store.save(head, {.name = "Salon", .action = "grand", .notes = "ours"}, "");
    });
    ASSERT_TRUE(saved.ok()) << saved.error();
    EXPECT_EQ(tries, 3);
    EXPECT_EQ(saved.value().revision, 4);
    EXPECT_EQ(library.find("Salon").value().content.notes, "ours");
    EXPECT_EQ(library.store()->history(library.find_own("Salon").value()).value()[1].note, "other");
    EXPECT_THAT(
        library.change("gone", storage::Deleted::kLeftOut, [](auto&, const auto&) { return storage::Saved{}; }).error(),
        HasSubstr("no profile named 'gone'"));
}

}  // namespace
}  // namespace letoff::ui
