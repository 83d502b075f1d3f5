#include <gtest/gtest.h>
#include <signal.h>

#include "ui/app/commands/keybed.h"

namespace letoff::ui {
namespace {

// Calibrating opens one session after the other, the second to move the motors: who pressed Ctrl-C wants neither.
TEST(KeybedSession, WhoPressedCtrlCIsNotAskedForMore) {
    KeybedOptions options;
    options.title = "keybed calibrate";
    options.keybed = "sim";
    options.wait_s = 30;
    KeybedSession first;
    ASSERT_EQ(first.open(options, {}, false), kDone);
    ASSERT_EQ(::raise(SIGINT), 0);
    EXPECT_FALSE(first.wait(0.001, 60, [] { return false; }));
    EXPECT_LT(first.clock.now_s(), 60);
    KeybedSession second;
    testing::internal::CaptureStderr();
    EXPECT_EQ(second.open(options, {}, false), kFailed);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "letoff keybed calibrate: it was interrupted\n");
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
}

}  // namespace
}  // namespace letoff::ui
