// letoff profile export and import: the whole way through the program.
#include <gmock/gmock.h>

#include "tests/system/cli_profile_fixture.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(CliProfile, ExportImportExportIsTheSameToTheByte) {
    make_mine();
    out({"regulate", "Mine", "--key", "A4,C8", "lever_height_mm=+0.123456789"});
    out({"profile", "note", "Mine", "Two lines,\nand \"quotes\" – ü."});
    EXPECT_EQ(out({"profile", "export", "Mine", "-o", in("a.json")}), "");
    const std::string first = read_text(in("a.json"));
    EXPECT_EQ(out({"profile", "export", "Mine"}), first);

    const std::string other = in("other.db");
    EXPECT_THAT(out({"profile", "import", in("a.json"), "--db", other}), HasSubstr("Mine, revision 1: imported"));
    EXPECT_EQ(out({"profile", "export", "Mine", "--db", other}), first);

    expect_failure(1, {"profile", "import", in("a.json")}, "--as another name, or --replace");
    EXPECT_THAT(out({"profile", "import", in("a.json"), "--as", "Hers"}), HasSubstr("Hers, revision 1"));
    EXPECT_THAT(out({"profile", "import", in("a.json"), "--replace"}), HasSubstr("Mine, revision 4"));
    EXPECT_EQ(reported({"profile", "diff", "Mine", "Hers"})["values"].size(), 0u);
    EXPECT_EQ(out({"profile", "export", "Mine@3"}), first);
}

TEST_F(CliProfile, ARefusedFileLeavesTheDatabaseAsItWas) {
    make_mine();
    out({"profile", "list"});  // makes the backup copy
    const std::string before = read_text(database());
    const std::string good = out({"profile", "export", "Mine"});
    const auto with = [&](const std::string& old_text, const std::string& new_text) {
        std::string text = good;
        return folder_.write("bad.json", text.replace(text.find(old_text), old_text.size(), new_text)).string();
    };
    expect_failure(1, {"profile", "import", with("\"version\": 1", "\"version\": 2"), "--replace"}, "newer build");
    expect_failure(1,
                   {"profile", "import", with("\"values\": {}", "\"values\": {\"lever_height_mm\": 7}"), "--replace"},
                   "between -1 and 1 mm");
    expect_failure(
        1,
        {"profile", "import", with("\"keys\": {}", "\"keys\": {\"49\": {\"lever_height_mm\": {\"relative\": 1.5}}}"),
         "--replace"},
        "key 49");
    expect_failure(1, {"profile", "import", with("{", "["), "--replace"}, "not JSON");
    expect_failure(1, {"profile", "import", in("none.json")}, "none.json");
    EXPECT_EQ(read_text(database()), before);
    EXPECT_FALSE(fs::exists(database().string() + "-wal"));
}

TEST_F(CliProfile, UnknownRowsComeBackAndTheProfilePlaysWithAWarning) {
    const std::string file = folder_.write("p.json", R"({"format": "letoff-profile", "version": 1, "name": "New",
        "action": "grand", "values": {"let_off_of_2030_mm": 1.5}, "sound_of_2030": {"reverb": 0.5}})");
    out({"profile", "import", file});
    const json again = json::parse(out({"profile", "export", "New"}));
    EXPECT_EQ(again["values"]["let_off_of_2030_mm"], 1.5);
    EXPECT_EQ(again["sound_of_2030"]["reverb"], 0.5);
    const ProgramRun measured = run({"measure", "--key", "A4", "--profile", "New", "--json"});
    EXPECT_EQ(measured.status, 0);
    EXPECT_THAT(measured.err, AllOf(HasSubstr("warning"), HasSubstr("let_off_of_2030_mm")));
}

}  // namespace
}  // namespace letoff::test
