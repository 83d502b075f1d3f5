#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using CliDoctor = ProfiledProgram;

TEST_F(CliDoctor, LooksAtEverythingAndLeavesNothingBehind) {
    const nlohmann::json report = reported({"doctor"});
    std::vector<std::string> checks;
    for (const auto& finding : report["findings"]) checks.push_back(finding["check"]);
    EXPECT_THAT(checks, testing::ElementsAre("real-time priority", "locked memory", "real-time throttle",
                                             "processor clock", "SIMD", "memory", "sound", "MIDI", "motorised keys",
                                             "touch profiles", "recordings", "finger tables", "room on the disk"));
    for (const auto& finding : report["findings"]) {
        EXPECT_EQ(finding["fix"].get<std::string>().empty(), finding["level"] == "good") << finding;
    }
    EXPECT_TRUE(names_in(data_.path()).empty());
    EXPECT_TRUE(names_in(cache_.path()).empty());
}

TEST_F(CliDoctor, ADatabaseThatCannotBeReadIsAFault) {
    const std::string file =
        data_.write("other.db", "this is no database, and long enough to be looked at as one: sixteen bytes and more");
    const ProgramRun done = run({"doctor", "--db", file});
    EXPECT_EQ(done.status, 1);
    EXPECT_THAT(done.out, testing::ContainsRegex("\nfault +touch profiles .*other.db"));
    expect_one_sentence(done.err);
    EXPECT_EQ(read_text(file).substr(0, 19), "this is no database");
}

TEST_F(CliDoctor, ThePlaceOfProfilesAndRecordingsIsNamed) {
    out({"profile", "copy", "concert", "Mine"});
    const ProgramRun done = run({"doctor"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, testing::HasSubstr("1 of your own in " + (data_.path() / "letoff/profiles.db").string()));
}

}  // namespace
}  // namespace letoff::test
