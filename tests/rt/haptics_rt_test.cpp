// Real ticks of 88 keys that are live, under the guard.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "core/rt/denormals.h"
#include "core/rt/executor.h"
#include "tests/keyboard/keybed/piano_keys.h"
#include "tests/rt/rt_guard.h"

namespace letoff::test {
namespace {

TEST(HapticsRt, TicksOf88LiveKeysKeepTheRules) {
    const auto executor = std::move(core::make_executor("inline", 1).value());
    keyboard::Keybed keybed(keyboard::piano_keys(), 4000, *executor);
    const keyboard::HapticValues values = keyboard::haptic_defaults();
    keybed.use_haptics({&values, 1});
    core::KeyMotion motion;
    const core::DenormalsOff denormals_off;

    RtGuard guard;
    for (int tick = 0; tick < 600; ++tick) {
        motion.time_s = keybed.now_s();
        for (std::size_t k = 0; k < core::kKeyCount; ++k) {
            motion.live[k] = tick < 500 || k % 2 == 0;  // half of them go away, one says nonsense
            motion.dip_m[k] = std::min(0.0095, 1e-5 * std::max(0, tick - 400));
            motion.dip_speed_mps[k] = tick > 400 ? 0.04 : 0.0;
        }
        if (tick == 550) motion.dip_m[0] = std::numeric_limits<double>::quiet_NaN();
        keybed.take_motion(motion);
        keybed.tick(nullptr, nullptr);
    }
    guard.disarm();
    EXPECT_EQ(guard.total(), 0) << guard.report();
    EXPECT_EQ(keybed.haptics().counts().live, 44);
    EXPECT_EQ(keybed.haptics().counts().faults, 1);
    EXPECT_GT(keybed.forces().force_N[40], 0.1);
    EXPECT_EQ(keybed.forces().force_N[41], 0.0);
    EXPECT_EQ(keybed.faults(), 0);
}

}  // namespace
}  // namespace letoff::test
