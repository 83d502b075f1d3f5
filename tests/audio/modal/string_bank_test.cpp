#include "audio/modal/string_bank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "core/unit/constants.h"
#include "hwy/targets.h"
#include "tests/audio/modal/string_player.h"

namespace letoff::audio {
namespace {

using Complex = std::complex<double>;

// The same string in double precision, one exact step per grid interval.
struct Reference {
    explicit Reference(const core::StringModes& m) : modes(m), z(static_cast<size_t>(m.count)) {}
    double mean_displacement_m() const {
        double y = 0;
        for (size_t j = 0; j < z.size(); ++j) y += modes.phi_strike[j] * z[j].imag();
        return y;
    }
    double bridge_N() const {
        double sum = 0;
        for (size_t j = 0; j < z.size(); ++j) sum += modes.bridge_N_per_m[j] * z[j].imag();
        return sum;
    }
    void step(double force_N) {
        const double before = mean_displacement_m();
        for (size_t j = 0; j < z.size(); ++j) {
            const Complex s(-modes.sigma_1ps[j], modes.omega_radps[j]);
            const Complex e = std::exp(s / static_cast<double>(core::kStrikeGrid_hz));
            z[j] = z[j] * e + modes.phi_strike[j] / modes.omega_radps[j] * (e - 1.0) / s * force_N;
        }
        work_J += force_N * (mean_displacement_m() - before);
    }
    core::StringModes modes;
    std::vector<Complex> z;
    double work_J = 0;
};

TEST(StringBank, EnergyReceivedIsWorkOfTheForce) {
    const auto string = plain_string(440, 1e-6, 40);
    StringPlayer player(*set_with(kA4, {string}));
    player.strike(20);
    player.play(kA4, 6);
    Reference reference(string);
    for (int g = 0; g < 6 * kGridPerTick; ++g) reference.step(StringPlayer::half_sine_N(g, 20));
    ASSERT_GT(reference.work_J, 1e-4);
    EXPECT_NEAR(player.bank().energy_J(kA4), reference.work_J, 1e-4 * reference.work_J);
}

TEST(StringBank, SharesTheForceAmongTheStringsOfANote) {
    const auto string = plain_string(440, 0.5, 40);
    StringPlayer one(*set_with(kA4, {string})), three(*set_with(kA4, {string, string, string}));
    one.strike(20);
    three.strike(20);
    const auto a = one.play(kA4, 20), b = three.play(kA4, 20);
    for (size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], 1e-4) << i;  // three thirds, in step: the same bridge force
}

class StringBankRate : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Rates, StringBankRate, testing::Values(48000, 96000));

TEST_P(StringBankRate, AgreesWithDoublePrecisionTo100dBForASecond) {
    const auto string = plain_string(220, 0.3, 50);
    StringPlayer player(*set_with(kA4, {string}), GetParam());
    player.strike(20);
    const auto out = player.play(kA4, kTick_hz);
    Reference reference(string);
    const int grid = core::kStrikeGrid_hz / GetParam();
    double peak = 0, error = 0;
    for (size_t i = 0; i < out.size(); ++i) {
        for (int g = 0; g < grid; ++g) reference.step(StringPlayer::half_sine_N(static_cast<long>(i) * grid + g, 20));
        peak = std::max(peak, std::abs(reference.bridge_N()));
        error = std::max(error, std::abs(out[i] - reference.bridge_N()));
    }
    EXPECT_GT(peak, 1.0);
    EXPECT_LT(20 * std::log10(error / peak), -100);
}

TEST(StringBank, EverySimdTargetGivesTheSameBits) {
    std::vector<std::vector<float>> results;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        const auto string = plain_string(220, 0.7, 90);
        StringPlayer player(*set_with(kA4, {string, plain_string(220.2, 0.4, 77)}));
        player.strike(20);
        auto out = player.play(kA4, 300);
        player.damp(kA4, 37.5);
        const auto damped = player.play(kA4, 300);
        player.strike(3);  // and a stroke against the damper
        const auto again = player.play(kA4, 100);
        out.insert(out.end(), damped.begin(), damped.end());
        out.insert(out.end(), again.begin(), again.end());
        results.push_back(out);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    ASSERT_GE(results.size(), 2u);
    for (size_t i = 1; i < results.size(); ++i) EXPECT_EQ(results[i], results[0]) << "target " << i;
}

TEST(StringBank, PitchOfPartial1WithinATenthOfACent) {
    for (const double f_hz : {27.5, 440.0, 4186.0}) {
        const auto string = plain_string(f_hz, 0.2, 1);
        StringPlayer player(*set_with(kA4, {string}));
        player.strike(20);
        const auto out = player.play(kA4, 2 * kTick_hz);
        // Phase of the partial, half a second apart: a Hann window about each moment.
        const auto phase_at = [&](size_t first) {
            Complex sum = 0;
            constexpr size_t kLength = 24000;
            for (size_t i = 0; i < kLength; ++i)
                sum += static_cast<double>(out[first + i]) *
                       (1 - std::cos(2 * core::kPi * static_cast<double>(i) / kLength)) *
                       std::exp(Complex(0, -string.omega_radps[0] * static_cast<double>(first + i) / 48000));
            return std::arg(sum);
        };
        const double drift_rad = std::remainder(phase_at(60000) - phase_at(12000), 2 * core::kPi);  // over one second
        EXPECT_NEAR(1200 / std::log(2) * drift_rad / string.omega_radps[0], 0, 0.01) << f_hz;
    }
}

TEST(StringBank, DamperTakesItsShareFromEachMode) {
    auto string = plain_string(440, 0, 2);
    string.phi_strike[1] = 0;
    for (const double weight : {1.0, 0.25}) {
        string.damper_weight[0] = weight;
        StringPlayer player(*set_with(kA4, {string}));
        player.strike(20);
        player.play(kA4, 10);
        const double before_J = player.bank().energy_J(kA4);
        player.damp(kA4, 30);
        player.play(kA4, 400);  // 0.1 s; the first tick, while the felt comes down, takes the mean of 0 and 30 1/s
        const double neper = weight * 30 * (0.1 - 0.5 / kTick_hz);
        EXPECT_NEAR(player.bank().energy_J(kA4) / before_J, std::exp(-2 * neper), 1e-5 * std::exp(-2 * neper));
    }
}

TEST(StringBank, DampedSamplesDecayEvenlyInsideAndAcrossTicks) {
    const auto string = plain_string(2700, 0, 1);
    StringPlayer player(*set_with(kA4, {string}));
    player.strike(20);
    player.play(kA4, 10);
    player.damp(kA4, 400);
    player.play(kA4, 1);
    const auto out = player.play(kA4, 8);
    // A decaying sine obeys y[n+1] = 2 r cos(w) y[n] - r^2 y[n-1], also where one tick's samples meet the next.
    const double r = std::exp(-400.0 / 48000), c = std::cos(string.omega_radps[0] / 48000);
    double largest = 0;
    for (const float sample : out) largest = std::max(largest, std::abs(static_cast<double>(sample)));
    ASSERT_GT(largest, 0.01);
    for (size_t n = 1; n + 1 < out.size(); ++n)
        ASSERT_NEAR(out[n + 1], 2 * r * c * out[n] - r * r * out[n - 1], 2e-6 * largest) << n;
}

TEST(StringBank, RestrikeAddsToTheRing) {
    const auto string = plain_string(220, 0.3, 50);
    StringPlayer first(*set_with(kA4, {string})), second(*set_with(kA4, {string})), both(*set_with(kA4, {string}));
    first.strike(20);
    both.strike(20);
    first.play(kA4, 1000);
    second.play(kA4, 1000);
    both.play(kA4, 1000);
    second.strike(2);
    both.strike(2);
    const auto a = first.play(kA4, 400), b = second.play(kA4, 400), c = both.play(kA4, 400);
    double largest = 0;
    for (size_t i = 0; i < c.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(a[i])));
        ASSERT_NEAR(c[i], a[i] + b[i], 2e-4) << i;
    }
    EXPECT_GT(largest, 0.5);
}

TEST(StringBank, QuietNoteRestsAtExactZeroAndWakesAgain) {
    StringPlayer player(*set_with(kA4, {plain_string(440, 10, 30)}));
    player.strike(20);
    player.play(kA4, 10);
    EXPECT_TRUE(player.bank().sounding(kA4));
    player.damp(kA4, 200);
    player.play(kA4, 4000);
    EXPECT_FALSE(player.bank().sounding(kA4));
    EXPECT_EQ(player.bank().energy_J(kA4), 0);
    player.damp(kA4, 0);
    player.strike(20);
    player.play(kA4, 10);
    EXPECT_TRUE(player.bank().sounding(kA4));
}

TEST(StringBank, NoteThatIsNotFiniteIsSilencedAndCounted) {
    StringPlayer player(*set_with(kA4, {plain_string(440, 1, 30)}));
    player.strike(std::nan(""));
    const auto out = player.play(kA4, 6);
    EXPECT_GE(player.bank().reset_count(), 1);
    for (const float N : out) ASSERT_EQ(N, 0.0F);
    player.strike(20);
    player.play(kA4, 6);
    EXPECT_GT(player.bank().energy_J(kA4), 0);
}

TEST(StringBank, RefusesRatesItCannotDo) {
    const core::StringSet set{};
    EXPECT_EQ(StringBank::create(set, {32000, 4000, 1e-5}).error(),
              "sample rate 32000 Hz is not possible: 44100, 48000, 88200, 96000, 176400 or 192000 Hz are");
    EXPECT_EQ(StringBank::create(set, {44100, 4000, 1e-5}).error(),
              "sample rate 44100 Hz is not possible without chunks: 48000 or 96000 Hz are");
    EXPECT_FALSE(StringBank::create(set, {48000, 7000, 1e-5}).ok());
    EXPECT_FALSE(StringBank::create(set, {48000, 500, 1e-5}).ok());
    EXPECT_TRUE(StringBank::create(set, {96000, 8000, 1e-5}).ok());
    EXPECT_EQ(StringBank::create(set, {44100, 4000, 1e-5, 49}).error(),
              "a chunk of 49 samples is not possible: 1 to 48 are at 44100 Hz");
    EXPECT_TRUE(StringBank::create(set, {88200, 4000, 1e-5, 96}).ok());
    EXPECT_FALSE(StringBank::create(set, {88200, 4000, 1e-5, 97}).ok());
}

class StringBankChunks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Rates, StringBankChunks, testing::Values(44100, 48000, 88200, 96000));

// Chunks of 16 with every third cut short, forces on the sound's own grid, against one exact step per interval.
TEST_P(StringBankChunks, AgreeWithDoublePrecisionForASecond) {
    const int rate_hz = GetParam(), per_sample = grid_per_sample(rate_hz);
    EXPECT_EQ(per_sample, rate_hz < 50000 ? 2 : 1);
    const auto string = plain_string(220, 0.3, 50);
    StringBank bank = std::move(StringBank::create(*set_with(kA4, {string}), {rate_hz, 4000, 1e-7, 16}).value());
    std::vector<Complex> z(50), turn(50), push(50);
    for (size_t j = 0; j < 50; ++j) {
        const Complex s(-string.sigma_1ps[j], string.omega_radps[j]);
        turn[j] = std::exp(s / static_cast<double>(rate_hz * per_sample));
        push[j] = string.phi_strike[j] / string.omega_radps[j] * (turn[j] - 1.0) / s;
    }
    double peak_N = 0, error_N = 0;
    int interval = 0;
    for (int done = 0, call = 0; done < rate_hz; ++call) {
        const int samples = call % 3 == 2 ? 5 : 16;
        core::StringForce force;
        force.key_index = kA4;
        force.count = samples * per_sample;
        for (int i = 0; i < force.count; ++i) {
            const double t_s = (interval + i + 0.5) / (rate_hz * per_sample);
            force.force_N[static_cast<size_t>(i)] = t_s < 1.5e-3 ? 20 * std::sin(core::kPi * t_s / 1.5e-3) : 0;
        }
        const bool contact = done < rate_hz / 400;
        const auto out = bank.render_note(kA4, contact ? &force : nullptr, 0, samples);
        ASSERT_EQ(out.size(), static_cast<size_t>(samples));
        for (int s = 0; s < samples; ++s) {
            double expected_N = 0;
            for (int i = s * per_sample; i < (s + 1) * per_sample; ++i)
                for (size_t j = 0; j < 50; ++j) z[j] = z[j] * turn[j] + push[j] * force.force_N[static_cast<size_t>(i)];
            for (size_t j = 0; j < 50; ++j) expected_N += string.bridge_N_per_m[j] * z[j].imag();
            peak_N = std::max(peak_N, std::abs(expected_N));
            error_N = std::max(error_N, std::abs(out[static_cast<size_t>(s)] - expected_N));
        }
        interval += force.count;
        done += samples;
    }
    EXPECT_GT(peak_N, 1);
    EXPECT_LT(20 * std::log10(error_N / peak_N), -90);
}

}  // namespace
}  // namespace letoff::audio
