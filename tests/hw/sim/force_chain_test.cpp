// On the way of a force from its wish to the motor, keybed, host and device each hold the limits by themselves, at
// their own ticks, whatever is asked for, whatever rows and settings lower, and whatever frames are lost. (Models,
// profiles and sensor data that wish: tests/haptics/limits_fuzz_test.cpp.)
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/fault/force_limits.h"
#include "hw/sim/device_guard.h"
#include "hw/sim/noise.h"
#include "hw/sim/plant.h"
#include "hw/usb/device_session.h"

namespace letoff::hw {
namespace {

/// What one place commands, judged from outside.
struct Watch {
    core::ForceLimitSetting most;
    double h_s = 0;
    double last_N = 0, above_strong_s = 0, above_continuous_s = 0, greatest_N = 0;
    bool holds(double force_N) {
        const double size_N = std::abs(force_N);
        // The wire's unit is 2 mN: half of it is rounding.
        bool good = std::isfinite(force_N) && size_N <= most.peak_N;
        good = good && size_N - std::abs(last_N) <= most.slew_N_per_s * h_s + 0.0021 && force_N * last_N >= 0;
        above_strong_s = size_N > most.strong_N + 0.0011 ? above_strong_s + h_s : 0;
        above_continuous_s = size_N > most.continuous_N + 0.0011 ? above_continuous_s + h_s : 0;
        good = good && above_strong_s <= most.peak_s + 1e-9 && above_continuous_s <= 1 + 1e-9;
        last_N = force_N;
        greatest_N = std::max(greatest_N, size_N);
        return good;
    }
};

/// Strokes, steps, pulses, chatter and nonsense.
class Wishes {
  public:
    explicit Wishes(std::uint64_t seed) : noise_(seed) {}
    double next() {
        if (left_-- <= 0) {
            left_ = static_cast<int>(noise_.uniform() * 3000);
            kind_ = static_cast<int>(noise_.uniform() * 6);
            size_N_ = 120 * (noise_.uniform() - 0.5);
        }
        switch (kind_) {
            case 0:
                return size_N_;
            case 1:
                return left_ % 80 < 40 ? size_N_ : 0;
            case 2:
                return left_ % 2 == 0 ? size_N_ : -size_N_;
            case 3:
                return 0.1 * size_N_ + noise_.normal();
            case 4:
                return 40 * noise_.normal();
            default:
                return left_ % 50 == 0 ? nonsense() : 0.2 * size_N_;
        }
    }

  private:
    double nonsense() {
        constexpr std::array<double, 5> kNonsense{std::numeric_limits<double>::quiet_NaN(),
                                                  std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity(), 1e300, -1e300};
        return kNonsense[static_cast<std::size_t>(noise_.uniform() * kNonsense.size())];
    }
    Noise noise_;
    int left_ = 0, kind_ = 0;
    double size_N_ = 0;
};

std::uint16_t some(Noise& noise, std::uint16_t most) {
    return noise.uniform() < 0.5 ? most : static_cast<std::uint16_t>(1 + noise.uniform() * (most - 1));
}

void expect_limits(std::int64_t key_ticks) {
    constexpr int kTicksEach = 20'000;
    double greatest_N = 0;
    for (std::uint64_t seed = 1; key_ticks > 0; ++seed, key_ticks -= kTicksEach) {
        Noise noise(seed);
        const int hz = 1000 << seed % 4;
        firmware::KeyRow row;
        row.peak_force = some(noise, 30000);
        row.second_force = std::min(row.peak_force, some(noise, 7500));
        row.continuous_force = std::min(row.second_force, some(noise, 2500));
        row.peak_ms = some(noise, 20);
        row.slew = some(noise, 2500);
        row.temperature_limit = 900;
        const KeyRow host_row{
            0, 20000, 0, 0, row.peak_force, row.peak_ms, row.second_force, row.continuous_force, row.slew, 1, 1, 1};
        const firmware::KeyLimits device_limits = firmware::KeyLimits::of(row);
        const core::ForceLimitSetting device_most{device_limits.peak_N, device_limits.second_N,
                                                  device_limits.continuous_N, device_limits.slew_Nps,
                                                  device_limits.peak_s};
        core::ForceLimits keybed({}, 1.0 / hz), host(limits_of(host_row), 1.0 / hz);
        firmware::ForceGuard guard;
        Watch keybed_watch{.most = {}, .h_s = 1.0 / hz}, host_watch{.most = device_most, .h_s = 1.0 / hz},
            device_watch{.most = device_most, .h_s = kPlantStep_s};
        Wishes wishes(1000 + seed);
        double sent_N = 0;
        for (int tick = 0; tick < kTicksEach; ++tick) {
            const double wished_N = keybed.next_N(wishes.next());
            ASSERT_TRUE(keybed_watch.holds(wished_N)) << "seed " << seed << ", tick " << tick << ": " << wished_N;
            const double on_wire_N = 0.002 * std::round(host.next_N(wished_N) / 0.002);
            ASSERT_TRUE(host_watch.holds(on_wire_N)) << "seed " << seed << ", tick " << tick << ": " << on_wire_N;
            if (noise.uniform() < 0.98) sent_N = on_wire_N;  // else the frame is lost
            // A host gone mad, too: the device believes nobody.
            if (noise.uniform() < 0.002) sent_N = 130 * (noise.uniform() - 0.5);
            const double hot_C = noise.uniform() < 0.001 ? 85 : 25;
            for (int step = 0; step < kPlant_hz / hz; ++step) {
                const double force_N = guard.tick(sent_N, hot_C, device_limits, kPlantStep_s);
                ASSERT_TRUE(device_watch.holds(force_N)) << "seed " << seed << ", tick " << tick << ": " << force_N;
            }
            if (noise.uniform() < 0.0005) {
                host.stop();
                guard.off(device_limits, kPlantStep_s);
                sent_N = 0;
                host_watch.last_N = device_watch.last_N = 0;
            }
        }
        greatest_N = std::max(greatest_N, device_watch.greatest_N);
    }
    EXPECT_GT(greatest_N, 40) << "the fuzzer reaches strong forces";
}

TEST(ForceChain, ThreePlacesHoldTheLimitsByThemselves) {
    expect_limits(1'000'000);
}

TEST(ForceChainLong, TenMillionKeyTicks) {
    expect_limits(10'000'000);
}

}  // namespace
}  // namespace letoff::hw
