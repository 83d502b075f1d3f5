#include <string>

#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

TEST(CliHelp, EverySubcommandShowsItsOptionsAndAnExample) {
    const TempDir cache;
    const ProgramRun all = run_letoff({"--help"}, cache.path());
    EXPECT_EQ(all.status, 0);
    for (const std::string name :
         {"render", "simulate", "measure", "bench", "profile", "regulate", "tune", "record", "keyboard"}) {
        EXPECT_NE(all.out.find("\n  " + name + " "), std::string::npos) << name << " is missing in " << all.out;
        const ProgramRun one = run_letoff({name, "--help"}, cache.path());
        EXPECT_EQ(one.status, 0) << name;
        EXPECT_NE(one.out.find("Example: letoff " + name + " "), std::string::npos) << one.out;
        EXPECT_NE(one.out.find("--"), std::string::npos) << one.out;
        EXPECT_EQ(one.err, "") << name;
    }
}

TEST(CliHelp, HelpLeavesNoCache) {
    const TempDir cache;
    run_letoff({"render", "--help"}, cache.path());
    EXPECT_TRUE(names_in(cache.path()).empty());
}

TEST(CliHelp, Version) {
    const TempDir cache;
    const ProgramRun run = run_letoff({"--version"}, cache.path());
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(run.out.starts_with("letoff ")) << run.out;
}

}  // namespace
}  // namespace letoff::test
