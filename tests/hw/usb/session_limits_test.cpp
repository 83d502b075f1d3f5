// The limits of the force frames that the host sends, of rows that lower them.
#include <gtest/gtest.h>

#include "hw/usb/device_session.h"

namespace letoff::hw {
namespace {

double after(core::ForceLimits& limits, double wish_N, int ticks) {
    double force_N = 0;
    for (int i = 0; i < ticks; ++i) force_N = limits.next_N(wish_N);
    return force_N;
}

TEST(SessionLimits, ARowsNumbersInSi) {
    const KeyRow row{0, 20000, 0, 0, 20000, 10, 5000, 2000, 1000, 1, 1, 1};
    const core::ForceLimitSetting setting = limits_of(row);
    EXPECT_DOUBLE_EQ(setting.peak_N, 40);
    EXPECT_DOUBLE_EQ(setting.strong_N, 10);
    EXPECT_DOUBLE_EQ(setting.continuous_N, 4);
    EXPECT_DOUBLE_EQ(setting.slew_N_per_s, 2000);
    EXPECT_DOUBLE_EQ(setting.peak_s, 0.010);
    core::ForceLimits limits(setting, 1.0 / 4000);
    EXPECT_DOUBLE_EQ(after(limits, 100, 20), 10);  // 5 ms at 2 N/ms
    int above_10_N = 0;
    for (int i = 0; i < 400; ++i) above_10_N += limits.next_N(100) > 10 + 1e-9 ? 1 : 0;
    EXPECT_EQ(above_10_N, 40);  // 10 ms
    EXPECT_DOUBLE_EQ(after(limits, 100, 4000), 4);
}

TEST(SessionLimits, ARowThatPromisesTooMuchIsHeldToTheProtocols) {
    const KeyRow row{0, 20000, 0, 0, 65535, 65535, 65535, 65535, 65535, 1, 1, 1};
    core::ForceLimits limits(limits_of(row), 1.0 / 4000);
    int above_15_N = 0;
    double most_N = 0;
    for (int i = 0; i < 2000; ++i) {
        const double force_N = limits.next_N(1e6);
        above_15_N += force_N > 15 ? 1 : 0;
        most_N = std::max(most_N, force_N);
    }
    EXPECT_LE(above_15_N, 80);  // 20 ms
    EXPECT_LE(most_N, 60);
    EXPECT_GT(most_N, 50);
}

}  // namespace
}  // namespace letoff::hw
