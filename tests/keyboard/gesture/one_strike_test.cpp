// A pressed and held key strikes its strings once: the jack lets go, and the check keeps the hammer that comes back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/midi/velocity.h"
#include "core/rt/executor.h"
#include "core/unit/key_name.h"
#include "tests/keyboard/gesture/throws.h"

namespace letoff::keyboard {
namespace {

/// Which of the keys before `keys_end` strike more or less than once when held, at which velocities.
std::string not_once(int keys_end, std::span<const int> midi_velocities) {
    std::vector<double> speeds_mps;
    for (const int mv : midi_velocities) speeds_mps.push_back(core::speed_mps_of_midi_velocity(mv));
    const auto executor = std::move(core::make_executor("inline", 1).value());
    std::string wrong;
    for (int first = 0; first < keys_end; first += core::kLanes) {
        const std::vector<LaneThrows> throws = Thrower(first, core::kLanes).find(speeds_mps);
        Keybed settled(piano_keys(first, core::kLanes), Thrower::kTick_hz, *executor);
        settled.settle();
        for (size_t s = 0; s < speeds_mps.size(); ++s) {
            Keybed keybed = settled;
            KeptEvents events;
            for (int l = 0; l < core::kLanes; ++l)
                keybed.press(l, 0, throws[s][static_cast<size_t>(l)].acceleration_mps2);
            for (int tick = 0; tick < Thrower::kTick_hz * 7 / 10; ++tick) keybed.tick(nullptr, &events);
            for (int key = first; key < std::min(first + core::kLanes, keys_end); ++key) {
                std::string told;
                int strikes = 0;
                for (const core::Strike& strike : events.strikes) {
                    if (strike.key_index != key) continue;
                    ++strikes;
                    told +=
                        fmt::format(" {:.3f} m/s at {:.1f} ms", strike.hammer_speed_mps, 1e3 * strike.strike_time_s);
                }
                if (strikes != 1)
                    wrong += fmt::format("{} at MIDI velocity {}:{}\n", core::key_name(key), midi_velocities[s], told);
            }
        }
    }
    return wrong;
}

TEST(OneStrike, AHeldKeyStrikesOnceAtEveryBlowOf1mpsOrMoreOnEveryKey) {
    constexpr std::array kVelocities{58, 63, 68, 73, 78, 83, 88, 93, 98, 103, 108, 113, 118, 123, 127};
    EXPECT_EQ(not_once(core::kKeyCount, kVelocities), "");
}

TEST(OneStrike, AHeldKeyStrikesOnceAtEverySofterBlowOnEveryKey) {
    constexpr std::array kVelocities{1, 7, 13, 19, 25, 29, 31, 33, 35, 37, 39, 41, 43, 46, 49, 52, 55};
    EXPECT_EQ(not_once(core::kKeyCount, kVelocities), "");
}

}  // namespace
}  // namespace letoff::keyboard
