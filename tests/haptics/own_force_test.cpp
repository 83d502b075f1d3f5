// Issue 7, "done when" 1: what the finger feels follows the action model's own force.
#include "tests/haptics/own_force.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace letoff::test {
namespace {

const keyboard::TestKey& fine_a4() {
    static const keyboard::TestKey key = fine_key(keyboard::a4_build());
    return key;
}

Difference followed(const hw::DeviceNumbers& device, Stroke stroke, CountStrikes* strikes = nullptr) {
    RigSetting setting;
    setting.device = device;
    const Compared c = compare(keyboard::a4(), fine_a4(), setting, stroke, strikes);
    return difference(c.felt, c.same_fingertip, 1.0 / setting.tick_hz);
}

class OwnForce : public testing::TestWithParam<std::tuple<bool, Stroke>> {};

TEST_P(OwnForce, IsFeltWithinFivePercent) {
    const auto [lever, stroke] = GetParam();
    CountStrikes strikes;
    const Difference d = followed(lever ? hw::light_lever() : hw::wooden_key(), stroke, &strikes);
    EXPECT_LT(d.rms_share, 0.05);
    EXPECT_GT(d.range_N, stroke == Stroke::slow ? 0.8 : 5.0);
    if (stroke == Stroke::mf) {
        EXPECT_EQ(strikes.strikes, 1);
        EXPECT_NEAR(strikes.fastest_mps, 2.8, 0.2);
    }
    if (stroke == Stroke::repetition) {
        EXPECT_EQ(strikes.strikes, 6);
    }
}

INSTANTIATE_TEST_SUITE_P(Strokes, OwnForce, testing::Combine(testing::Bool(), testing::ValuesIn(kStrokes)));

// Field case 64: cogging makes small forces stall.
TEST(OwnForceOfOtherDevices, CoggingOfATenthOfANewtonIsFeltAsNoMore) {
    hw::DeviceNumbers device = hw::wooden_key();
    device.motor.cogging_N = 0.1;
    const Difference d = followed(device, Stroke::slow);
    // Nothing measures the force, so the cogs' 0.071 N rms are felt: and no more than they and what was there.
    EXPECT_LT(d.rms_share * d.range_N, 0.071 + 0.02);
}

TEST(OwnForceLong, AtTheDelaysOfTheIssue) {
    std::printf("%-12s %8s %-11s %s\n", "device", "delay", "stroke",
                "rms of (max - min): same fingertip, hand, key; range");
    for (const bool lever : {false, true}) {
        for (const double delay_ms : {0.25, 0.5, 1.0, 2.0}) {
            for (const Stroke stroke : kStrokes) {
                RigSetting setting;
                setting.device = with_delay(lever ? hw::light_lever() : hw::wooden_key(), delay_ms * 1e-3);
                const Compared c = compare(keyboard::a4(), fine_a4(), setting, stroke);
                const double h_s = 1.0 / setting.tick_hz;
                const Difference d = difference(c.felt, c.same_fingertip, h_s);
                std::printf("%-12s %5.2f ms %-11s %5.1f %% %5.1f %% %5.1f %%  %.2f N\n", setting.device.name.data(),
                            delay_ms, name_of(stroke), 100 * d.rms_share,
                            100 * difference(c.felt, c.same_hand, h_s).rms_share,
                            100 * difference(c.felt, c.same_key, h_s).rms_share, d.range_N);
                EXPECT_LT(d.rms_share, delay_ms < 0.3 ? 0.05 : 0.2);
            }
        }
    }
}

}  // namespace
}  // namespace letoff::test
