#include "storage/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <utility>

#include "tests/storage/temporary_folder.h"

using namespace letoff::storage;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class AtomicFileTest : public letoff::test::TemporaryFolder {};

}  // namespace

TEST_F(AtomicFileTest, ReplacesTheOldFileOnlyOnCommit) {
    const fs::path target = folder_ / "a.txt";
    ASSERT_TRUE(write_file(target, "old").ok());
    auto file = AtomicFile::create(target);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file.value().write("ne").ok());
    ASSERT_TRUE(file.value().write("w").ok());
    EXPECT_EQ(contents(target), "old");
    ASSERT_TRUE(file.value().commit().ok());
    EXPECT_EQ(contents(target), "new");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
    {
        auto file = AtomicFile::create(folder_ / "a.txt");
        ASSERT_TRUE(file.ok());
        ASSERT_TRUE(file.value().write("half").ok());
        EXPECT_EQ(entries(), 1u);
    }
    EXPECT_EQ(entries(), 0u);
}

TEST_F(AtomicFileTest, BytesAreWrittenAsTheyAre) {
    const std::array<std::uint8_t, 6> bytes{0, 255, '\r', '\n', 0, 26};
    ASSERT_TRUE(write_file(folder_ / "b", std::span<const std::uint8_t>(bytes)).ok());
    EXPECT_EQ(contents(folder_ / "b"), std::string(bytes.begin(), bytes.end()));
}

TEST_F(AtomicFileTest, AMovedFileIsCommittedOnce) {
    auto created = AtomicFile::create(folder_ / "a");
    ASSERT_TRUE(created.ok());
    AtomicFile first = std::move(created.value());
    AtomicFile second = std::move(first);
    ASSERT_TRUE(second.write("x").ok());
    EXPECT_FALSE(first.commit().ok());  // NOLINT: what a moved-from file does is what is tested
    EXPECT_TRUE(second.commit().ok());
    EXPECT_FALSE(second.commit().ok());
    EXPECT_EQ(contents(folder_ / "a"), "x");
    // assigning over an unfinished file removes it
    auto other = AtomicFile::create(folder_ / "other");
    ASSERT_TRUE(other.ok());
    other.value() = std::move(second);
    EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, TwoWritersOfOneTargetDoNotMeet) {
    auto a = AtomicFile::create(folder_ / "x");
    auto b = AtomicFile::create(folder_ / "x");
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_TRUE(a.value().write("aaaa").ok() && b.value().write("b").ok());
    ASSERT_TRUE(a.value().commit().ok() && b.value().commit().ok());
    EXPECT_EQ(contents(folder_ / "x"), "b");
}

TEST_F(AtomicFileTest, AnotherLibraryMayWriteByName) {
    auto file = AtomicFile::create(folder_ / "out.wav");
    ASSERT_TRUE(file.ok());
    std::ofstream(file.value().path_beside(), std::ios::trunc) << "RIFF";
    ASSERT_TRUE(file.value().commit().ok());
    EXPECT_EQ(contents(folder_ / "out.wav"), "RIFF");
}

TEST_F(AtomicFileTest, KeepsPermissionsAndFollowsLinks) {
    const fs::path real = folder_ / "real";
    ASSERT_TRUE(write_file(real, "old").ok());
    ASSERT_EQ(::chmod(real.c_str(), 0640), 0);
    fs::create_symlink("real", folder_ / "link");
    ASSERT_TRUE(write_file(folder_ / "link", "new").ok());
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(contents(real), "new");
    EXPECT_EQ(fs::status(real).permissions(), fs::perms(0640));
}

TEST_F(AtomicFileTest, DevicesAreWrittenDirectlyAndStay) {
    ASSERT_TRUE(write_file("/dev/null", "x").ok());
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const auto full = write_file("/dev/full", "x");
    ASSERT_FALSE(full.ok());
    EXPECT_THAT(full.error(), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST_F(AtomicFileTest, RefusalsAreOneSentenceAndLeaveNothing) {
    ASSERT_TRUE(write_file(folder_ / "file", "x").ok());
    const std::pair<fs::path, const char*> cases[] = {{"", "empty file name"},
                                                      {folder_, "is a directory"},
                                                      {folder_ / "none" / "a", "No such file"},
                                                      {folder_ / "file" / "a", "Not a directory"},
                                                      {folder_ / "none" / "", "a file name is needed"}};
    for (const auto& [path, reason] : cases) {
        const auto done = write_file(path, "y");
        ASSERT_FALSE(done.ok()) << path;
        EXPECT_THAT(done.error(), AllOf(HasSubstr("cannot write"), HasSubstr(reason)));
    }
    EXPECT_EQ(entries(), 1u);
}
