#include "keyboard/haptic/haptic_key.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/rt/executor.h"
#include "keyboard/keybed/keybed.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One key of a keybed whose real key does what a test says, read without delay.
class Driven {
  public:
    explicit Driven(const HapticValues& values, int tick_hz = 4000)
        : executor_(std::move(core::make_executor("inline", 1).value())),
          build_(a4_build()),
          keybed_({&build_, 1}, tick_hz, *executor_) {
        keybed_.settle();
        keybed_.use_haptics({&values, 1});
        motion_.live.set(0);
    }
    /// The force on the finger after a tick.
    double tick(double dip_m, double speed_mps, core::StrikeSink* strikes = nullptr) {
        motion_.time_s = keybed_.now_s();
        motion_.dip_m[0] = dip_m;
        motion_.dip_speed_mps[0] = speed_mps;
        return tick_as_told(strikes);
    }
    double tick_as_told(core::StrikeSink* strikes = nullptr) {
        keybed_.take_motion(motion_);
        keybed_.tick(nullptr, strikes);
        return keybed_.forces().force_N[0];
    }
    /// There at 20 mm/s, then a second still.
    void go_to(double from_m, double to_m) {
        const double h_s = 1.0 / keybed_.tick_hz();
        for (double x = from_m; x < to_m; x += 0.02 * h_s) tick(x, 0.02);
        for (int i = 0; i < keybed_.tick_hz(); ++i) tick(to_m, 0);
    }
    core::KeyMotion& motion() { return motion_; }
    Keybed& keybed() { return keybed_; }

  private:
    std::unique_ptr<core::Executor> executor_;
    KeyBuild build_;
    Keybed keybed_;
    core::KeyMotion motion_;
};

double rest_dip_m() {
    return a4().rest_dip_m;
}

HapticValues light_lever_values() {
    HapticValues v = haptic_defaults();
    v[haptic_row("device_mass_g")] = 20;
    return v;
}
HapticValues wooden_key_values() {
    HapticValues v = haptic_defaults();
    v[haptic_row("device_mass_g")] = 43.5;
    v[haptic_row("device_weight_N")] = 0.216;
    return v;
}

TEST(HapticKey, AHeldKeyIsStillThoughItsSensorIsNot) {
    for (const HapticValues& values : {light_lever_values(), wooden_key_values()}) {
        Driven key(values);
        key.go_to(rest_dip_m(), 0.004);
        std::mt19937_64 random(3);
        std::normal_distribution<double> position(0, 2e-6), speed(0, 0.2e-3);
        double sum = 0, squares = 0;
        constexpr int kTicks = 8000;
        for (int i = 0; i < kTicks; ++i) {
            const double force_N = key.tick(0.004 + position(random), speed(random));
            sum += force_N;
            squares += force_N * force_N;
        }
        const double mean = sum / kTicks;
        EXPECT_LT(std::sqrt(squares / kTicks - mean * mean), 0.020);
        EXPECT_GT(mean, 0.3) << "it does hold the action up";
    }
}

TEST(HapticKey, ASlowPressGivesTheForceOfTheModelDriven) {
    Driven key(light_lever_values());
    Bench bench(a4());
    const double h_s = bench.h_s();
    bench.take_hold();
    for (int i = 0; i < 4000; ++i) key.tick(rest_dip_m(), 0);
    double at_2mm = 0, own_at_2mm = 0, at_5mm = 0, own_at_5mm = 0;
    int count_2 = 0, count_5 = 0;
    for (double x = rest_dip_m(); x < 0.0055; x += 0.01 * h_s) {
        const double force_N = key.tick(x, 0.01);
        bench.drive_tick(0.01);
        const double own_N = bench.block().driven_force_N(0);
        if (std::abs(x - 0.002) < 2e-4) at_2mm += force_N, own_at_2mm += own_N, ++count_2;
        if (std::abs(x - 0.005) < 2e-4) at_5mm += force_N, own_at_5mm += own_N, ++count_5;
    }
    EXPECT_NEAR(at_2mm / count_2, own_at_2mm / count_2, 0.03);
    EXPECT_NEAR(at_5mm / count_5, own_at_5mm / count_5, 0.03);
    EXPECT_GT(at_5mm / count_5 - at_2mm / count_2, 0.2) << "the damper is carried";
}

TEST(HapticKey, AWoodenKeyBringsItsOwnWeight) {
    Driven light(light_lever_values()), wooden(wooden_key_values());
    light.go_to(rest_dip_m(), 0.004);
    wooden.go_to(rest_dip_m(), 0.004);
    // What the wooden key's leads pull down themselves, the motor has to hold up more.
    EXPECT_NEAR(wooden.tick(0.004, 0) - light.tick(0.004, 0), 0.216, 0.03);
}

TEST(HapticKey, StopsOfTheDeviceAreNotRendered) {
    HapticValues none = light_lever_values();
    none[haptic_row("device_stops")] = 0;
    Driven with(light_lever_values()), without(none);
    with.go_to(rest_dip_m(), 0.0099);
    without.go_to(rest_dip_m(), 0.0099);
    const double with_N = with.tick(0.0099, 0), without_N = without.tick(0.0099, 0);
    EXPECT_LT(with_N, 1.5);
    EXPECT_GT(without_N, with_N + 1);
    without.go_to(0.0099, 0.0110);
    // 5 N, and for a tick in five one step more: what the budget of strong forces gets back.
    EXPECT_NEAR(without.tick(0.0110, 0), 5.0, 1.25 + 1e-9) << "the continuous limit";
    EXPECT_TRUE(without.keybed().haptics().key(0).limited()) << "and named";
}

TEST(HapticKey, AKeyThatComesLateBeginsWithoutForceAndGoesOver) {
    Driven key(light_lever_values());
    EXPECT_EQ(key.tick(0.006, 0), 0.0);
    double most_N = 0;
    for (int i = 0; i < 400; ++i) most_N = std::max(most_N, std::abs(key.tick(0.006, 0)));
    EXPECT_LT(most_N, 3.0) << "carried over in 0.1 s, not thrown";
    for (int i = 0; i < 2000; ++i) key.tick(0.006, 0);
    EXPECT_NEAR(key.keybed().dip_m(0), 0.006, 1e-4);
}

TEST(HapticKey, AReadingThatIsNoneStopsTheForceOfThatKey) {
    const auto held = [](Driven& key) {
        key.go_to(rest_dip_m(), 0.005);
        return key.tick(0.005, 0);
    };
    for (const double bad : {kNaN, std::numeric_limits<double>::infinity()}) {
        Driven key(light_lever_values());
        ASSERT_GT(held(key), 0.3);
        EXPECT_EQ(key.tick(bad, 0), 0.0);
        EXPECT_EQ(key.keybed().haptics().counts().faults, 1);
        EXPECT_EQ(key.keybed().haptics().counts().live, 0);
    }
    Driven lost(light_lever_values());
    ASSERT_GT(held(lost), 0.3);
    lost.motion().live.reset(0);
    EXPECT_EQ(lost.tick_as_told(), 0.0);
    Driven silent(light_lever_values());
    ASSERT_GT(held(silent), 0.3);
    for (int i = 0; i < 39; ++i) EXPECT_NE(silent.tick_as_told(), 0.0) << i;
    EXPECT_EQ(silent.tick_as_told(), 0.0) << "10 ms without a reading";
    Driven far(light_lever_values());
    ASSERT_GT(held(far), 0.3);
    EXPECT_EQ(far.tick(0.2, 0), 0.0) << "no key goes 20 cm deep";
}

// While a key joins no less than later: a force that is no number ends its being live, and it joins anew.
TEST(HapticKey, AForceThatIsNoNumberEndsItAlsoWhileItJoins) {
    constexpr double kStep_s = 1.0 / 4000;
    for (const int ticks_before : {1, 1000}) {
        HapticKey key(light_lever_values(), kStep_s);
        KeyTie tie;
        int tick = 0;
        const auto play = [&](double force_N) {
            const double now_s = tick++ * kStep_s;
            EXPECT_TRUE(key.begin(now_s, {.time_s = now_s, .dip_m = 0.005, .live = true}, 0.005, tie));
            return key.finish(now_s, {.force_N = force_N});
        };
        while (tick < ticks_before) play(1.0);
        EXPECT_EQ(play(kNaN), 0.0);
        EXPECT_TRUE(key.faulty());
        EXPECT_FALSE(key.live()) << ticks_before;
        EXPECT_LT(play(1.0), 0.01) << "it joins anew";
        EXPECT_TRUE(key.live());
    }
}

// Keys that no motor plays cost nothing, but what a limit's budget has spent comes back all the while.
TEST(HapticKey, ItRestsWhenNothingIsCommandedAndItsBudgetsAreFull) {
    HapticValues values = light_lever_values();
    values[haptic_row("device_stops")] = 0;
    Driven key(values);
    key.go_to(rest_dip_m(), 0.0110);
    EXPECT_TRUE(key.keybed().haptics().key(0).limited()) << "a second above 5 N";
    EXPECT_FALSE(key.keybed().haptics().rests());
    key.motion().live.reset(0);
    int ticks = 0;
    while (!key.keybed().haptics().rests() && ticks < 8 * key.keybed().tick_hz()) {
        EXPECT_EQ(key.tick_as_told(), 0);
        ++ticks;
    }
    EXPECT_NEAR(ticks / 4000.0, core::ForceLimits::kStrong_s / core::ForceLimits::kStrongBack, 0.1);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(key.tick_as_told(), 0);
    EXPECT_EQ(key.keybed().forces().tick, key.keybed().now_ticks() - 1) << "told all the same";
    key.motion().live.set(0);
    EXPECT_EQ(key.tick(0.006, 0), 0);
    EXPECT_FALSE(key.keybed().haptics().rests());
    EXPECT_EQ(key.keybed().haptics().counts().live, 1);
    for (int i = 0; i < 2000; ++i) key.tick(0.006, 0);
    EXPECT_NE(key.tick(0.006, 0), 0);
}

struct Strikes final : core::StrikeSink {
    int strikes = 0;
    void on_strike(const core::Strike&) noexcept override { ++strikes; }
    void on_key_bottom(int, double) noexcept override {}
    void on_release(const core::Release&) noexcept override {}
};

// Field case 68: a false second strike on a bounce.
TEST(HapticKey, AKeyThatBouncesAtItsBottomFor30MillisecondsStrikesOnce) {
    Driven key(light_lever_values());
    key.go_to(rest_dip_m(), rest_dip_m() + 1e-5);
    Strikes strikes;
    double x = rest_dip_m(), v = 0;
    const double h_s = 1.0 / 4000;
    while (x < 0.0098) {
        x += h_s * (v + 0.5 * h_s * 8.0);
        v += h_s * 8.0;
        key.tick(x, v, &strikes);
    }
    // Three bounces of 10 ms up to 0.8 mm.
    for (int bounce = 0; bounce < 3; ++bounce) {
        for (int i = 0; i < 40; ++i) {
            const double t = (i + 1) / 40.0;
            key.tick(0.0098 - 0.0032 * t * (1 - t), -0.32 * (1 - 2 * t), &strikes);
        }
    }
    for (int i = 0; i < 2000; ++i) key.tick(0.0098, 0, &strikes);
    EXPECT_EQ(strikes.strikes, 1);
}

}  // namespace
}  // namespace letoff::keyboard
