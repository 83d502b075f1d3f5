#include "core/midi/controller_pairs.h"

#include <gtest/gtest.h>

using namespace letoff::core;

TEST(ControllerPairs, LowerHalvesRefineAndUpperOnesBeginAnew) {
    ControllerPairs pairs;
    EXPECT_FALSE(pairs.see(control_change(0, 36, 5)));  // no upper half yet
    EXPECT_EQ(pairs.see(control_change(0, 4, 64))->value, 64 * 128);
    const auto fine = pairs.see(control_change(0, 36, 5));
    EXPECT_EQ(fine->value, 64 * 128 + 5);
    EXPECT_EQ(fine->number, 4);
    EXPECT_EQ(pairs.see(control_change(0, 36, 100))->value, 64 * 128 + 100);
    EXPECT_EQ(pairs.see(control_change(0, 4, 65))->value, 65 * 128);
    EXPECT_FALSE(pairs.see(control_change(1, 36, 5)));  // of another channel
    EXPECT_FALSE(pairs.see(control_change(0, 64, 5)));  // one of seven bits
}

TEST(ControllerPairs, ParametersAreSelectedSetSteppedAndLeft) {
    ControllerPairs pairs;
    EXPECT_FALSE(pairs.see(control_change(2, 6, 1)));
    pairs.see(control_change(2, 101, 0));
    pairs.see(control_change(2, 100, 1));
    auto value = pairs.see(control_change(2, 6, 64));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->kind, WideControl::Kind::registered);
    EXPECT_EQ(value->channel, 2);
    EXPECT_EQ(value->number, 1);
    EXPECT_EQ(value->value, 8192);
    EXPECT_EQ(pairs.see(control_change(2, 38, 3))->value, 8195);
    EXPECT_EQ(pairs.see(control_change(2, 97, 0))->value, 8194);
    EXPECT_EQ(pairs.see(control_change(2, 96, 0))->value, 8195);
    pairs.see(control_change(2, 101, 127));
    pairs.see(control_change(2, 100, 127));
    EXPECT_FALSE(pairs.see(control_change(2, 6, 1)));
    pairs.see(control_change(2, 99, 1));
    pairs.see(control_change(2, 98, 2));
    value = pairs.see(control_change(2, 6, 1));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->kind, WideControl::Kind::other);
    EXPECT_EQ(value->number, 130);
}

TEST(ControllerPairs, ResetsForget) {
    ControllerPairs pairs;
    pairs.see(control_change(0, 4, 64));
    pairs.see(control_change(0, kResetAllControllers, 0));
    EXPECT_FALSE(pairs.see(control_change(0, 36, 5)));
}
