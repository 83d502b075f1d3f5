#include "ui/app/removed_if_killed.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;

/// In a child: registers both, forgets the second, and dies by the signal. Returns how it ended.
int die_holding(const fs::path& held, const fs::path& let_go, int signal_number) {
    const pid_t child = fork();
    if (child == 0) {
        const RemovedIfKilled one(held);
        {
            const RemovedIfKilled two(let_go);
        }
        raise(signal_number);
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

TEST(RemovedIfKilled, ASignalRemovesWhatIsHeldAndStillEndsTheProgram) {
    const test::TempDir dir;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        const fs::path held = dir.write("held", "half"), let_go = dir.write("let_go", "whole");
        const int status = die_holding(held, let_go, number);
        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), number);
        EXPECT_FALSE(fs::exists(held));
        EXPECT_TRUE(fs::exists(let_go));
    }
}

TEST(RemovedIfKilled, OnlyOrdinaryFilesAreEverRemoved) {
    const test::TempDir dir;
    const fs::path link = dir.path() / "device";
    fs::create_symlink("/dev/null", link);
    die_holding(link, dir.write("other", ""), SIGTERM);
    EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace letoff::ui
