// The hammer's tail must pass the backcheck freely on its way up, whatever key and touch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/midi/velocity.h"
#include "core/unit/key_name.h"
#include "tests/keyboard/gesture/throws.h"

namespace letoff::keyboard {
namespace {

TEST(Tail, MeetsTheBackcheckOnNoKeyBeforeTheHammerMeetsTheStrings) {
    std::vector<double> speeds_mps;
    for (int mv = 1; mv <= 127; mv += 6) speeds_mps.push_back(core::speed_mps_of_midi_velocity(mv));
    const double loudest_mps = 1.01 * core::speed_mps_of_midi_velocity(127);
    std::string wrong;
    for (int first = 0; first < core::kKeyCount; first += core::kLanes) {
        const Thrower thrower(first, core::kLanes);
        const auto found = thrower.find(
            speeds_mps,
            [&](int lane, const Throw& t) {
                if (t.tail_N > 0 && t.speed_mps > 0 && t.speed_mps < loudest_mps) {
                    wrong += fmt::format("{} at MIDI velocity {:.1f}: {:.3f} N\n", core::key_name(first + lane),
                                         core::midi_velocity_of_speed(t.speed_mps), t.tail_N);
                }
            },
            0.01);
        for (size_t s = 0; s < speeds_mps.size(); ++s) {
            for (size_t l = 0; l < core::kLanes; ++l) {
                EXPECT_NEAR(found[s][l].speed_mps, speeds_mps[s], 0.02 * speeds_mps[s]) << first + static_cast<int>(l);
            }
        }
    }
    EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace letoff::keyboard
