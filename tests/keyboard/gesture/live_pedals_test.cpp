#include "keyboard/gesture/live_pedals.h"

#include <gtest/gtest.h>

#include "tests/keyboard/gesture/live_keys.h"

namespace letoff::keyboard {
namespace {

// field_cases.md, case 10.
TEST(LivePedals, APedalThatTremblesByAStepStaysWhereItIs) {
    LiveStage stage;
    const auto pedal = [&](double time_s, int value) {
        stage.player.message(time_s, core::control_change(0, core::kSustainPedal, value));
    };
    pedal(0, 127);
    stage.run_to(0.1);
    ASSERT_EQ(stage.keybed.tray_share(), 1);
    for (int i = 0; i < 10; ++i) {
        pedal(0.1 + 0.01 * i, 126 + i % 2);
        stage.run_to(0.11 + 0.01 * i);
        EXPECT_EQ(stage.keybed.tray_share(), 1);
    }
    pedal(0.2, 125);  // two steps are meant
    stage.run_to(0.22);
    EXPECT_EQ(stage.keybed.tray_share(), 125.0 / 127);
    pedal(0.22, 1);
    pedal(0.23, 0);  // the ends always
    stage.run_to(0.3);
    EXPECT_EQ(stage.keybed.tray_share(), 0);
}

TEST(LivePedals, TheTrayFollowsTheDeepestPedalAsAFootWould) {
    LiveStage stage;
    stage.player.message(0.1, core::control_change(0, core::kSustainPedal, 127));
    stage.player.message(0.1, core::control_change(1, core::kSustainPedal, 64));
    stage.run_to(0.12);
    EXPECT_NEAR(stage.keybed.tray_share(), 0.5, 0.02);  // 40 ms for the whole travel
    stage.run_to(0.2);
    EXPECT_EQ(stage.keybed.tray_share(), 1.0);
    stage.player.message(0.2, core::control_change(0, core::kResetAllControllers, 0));
    stage.run_to(0.3);
    EXPECT_NEAR(stage.keybed.tray_share(), 64.0 / 127, 1e-12);
}

TEST(LivePedals, EveryPedalIsMovedByItsControllerAndLetGoByAReset) {
    LiveStage stage;
    stage.player.message(0.1, core::control_change(0, core::kSostenutoPedal, 127));
    stage.player.message(0.1, core::control_change(3, core::kSoftPedal, 100));
    stage.run_to(0.12);
    EXPECT_NEAR(stage.keybed.sostenuto(), 0.5, 0.02);
    EXPECT_FALSE(stage.player.idle());
    stage.run_to(0.2);
    EXPECT_EQ(stage.keybed.sostenuto(), 1);
    EXPECT_EQ(stage.keybed.una_corda(), 100.0 / 127);
    EXPECT_EQ(stage.keybed.tray_share(), 0);
    EXPECT_TRUE(stage.player.idle());
    stage.player.message(0.2, core::control_change(3, core::kResetAllControllers, 0));
    stage.run_to(0.3);
    EXPECT_EQ(stage.keybed.una_corda(), 0);
    EXPECT_EQ(stage.keybed.sostenuto(), 1);
    stage.player.release_all();
    stage.run_to(0.4);
    EXPECT_EQ(stage.keybed.sostenuto(), 0);
}

}  // namespace
}  // namespace letoff::keyboard
