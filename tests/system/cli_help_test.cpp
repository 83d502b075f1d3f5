#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

TEST(CliHelp, EverySubcommandShowsItsOptionsAndAnExample) {
    const TempDir cache;
    const ProgramRun all = run_letoff({"--help"}, cache.path());
    EXPECT_EQ(all.status, 0);
    for (const std::string name : {"render", "simulate", "measure", "bench", "profile", "regulate", "tune", "record",
                                   "keyboard", "keybed", "devices", "doctor"}) {
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

TEST(CliHelp, BashCompletesSubcommandsOptionsAndTheirWords) {
    const TempDir folder;
    const std::filesystem::path script = folder.path() / "completion";
    std::ofstream(script) << run_letoff({"--bash-completion"}, folder.path()).out;
    const auto completed = [&](const std::string& words, int at) {
        const std::filesystem::path answer = folder.path() / "answer";
        const std::string line =
            fmt::format("bash -c 'source {}; COMP_WORDS=({}); COMP_CWORD={}; _letoff; echo \"${{COMPREPLY[*]}}\"' > {}",
                        script.string(), words, at, answer.string());
        EXPECT_EQ(std::system(line.c_str()), 0) << line;
        return read_text(answer);
    };
    EXPECT_EQ(completed("letoff pr", 1), "profile\n");
    EXPECT_EQ(completed("letoff profile hist", 2), "history\n");
    EXPECT_EQ(completed("letoff play --rt re", 3), "require\n");
    EXPECT_EQ(completed("letoff play --midi-v", 2), "--midi-velocity\n");
    EXPECT_EQ(completed("letoff render so", 2), "\n");  // bash goes on with names of files
}

TEST(CliHelp, TheManualSaysWhatHelpSays) {
    const TempDir cache;
    const ProgramRun run = run_letoff({"--man"}, cache.path());
    EXPECT_EQ(run.status, 0);
    for (const char* word :
         {".SH NAME", ".SS \"letoff play\"", ".SS \"letoff keybed enable\\-test\"", ".SH EXIT STATUS"}) {
        EXPECT_NE(run.out.find(word), std::string::npos) << word;
    }
}

TEST(CliHelp, Version) {
    const TempDir cache;
    const ProgramRun run = run_letoff({"--version"}, cache.path());
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(run.out.starts_with("letoff ")) << run.out;
}

}  // namespace
}  // namespace letoff::test
