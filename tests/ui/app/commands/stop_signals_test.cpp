#include "ui/app/commands/stop_signals.h"

#include <gtest/gtest.h>

namespace letoff::ui {
namespace {

using namespace std::chrono_literals;

TEST(StopSignals, ASecondOneWhileItEndsIsNoDeath) {
    {
        const StopSignals signals;
        EXPECT_FALSE(signals.wait(0ns));
        raise(SIGTERM);
        EXPECT_TRUE(signals.wait(1s));
        EXPECT_FALSE(signals.wait(0ns)) << "each is taken once";
        raise(SIGTERM);
        raise(SIGINT);
    }
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGTERM) + sigismember(&pending, SIGINT), 0);
}

}  // namespace
}  // namespace letoff::ui
