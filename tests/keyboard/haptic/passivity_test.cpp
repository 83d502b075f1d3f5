#include "keyboard/haptic/passivity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace letoff::keyboard {
namespace {

constexpr double kH_s = 1.0 / 4000;

/// A spring of 10 N/mm pressed and let go by a sine of 1 mm at 20 Hz, its force `late` ticks late; no model behind it.
double energy_of_spring(double late) {
    Passivity observer(kH_s, 0, 50);
    const auto dip_m = [](double tick) { return 1e-3 * (1 - std::cos(2 * 3.14159265358979 * 20 * tick * kH_s)); };
    double lowest_J = 0;
    for (int i = 0; i < 2000; ++i) {
        observer.measure(i * kH_s, dip_m(i));
        const double pressed_m = dip_m(std::max(0.0, i - late));
        // What a spring takes is what it stores: the tie's alone.
        observer.command(i * kH_s, {.force_N = 1e4 * pressed_m, .stored_J = 0.5e4 * pressed_m * pressed_m});
        lowest_J = std::min(lowest_J, observer.energy_J());
    }
    return lowest_J;
}

TEST(Passivity, ASpringThatIsNotLateGivesNothing) {
    EXPECT_GT(energy_of_spring(-0.5), -0.4e-3) << "a force held for a tick is that of its middle";
    EXPECT_LE(energy_of_spring(8), -2e-3) << "2 ms late";
}

TEST(Passivity, ADeficitIsDampedOnceThenFaded) {
    Passivity observer(kH_s, 0, 50);
    // The finger is pushed back 0.25 mm by 2 N that no model gives.
    observer.measure(0, 1e-3);
    observer.command(-kH_s, {});
    observer.command(0, {.force_N = 2});
    observer.measure(kH_s, 1e-3);
    observer.command(kH_s, {.force_N = 2});
    observer.measure(2 * kH_s, 0.75e-3);
    EXPECT_NEAR(observer.energy_J(), -0.5e-3, 0.05e-3);
    const Passivity::Answer answer = observer.answer(-0.5);
    EXPECT_NEAR(answer.damping_N, -0.45e-3 / (0.5 * kH_s), 0.1)
        << "against the motion: the force on the finger grows less as the key rises";
    EXPECT_EQ(observer.answer(-0.01).damping_N, -0.5) << "no more than the damping it may have";
    EXPECT_NEAR(answer.share, 0.5, 0.05);
    observer.command(2 * kH_s, {.damping_N = answer.damping_N, .speed_mps = -0.5});
    EXPECT_NEAR(observer.answer(-0.5).damping_N, 0, 1e-9) << "what is on its way is not asked for again";
}

TEST(Passivity, LessForceIsNoGift) {
    Passivity observer(kH_s, 0, 50);
    for (int i = 0; i < 400; ++i) {
        observer.measure(i * kH_s, 1e-5 * i);
        observer.command(i * kH_s, {.force_N = 1, .model_J = 5e-4, .limited = true});
    }
    EXPECT_GE(observer.energy_J(), 0);
}

TEST(Passivity, WhatTheFingerLosesDoesNotPayForTheNextShaking) {
    Passivity observer(kH_s, 0, 50);
    for (int i = 0; i < 4000; ++i) {
        observer.measure(i * kH_s, 1e-5 * i);
        observer.command(i * kH_s, {.force_N = 10});
    }
    EXPECT_LE(observer.energy_J(), Passivity::kBank_J);
}

}  // namespace
}  // namespace letoff::keyboard
