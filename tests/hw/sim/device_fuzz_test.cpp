// The simulated device under bytes that nobody meant.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hw/sim/device.h"
#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

// Bytes that nobody meant, among some that are nearly right: never a crash, never a state reached without its token,
// never a force above the limits, none at all outside ENABLED.
TEST(DeviceFuzz, RandomBytesNeverBringAForceAboveTheLimits) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Noise noise(seed);
        const auto below = [&](std::size_t n) {
            return static_cast<std::size_t>(noise.uniform() * static_cast<double>(n));
        };
        DeviceSetup setup = octave();
        setup.seed = seed;
        setup.max_packet = seed % 2 == 0 ? 512 : 1024;
        DeviceRig rig(setup);
        double last_N = 0;
        int moved = 0;
        const auto look = [&] {
            for (int k = 0; k < 8; ++k) {
                ASSERT_LE(std::abs(rig.force_N(k)), 24 + 1e-9);  // 3 A
                if (rig.device.state() != DeviceState::enabled) {
                    ASSERT_EQ(rig.force_N(k), 0);
                }
            }
            ASSERT_LE(std::abs(rig.force_N()) - std::abs(last_N), 5000 * kPlantStep_s + 1e-9);
            last_N = rig.force_N();
            moved += last_N != 0;
        };
        for (int i = 0; i < 3000; ++i) {
            const double what = noise.uniform();
            Bytes bytes(below(2200));
            for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(below(256));
            if (what < 0.1) {
                rig.device.on_out(bytes);
            } else if (what < 0.25) {
                const auto b = [&] { return static_cast<std::uint8_t>(below(256)); };
                rig.device.control({b(), b(), static_cast<std::uint16_t>(below(3)),
                                    static_cast<std::uint16_t>(below(3)), static_cast<std::uint16_t>(bytes.size())},
                                   bytes);
            } else if (what < 0.45) {
                // A sealed command or row with any content.
                const bool row = noise.uniform() < 0.3;
                bytes.resize(row ? 32 : 20);
                set(bytes, 0, (row ? 0x0001574Cu : 0x0001434Cu) | static_cast<std::uint32_t>(below(10)) << 24);
                if (noise.uniform() < 0.7) set(bytes, 4, rig.device.token());
                if (noise.uniform() < 0.5) set(bytes, 8, 0xCA11B001u);
                rig.write(row ? 5 : 4, sealed(bytes));
            } else {
                // A frame whose forces, time and one other byte are anything.
                std::vector<std::int16_t> forces(1 + below(8));
                const bool zero = noise.uniform() < 0.6;
                for (std::int16_t& f : forces) f = zero ? std::int16_t{0} : static_cast<std::int16_t>(below(65536));
                Bytes frame = rig.force_frame(forces, static_cast<std::uint8_t>(1u << below(4)),
                                              noise.uniform() < 0.5 ? 0 : rig.device.time_us() + below(2200));
                if (noise.uniform() < 0.1) frame[below(frame.size())] = static_cast<std::uint8_t>(below(256));
                rig.device.on_out_transfer(noise.uniform() < 0.95 ? sealed(frame) : frame);
            }
            if (i % 100 == 0) {  // somebody who knows how
                rig.set_interface();
                rig.enable();
            }
            for (std::size_t tick = below(60); tick > 0; --tick) {
                rig.run(kPlantStep_s);
                look();
            }
            rig.device.next_in();
        }
        EXPECT_GT(moved, 1000);
    }
}
