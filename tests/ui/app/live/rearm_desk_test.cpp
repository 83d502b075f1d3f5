#include "ui/app/live/rearm_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>

namespace letoff::ui {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RearmDesk, WhoeverComesIsToldWhatBecameOfIt) {
    const auto desk = RearmDesk::open();
    ASSERT_NE(desk, nullptr);
    EXPECT_EQ(RearmDesk::open(), nullptr);  // one a program
    int asked = 0;
    const auto rearm = [&asked] {
        ++asked;
        return std::string("armed again. K1: its cable was pulled.");
    };
    desk->serve(rearm);
    EXPECT_EQ(asked, 0);
    auto answers = std::async(std::launch::async, ask_to_rearm);
    while (answers.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) desk->serve(rearm);
    // Another letoff of this user may play on this machine.
    EXPECT_THAT(answers.get(), Contains("armed again. K1: its cable was pulled."));
    EXPECT_EQ(asked, 1);
}

TEST(RearmDesk, NothingIsLeftBehind) {
    {
        const auto desk = RearmDesk::open();
    }
    EXPECT_NE(RearmDesk::open(), nullptr);
}

TEST(RearmDesk, DesksOfOthersAreNotGoneTo) {
    const std::string sockets =
        "Num       RefCount Protocol Flags    Type St Inode Path\n"
        "0000000000000000: 00000002 00000000 00010000 0005 01  1000 @letoff-keybed-1000-17\n"
        "0000000000000000: 00000003 00000000 00000000 0005 03  1001 @letoff-keybed-1000-17\n"
        "0000000000000000: 00000002 00000000 00010000 0005 01  1002 @letoff-keybed-10-18\n"
        "0000000000000000: 00000002 00000000 00010000 0001 01  1003 /run/dbus/letoff-keybed-1000-19\n"
        "0000000000000000: 00000002 00000000 00010000 0005 01  1004 @letoff-keybed-1000-20";
    EXPECT_THAT(desks_in(sockets, 1000), ElementsAre("letoff-keybed-1000-17", "letoff-keybed-1000-20"));
    EXPECT_THAT(desks_in(sockets, 10), ElementsAre("letoff-keybed-10-18"));
    EXPECT_THAT(desks_in(sockets, 1), IsEmpty());
    EXPECT_THAT(desks_in("", 1000), IsEmpty());
}

}  // namespace
}  // namespace letoff::ui
