#include "audio/limiter.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

constexpr int kRate_hz = 48000;

std::vector<float> sine(double frequency_hz, double size, double seconds) {
    std::vector<float> out(static_cast<std::size_t>(seconds * kRate_hz));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>(size * std::sin(2 * core::kPi * frequency_hz * static_cast<double>(i) / kRate_hz));
    return out;
}

TEST(Limiter, WhatStaysBelowPassesToTheBit) {
    Limiter limiter(kRate_hz);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-Limiter::kThreshold, Limiter::kThreshold);
    std::vector<float> left(4096), right(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = any(random);
        right[i] = any(random);
    }
    left[100] = Limiter::kThreshold;
    right[101] = -Limiter::kThreshold;
    const auto was_left = left, was_right = right;
    const Limiter::Report report = limiter.process(left, right);
    EXPECT_EQ(left, was_left);
    EXPECT_EQ(right, was_right);
    EXPECT_EQ(report.limited, 0);
    EXPECT_EQ(report.largest, Limiter::kThreshold);
    EXPECT_EQ(limiter.gain(), 1);
}

TEST(Limiter, NothingEverLeavesAboveTheThreshold) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> exponent(-6, 38), sign(-1, 1);
    std::uniform_int_distribution<std::size_t> length(1, 500);
    Limiter limiter(kRate_hz);
    constexpr std::array kWild = {std::numeric_limits<float>::max(),        std::numeric_limits<float>::lowest(),
                                  std::numeric_limits<float>::infinity(),   std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::denorm_min(), 1e38F};
    std::int64_t not_finite = 0;
    for (int block = 0; block < 2000; ++block) {
        std::vector<float> left(length(random)), right(left.size());
        // Blocks from far below to far above full scale, each with something wild in it.
        const float scale = std::pow(10.0F, exponent(random));
        for (std::size_t i = 0; i < left.size(); ++i) {
            left[i] = sign(random) * scale;
            right[i] = sign(random) * scale;
        }
        left[left.size() / 2] = kWild[static_cast<std::size_t>(block) % kWild.size()];
        not_finite += limiter.process(left, right).not_finite;
        for (std::size_t i = 0; i < left.size(); ++i) {
            ASSERT_LE(std::abs(left[i]), Limiter::kThreshold) << "block " << block << ", sample " << i;
            ASSERT_LE(std::abs(right[i]), Limiter::kThreshold) << "block " << block << ", sample " << i;
        }
    }
    EXPECT_EQ(not_finite, 2 * 333);  // 2000 = 6 x 333 + 2: the last two are finite
}

TEST(Limiter, BothSidesAreTurnedDownByTheSame) {
    Limiter limiter(kRate_hz);
    auto left = sine(440, 4.0, 0.1), right = sine(440, 0.5, 0.1);
    const Limiter::Report report = limiter.process(left, right);
    EXPECT_NEAR(report.largest, 4.0, 1e-3);
    EXPECT_NEAR(limiter.gain(), Limiter::kThreshold / 4, 1e-3);
    for (std::size_t i = 1000; i < left.size(); ++i) ASSERT_NEAR(left[i], 8 * right[i], 1e-5);
}

// A0, louder than full scale: the gain stands still while it lasts, so what leaves is the sine, only softer.
TEST(Limiter, ASteadyToneOfTheLowestNoteIsOnlyMadeSofter) {
    Limiter limiter(kRate_hz);
    auto out = sine(27.5, 3.0, 1.0), other = out;
    limiter.process(out, other);
    const auto wanted = sine(27.5, Limiter::kThreshold, 1.0);
    for (std::size_t i = kRate_hz / 20; i < out.size(); ++i) ASSERT_NEAR(out[i], wanted[i], 2e-3) << i;
}

TEST(Limiter, TheGainComesBackWithItsTimeConstantAndThenIsExactlyOne) {
    Limiter limiter(kRate_hz);
    std::vector<float> left(1, 2.0F), right(1, 0.0F);
    limiter.process(left, right);
    const float low = limiter.gain();
    EXPECT_NEAR(low, Limiter::kThreshold / 2, 1e-6);
    const auto quiet = [&](double seconds) {
        std::vector<float> a(static_cast<std::size_t>(seconds * kRate_hz), 0.25F), b = a;
        limiter.process(a, b);
        return a.back();
    };
    quiet(Limiter::kHold_s - 0.001);
    EXPECT_EQ(limiter.gain(), low);
    quiet(0.001 + Limiter::kRelease_s);
    EXPECT_NEAR(1 - limiter.gain(), (1 - low) * std::exp(-1.0), 2e-3);
    const float last = quiet(12 * Limiter::kRelease_s);
    EXPECT_EQ(limiter.gain(), 1);
    EXPECT_EQ(last, 0.25F);
}

// The report's sums do not depend on how the sound is cut into blocks, nor does the sound.
TEST(Limiter, BlocksOfAnyLengthGiveTheSameSound) {
    const auto sound = sine(100, 5, 0.2);
    auto whole_left = sound, whole_right = sine(3000, 0.8, 0.2);
    auto left = whole_left, right = whole_right;
    const auto whole = Limiter(kRate_hz).process(whole_left, whole_right);
    Limiter limiter(kRate_hz);
    std::int64_t limited = 0;
    for (std::size_t at = 0; at < left.size(); at += 37) {
        const std::size_t n = std::min<std::size_t>(37, left.size() - at);
        limited += limiter.process(std::span(left).subspan(at, n), std::span(right).subspan(at, n)).limited;
    }
    EXPECT_EQ(left, whole_left);
    EXPECT_EQ(right, whole_right);
    EXPECT_EQ(limited, whole.limited);
    EXPECT_GT(limited, 0);
}

}  // namespace
}  // namespace letoff::audio
