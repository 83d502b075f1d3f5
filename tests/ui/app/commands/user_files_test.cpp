#include "ui/app/commands/user_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

using ::testing::HasSubstr;

TEST(UserFiles, AWholeFileIsReadOrNone) {
    const test::TempDir folder;
    const std::string text(100'000, 'x');
    EXPECT_EQ(read_csv_file(folder.write("long.csv", text), "a,b").value(), text);
    EXPECT_EQ(read_csv_file(folder.write("empty.csv", ""), "a,b").value(), "");
    for (const std::filesystem::path& wrong : {folder.path(), folder.path() / "none.csv"})
        EXPECT_THAT(read_csv_file(wrong, "a,b").error(), HasSubstr("a CSV file with the columns a,b is needed"));
    // Without its end it would be another measurement.
    const std::filesystem::path huge = folder.write("huge.csv", "");
    std::filesystem::resize_file(huge, (std::uintmax_t{1} << 26) + 1);
    EXPECT_THAT(read_csv_file(huge, "a,b").error(), HasSubstr("longer than the 64 MB"));
}

TEST(UserFiles, AFolderForPlotsIsMadeOrThereIsASentence) {
    const test::TempDir folder;
    EXPECT_EQ(make_plot_folder(folder.path() / "a/b"), "");
    EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a/b"));
    EXPECT_EQ(make_plot_folder(folder.path() / "a/b"), "");
    const std::string file = folder.write("file", "x");
    for (const std::string& wrong : {file, file + "/below"}) EXPECT_THAT(make_plot_folder(wrong), HasSubstr(wrong));
}

}  // namespace
}  // namespace letoff::ui
