#include "ui/app/cache_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;

class CacheFile : public testing::Test {
  protected:
    void SetUp() override {
        setenv("HOME", dir_.path().c_str(), 1);
        unsetenv("XDG_CACHE_HOME");
    }
    test::TempDir dir_;
};

TEST_F(CacheFile, LiesInTheCacheFolderOfTheUserWhichIsMade) {
    const auto file = stroke_cache_file();
    ASSERT_TRUE(file.ok()) << file.error();
    EXPECT_EQ(file.value(), dir_.path() / ".cache/letoff/strokes.db");
    EXPECT_TRUE(fs::is_directory(dir_.path() / ".cache/letoff"));
}

TEST_F(CacheFile, FollowsXdgCacheHomeUnlessItIsRelative) {
    setenv("XDG_CACHE_HOME", (dir_.path() / "mine").c_str(), 1);
    EXPECT_EQ(stroke_cache_file().value(), dir_.path() / "mine/letoff/strokes.db");
    setenv("XDG_CACHE_HOME", "mine", 1);
    EXPECT_EQ(stroke_cache_file().value(), dir_.path() / ".cache/letoff/strokes.db");
}

TEST_F(CacheFile, AFolderThatCannotBeMadeIsASentence) {
    dir_.write(".cache", "a file where a folder should be");
    const auto file = stroke_cache_file();
    ASSERT_FALSE(file.ok());
    EXPECT_NE(file.error().find(".cache/letoff"), std::string::npos) << file.error();
    unsetenv("HOME");
    EXPECT_FALSE(stroke_cache_file().ok());
}

}  // namespace
}  // namespace letoff::ui
