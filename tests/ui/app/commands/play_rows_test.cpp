#include "ui/app/commands/play_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace letoff::ui {
namespace {

using ::testing::HasSubstr;

RowTurned turned(const char* row, double value) {
    const auto change = osc_row({row, value, 0});
    EXPECT_TRUE(change.ok()) << row;
    return {change ? change.value() : RowChange{}, storage::kWholeInstrument};
}

// Else every row after it would be refused for the one that did not go together with a key's own.
TEST(PlayRows, WhatCannotBePlayedLeavesTheProfileAsItWas) {
    storage::Profile content{.name = "Mine", .action = "grand"};
    content.values[{49, "lever_height_mm"}] = {0.45, true};
    const storage::Profile before = content;
    const RowTurned beyond[] = {turned("catch_up", 40), turned("lever_height_mm", 0.9)};
    EXPECT_THAT(turn_rows(beyond, content).error(), HasSubstr("key 49"));
    EXPECT_EQ(content, before);
    const RowTurned good[] = {turned("catch_up", 40)};
    const auto touch = turn_rows(good, content);
    ASSERT_TRUE(touch.ok()) << touch.error();
    EXPECT_EQ(touch.value().catch_up_percent, 40);
    EXPECT_NE(content, before);
}

TEST(PlayRows, AnOscNumberIsReadAsItWasWritten) {
    const auto change = osc_row({"let_off_button_y_mm", 71.6F, 0});
    ASSERT_TRUE(change.ok()) << change.error();
    EXPECT_EQ(change.value().value, 71.6);
    EXPECT_FALSE(osc_row({"nothing_g", 1, 0}).ok());
}

}  // namespace
}  // namespace letoff::ui
