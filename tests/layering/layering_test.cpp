#include <gtest/gtest.h>

#include <string>

#include "tests/layering/layering_rules.h"
#include "tests/support/temp_dir.h"

namespace letoff::test {
namespace {

TEST(LayeringTest, OurTreeKeepsTheRules) {
    const Scan scan = scan_tree(LETOFF_SOURCE_DIR);
    EXPECT_GT(scan.files, 30) << "the scan did not find the tree in " << LETOFF_SOURCE_DIR;
    for (const std::string& finding : scan.findings) ADD_FAILURE() << finding;
}

bool may(std::string_view file, std::string_view header, bool quoted = true) {
    return !objection_to(file, header, quoted);
}

TEST(LayeringTest, OurFoldersMeetOnlyInCore) {
    EXPECT_TRUE(may("core/rt/ring.h", "core/unit/keys.h"));
    EXPECT_FALSE(may("core/rt/ring.h", "keyboard/keybed/keybed.h"));
    for (std::string folder : {"keyboard", "audio", "storage", "hw"}) {
        EXPECT_TRUE(may(folder + "/a.cpp", "core/result.h"));
        EXPECT_TRUE(may(folder + "/a.cpp", folder + "/b.h"));
        for (std::string other : {"keyboard", "audio", "storage", "hw", "ui/app", "ui/api"}) {
            EXPECT_EQ(may(folder + "/a.cpp", other + "/b.h"), other == folder) << folder << " " << other;
        }
    }
    EXPECT_TRUE(may("ui/api/a.cpp", "storage/b.h"));
    EXPECT_FALSE(may("ui/api/a.cpp", "keyboard/b.h"));
    EXPECT_FALSE(may("ui/api/a.cpp", "ui/app/b.h"));
    EXPECT_TRUE(may("ui/app/a.cpp", "keyboard/b.h"));
    EXPECT_TRUE(may("ui/app/a.cpp", "ui/api/b.h"));
    EXPECT_FALSE(may("ui/app/a.cpp", "tests/support/b.h"));
    EXPECT_FALSE(may("ui/a.cpp", "core/result.h"));
}

TEST(LayeringTest, IncludePathsOfOursStartAtTheRoot) {
    EXPECT_FALSE(may("core/rt/ring.h", "cache_line.h"));
    EXPECT_FALSE(may("core/rt/ring.h", "../unit/keys.h"));
    EXPECT_FALSE(may("core/rt/ring.h", "core/unit/keys.h", false));
}

TEST(LayeringTest, ThirdPartyHeadersStayInTheirFolder) {
    for (std::string file :
         {"core/x.cpp", "keyboard/x.cpp", "audio/x.cpp", "storage/x.cpp", "hw/x.cpp", "ui/app/x.cpp"}) {
        EXPECT_TRUE(may(file, "Eigen/Dense", false));
        EXPECT_TRUE(may(file, "hwy/highway.h"));
        EXPECT_TRUE(may(file, "vector", false));
        EXPECT_TRUE(may(file, "sys/mman.h", false));
        EXPECT_FALSE(may(file, "boost/asio.hpp", false));
        EXPECT_FALSE(may(file, "tbb/parallel_for.h", false));
        EXPECT_EQ(may(file, "sndfile.h", false), is_in(file, "audio")) << file;
        EXPECT_EQ(may(file, "RtAudio.h", false), is_in(file, "audio")) << file;
        EXPECT_EQ(may(file, "rtmidi/RtMidi.h", false), is_in(file, "hw")) << file;
        EXPECT_EQ(may(file, "libusb-1.0/libusb.h", false), is_in(file, "hw")) << file;
        EXPECT_EQ(may(file, "SQLiteCpp/Database.h", false), is_in(file, "storage")) << file;
        EXPECT_EQ(may(file, "sqlite3.h", false), is_in(file, "storage")) << file;
        EXPECT_EQ(may(file, "nlohmann/json.hpp", false), is_in(file, "storage") || is_in(file, "ui")) << file;
        EXPECT_EQ(may(file, "CLI/CLI.hpp", false), is_in(file, "ui")) << file;
        EXPECT_EQ(may(file, "spdlog/spdlog.h", false), is_in(file, "ui")) << file;
    }
    EXPECT_TRUE(may("core/rt/tbb_executor.cpp", "tbb/parallel_for.h", false));
}

TEST(LayeringTest, AFindingNamesFileAndLine) {
    const TempDir tree;
    tree.write("keyboard/action/grand.h",
               "// A grand.\n#pragma once\n\n  #  include \"audio/mixer.h\"\n#include <vector>\n");
    std::string lines;
    for (int i = 0; i < kMostLines; ++i) lines += "//\n";
    tree.write("audio/just_short_enough.cpp", lines);
    tree.write("tests/too_long_test.cpp", lines + "//\n");
    tree.write("core/rt/notes.md", "#include \"audio/mixer.h\"\n");
    const Scan scan = scan_tree(tree.path());
    EXPECT_EQ(scan.files, 3);
    ASSERT_EQ(scan.findings.size(), 2u);
    EXPECT_EQ(scan.findings[0], "keyboard/action/grand.h:4: audio/mixer.h: keyboard may not include audio");
    EXPECT_EQ(scan.findings[1], "tests/too_long_test.cpp:501: longer than 500 lines");
}

}  // namespace
}  // namespace letoff::test
