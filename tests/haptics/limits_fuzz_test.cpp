// Issue 7, "done when" 4: never a command above the limits, whatever model, numbers and readings say.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "hw/sim/noise.h"
#include "tests/haptics/rig.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::test {
namespace {

using keyboard::KeyBuild;

/// What one key's commands have been.
struct Watch {
    double last_N = 0, above_15_s = 0, above_5_s = 0;
    void see(double force_N, double h_s) {
        const double size_N = std::abs(force_N);
        ASSERT_TRUE(std::isfinite(force_N));
        ASSERT_LE(size_N, 60.0);
        ASSERT_LE(size_N - std::abs(last_N), 5000 * h_s + 1e-9) << last_N << " to " << force_N;
        ASSERT_FALSE(last_N * force_N < 0) << last_N << " to " << force_N;
        above_15_s = size_N > 15 ? above_15_s + h_s : 0;
        above_5_s = size_N > 5 ? above_5_s + h_s : 0;
        ASSERT_LE(above_15_s, 0.020 + 1e-9);
        ASSERT_LE(above_5_s, 1.0 + 1e-9);
        last_N = force_N;
    }
};

/// Any of a technician's numbers, each at one of its ends or between; most as they are.
KeyBuild random_build(hw::Noise& noise) {
    KeyBuild build = keyboard::a4_build();
    build.strings = nullptr;
    for (std::size_t i = 0; i < keyboard::kGrandRowCount; ++i) {
        const core::Row& row = keyboard::kGrandRows[i];
        if (row.live == core::Live::kNobody || noise.uniform() < 0.9) continue;
        const double share = noise.uniform();
        build.values[i] = share < 0.2   ? row.minimum
                          : share > 0.8 ? row.maximum
                                        : row.minimum + share * (row.maximum - row.minimum);
    }
    build.damped = noise.uniform() < 0.8;
    return build;
}

keyboard::HapticValues random_values(hw::Noise& noise) {
    keyboard::HapticValues v = keyboard::haptic_defaults();
    for (std::size_t i = 0; i < v.size(); ++i) {
        const core::Row& row = keyboard::kHapticRows[i];
        const double share = noise.uniform();
        if (share < 0.5) continue;
        // Beyond the row's ends too: what is stored may be anything.
        v[i] = share < 0.6   ? row.minimum + noise.uniform() * (row.maximum - row.minimum)
               : share < 0.8 ? 1e3 * (noise.uniform() - 0.5)
               : share < 0.9 ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    return v;
}

/// Readings from plausible strokes to nonsense.
class Readings {
  public:
    explicit Readings(std::uint64_t seed) : noise_(seed) {}
    void next(double now_s, double h_s, core::KeyMotion& motion, std::size_t key) {
        if (left_-- <= 0) {
            left_ = static_cast<int>(noise_.uniform() * 400);
            kind_ = static_cast<int>(noise_.uniform() * 10);
            target_mps_ = 2 * (noise_.uniform() - 0.5);
        }
        v_ += (target_mps_ - v_) * 0.05;
        x_ += h_s * v_;
        if (x_ > 0.0105 || x_ < -0.0005) v_ = -0.3 * v_;
        x_ = std::clamp(x_, -0.001, 0.011);
        motion.time_s = now_s;
        motion.live[key] = kind_ != 8;
        motion.dip_m[key] = x_;
        motion.dip_speed_mps[key] = v_;
        switch (kind_) {
            case 5:
                motion.dip_m[key] = x_ + 0.01 * noise_.normal();
                break;
            case 6:
                motion.dip_speed_mps[key] = 8 * noise_.normal();
                break;
            case 7:
                motion.dip_m[key] = left_ % 7 == 0 ? nonsense() : x_;
                break;
            case 9:
                motion.dip_speed_mps[key] = left_ % 5 == 0 ? nonsense() : -v_;
                break;
            default:
                break;
        }
    }

  private:
    double nonsense() {
        constexpr std::array<double, 6> kNonsense{std::numeric_limits<double>::quiet_NaN(),
                                                  std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity(),
                                                  1e300,
                                                  0.029,
                                                  -0.029};
        return kNonsense[static_cast<std::size_t>(noise_.uniform() * kNonsense.size())];
    }
    hw::Noise noise_;
    int left_ = 0, kind_ = 0;
    double x_ = 0, v_ = 0, target_mps_ = 0;
};

/// Blocks of eight keys, each another model with other numbers, at the four rates.
void expect_limits(std::int64_t key_ticks) {
    constexpr int kTicksEach = 4000;
    const auto executor = std::move(core::make_executor("inline", 1).value());
    std::int64_t done = 0, limited = 0, faults = 0;
    double most_N = 0;
    for (std::uint64_t seed = 1; done < key_ticks; ++seed) {
        hw::Noise noise(seed);
        const int tick_hz = 1000 << seed % 4;
        std::vector<KeyBuild> builds;
        std::vector<keyboard::HapticValues> values;
        std::vector<Readings> readings;
        std::array<Watch, core::kLanes> watch{};
        for (int k = 0; k < core::kLanes; ++k) {
            builds.push_back(random_build(noise));
            builds.back().key_index = k;
            values.push_back(random_values(noise));
            readings.emplace_back(1000 * seed + static_cast<std::uint64_t>(k));
        }
        keyboard::Keybed keybed(builds, tick_hz, *executor);
        keybed.use_haptics(values);
        core::KeyMotion motion;
        for (int tick = 0; tick < kTicksEach; ++tick) {
            for (std::size_t k = 0; k < core::kLanes; ++k) readings[k].next(keybed.now_s(), 1.0 / tick_hz, motion, k);
            keybed.take_motion(motion);
            keybed.tick(nullptr, nullptr);
            for (std::size_t k = 0; k < core::kLanes; ++k) {
                watch[k].see(keybed.forces().force_N[k], 1.0 / tick_hz);
                most_N = std::max(most_N, std::abs(watch[k].last_N));
                if (testing::Test::HasFatalFailure()) {
                    FAIL() << "seed " << seed << ", key " << k << ", tick " << tick;
                }
            }
            limited += keybed.haptics().counts().limited;
        }
        faults += keybed.haptics().counts().faults;
        done += std::int64_t{core::kLanes} * kTicksEach;
    }
    EXPECT_GT(most_N, 15) << "the fuzzer reaches strong forces";
    EXPECT_GT(limited, done / 1000) << "and the limits";
    EXPECT_GT(faults, 100) << "and readings that are none";
}

TEST(ForceLimitsInThePath, HoldForAnyModelNumbersAndReadings) {
    expect_limits(300'000);
}

TEST(ForceLimitsInThePathLong, HoldForTenMillionKeyTicks) {
    expect_limits(10'000'000);
}

}  // namespace
}  // namespace letoff::test
