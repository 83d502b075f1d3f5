#include "audio/modal/longitudinal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "hwy/targets.h"

namespace letoff::audio {
namespace {

constexpr int kTick_hz = 4000, kRate_hz = 48000, kGrid = core::kStrikeGrid_hz / kTick_hz;
constexpr int kC1 = 3, kE1 = 7;

const core::StringSet& piano() {
    static const auto set = std::make_unique<core::StringSet>(core::design_strings({}));
    return *set;
}
double partial_hz(int key, int j) {
    return piano().notes[static_cast<size_t>(key)].set[0].omega_radps[static_cast<size_t>(j - 1)] / (2 * core::kPi);
}

/// One note of the piano, struck at the begin by a half sine of 3 ms.
class Note {
  public:
    Note(int key, double peak_N, double level, const core::StringSet& strings = piano())
        : key_(key), peak_N_(peak_N), bank_(make(level, strings)) {}

    void play(int ticks, double loss_1ps = 0) {
        for (int i = 0; i < ticks; ++i, ++tick_) {
            core::StringForce force;
            force.key_index = key_;
            force.count = kGrid;
            for (int g = 0; g < kGrid; ++g) {
                const double t_s = (tick_ * kGrid + g + 0.5) / core::kStrikeGrid_hz;
                force.force_N[static_cast<size_t>(g)] = peak_N_ * std::sin(core::kPi * t_s / kContact_s);
            }
            const auto N = bank_.render_note(key_, tick_ < kContactTicks ? &force : nullptr, loss_1ps);
            sound.insert(sound.end(), N.begin(), N.end());
            sound.resize(static_cast<size_t>(tick_ + 1) * kRate_hz / kTick_hz);
            energy_J.push_back(bank_.energy_J(key_));
        }
    }
    bool sounding() const { return bank_.sounding(key_); }
    /// dB re 1 N, with a Hann window over the second from 0.1 s on.
    double level_dB(double hz) const {
        constexpr size_t kFrom = kRate_hz / 10, kLength = kRate_hz;
        std::complex<double> sum = 0;
        for (size_t i = 0; i < kLength; ++i) {
            const double t = static_cast<double>(i) / kRate_hz;
            sum += static_cast<double>(sound.at(kFrom + i)) * (1 - std::cos(2 * core::kPi * t)) *
                   std::polar(1.0, -2 * core::kPi * hz * t);
        }
        return 20 * std::log10(2 * std::abs(sum) / kLength);
    }
    double rms_N(double from_s, double to_s) const {
        double sum = 0;
        const auto from = static_cast<size_t>(from_s * kRate_hz), to = static_cast<size_t>(to_s * kRate_hz);
        for (size_t i = from; i < to; ++i) sum += static_cast<double>(sound[i]) * sound[i];
        return std::sqrt(sum / static_cast<double>(to - from));
    }

    static constexpr double kContact_s = 3e-3;
    static constexpr int kContactTicks = 12;
    std::vector<float> sound;
    std::vector<double> energy_J;  // after each tick

  private:
    static StringBank make(double level, const core::StringSet& strings) {
        StringBankConfig config;
        config.longitudinal = level;
        return std::move(StringBank::create(strings, config).value());
    }
    int key_, tick_ = 0;
    double peak_N_;
    StringBank bank_;
};

// Where no partial is: the strings are stiff, so partial 29 lies 20 Hz above the sum of partials 14 and 15.
TEST(Longitudinal, PhantomsStandAtSumsOfPartialsAndNowhereWithoutIt) {
    Note with(kC1, 60, 1), without(kC1, 60, 0);
    with.play(5000);
    without.play(5000);
    for (const auto& [a, b] : {std::array{9, 10}, std::array{10, 11}, std::array{12, 13}, std::array{14, 15},
                               std::array{14, 14}, std::array{13, 15}}) {
        const double phantom_hz = partial_hz(kC1, a) + partial_hz(kC1, b);
        const double beside_hz = partial_hz(kC1, a + b);
        fmt::print("{}+{}: {:.1f} Hz {:.1f} dB, without {:.1f}; partial {:.1f} Hz {:.1f} dB\n", a, b, phantom_hz,
                   with.level_dB(phantom_hz), without.level_dB(phantom_hz), beside_hz, without.level_dB(beside_hz));
    }
}

TEST(Longitudinal, E1) {
    Note with(kE1, 40, 1), without(kE1, 40, 0);
    with.play(5000);
    without.play(5000);
    for (int a = 5; a < 30; ++a) {
        const double phantom_hz = partial_hz(kE1, a) + partial_hz(kE1, a + 1);
        const double beside_hz = partial_hz(kE1, a + a + 1);
        fmt::print("{}+{}: {:.1f} Hz {:.1f} dB, without {:.1f}; partial {:.1f} Hz {:.1f} dB\n", a, a + 1, phantom_hz,
                   with.level_dB(phantom_hz), without.level_dB(phantom_hz), beside_hz, without.level_dB(beside_hz));
    }
    for (double t = 0; t < 0.02; t += 0.001)
        fmt::print("{} ms: with {:.4f} without {:.4f} N\n", 1e3 * t, with.rms_N(t, t + 0.001), without.rms_N(t, t + 0.001));
    fmt::print("energy {} {} {} {}\n", with.energy_J[12], without.energy_J[12], with.energy_J[400], without.energy_J[400]);
}

}  // namespace
}  // namespace letoff::audio
