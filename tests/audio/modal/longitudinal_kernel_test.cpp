#include "audio/modal/longitudinal_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <random>
#include <vector>

namespace letoff::audio {
namespace {

constexpr std::size_t kRows = 100;

struct alignas(64) Aligned {
    std::array<float, kRows * kToldStride> told;
    std::array<float, kTurnedFloats> turned;
};

/// The same sums and modes as the header writes them, one by one in double.
struct Plain {
    std::array<std::complex<double>, kLongitudinalLanes> z{};
    double work_N4 = 0;

    double sample(const LongitudinalBlock& modes, int count, const float* row, int partials) {
        const auto lagged = [&](int lag) {
            double sum = 0;
            for (int j = 0; j + lag < partials; ++j) sum += double{row[j]} * row[j + lag];
            return sum;
        };
        double pull = 0.5 * lagged(0);
        for (int k = 0; k < count; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const double c = lagged(k + 1), before = z[i].imag();
            z[i] += z[i] * std::complex<double>(modes.step_re[i], modes.step_im[i]) +
                    c * std::complex<double>(modes.push_re[i], modes.push_im[i]);
            pull += c - z[i].imag();
            work_N4 += c * (z[i].imag() - before);
        }
        return pull;
    }
};

// Ticks of every length from one sample to more than are taken together, of few and of all partials and modes, with
// what was told before still lying in the rows behind and in the scratch.
TEST(LongitudinalKernel, DoesWhatItsEquationsSayForEveryLengthAndCount) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> force_N(-1, 1);
    const auto memory = std::make_unique<Aligned>();
    std::generate(memory->turned.begin(), memory->turned.end(), [&] { return force_N(random); });
    LongitudinalBlock modes{};
    for (std::size_t k = 0; k < kLongitudinalLanes; ++k) {
        const std::complex<double> step = std::exp(std::complex<double>(-0.001, 0.05 + 0.06 * static_cast<double>(k)));
        modes.step_re[k] = static_cast<float>(step.real() - 1);
        modes.step_im[k] = static_cast<float>(step.imag());
        modes.push_re[k] = 0.01F * static_cast<float>(k + 1);
        modes.push_im[k] = 0.02F;
    }
    constexpr float kGain = 0.25F;
    for (const int samples : {1, 3, 4, 11, 12, 16, 17, 48, 96}) {
        for (const int blocks : {1, 3, kMaxToldBlocks}) {
            for (const int count : {1, 5, kLongitudinalLanes}) {
                LongitudinalState state{};
                Plain plain;
                for (int tick = 0; tick < 3; ++tick) {
                    std::generate(memory->told.begin(), memory->told.end(), [&] { return force_N(random); });
                    std::vector<float> bridge_N(static_cast<std::size_t>(samples), 1.0F);
                    const LongitudinalSums sums =
                        advance_longitudinal({&modes, &state, count, memory->told.data(), blocks, samples,
                                              memory->turned.data(), kGain, bridge_N.data()});
                    plain.work_N4 = 0;
                    double largest = 1;
                    for (int s = 0; s < samples; ++s) {
                        const float* row = memory->told.data() + s * kToldStride;
                        const double pull_N2 = plain.sample(modes, count, row, blocks * kModeLanes);
                        largest = std::max(largest, std::abs(pull_N2));
                        ASSERT_NEAR(bridge_N[static_cast<std::size_t>(s)], 1 + kGain * pull_N2, 3e-5 * largest)
                            << samples << " samples, " << blocks << " blocks, " << count << " modes, sample " << s;
                    }
                    ASSERT_NEAR(sums.work_N4, plain.work_N4, 1e-3 * (1 + std::abs(plain.work_N4)));
                    double square_N2 = 0;
                    for (int j = 0; j < blocks * kModeLanes; ++j) {
                        const double F = memory->told[static_cast<std::size_t>((samples - 1) * kToldStride + j)];
                        square_N2 += F * F;
                    }
                    ASSERT_NEAR(sums.square_N2, square_N2, 1e-5 * square_N2);
                }
            }
        }
    }
}

}  // namespace
}  // namespace letoff::audio
