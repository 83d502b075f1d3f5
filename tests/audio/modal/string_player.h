// A plain string on one key, and a bank that is played with it.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "audio/modal/string_bank.h"
#include "core/unit/constants.h"

namespace letoff::audio {

inline constexpr int kA4 = 48;
inline constexpr int kTick_hz = 4000;
inline constexpr int kGridPerTick = core::kStrikeGrid_hz / kTick_hz;

/// A plain stiff string: 0.4 m, 700 N, 5.5 g/m, struck at 0.12 L.
inline core::StringModes plain_string(double f1_hz, double sigma_1ps, int count) {
    constexpr double kLength_m = 0.4, kTension_N = 700, kDensity_kgpm = 0.0055, kB = 7e-4;
    core::StringModes modes;
    modes.count = count;
    const int padded = (count + core::kModeBlock - 1) / core::kModeBlock * core::kModeBlock;
    for (int j = 1; j <= padded; ++j) {
        const bool real = j <= count;
        const double shape = real ? std::sqrt(2 / (kDensity_kgpm * kLength_m)) : 0;
        modes.omega_radps.push_back(2 * core::kPi * j * f1_hz * std::sqrt((1 + kB * j * j) / (1 + kB)));
        modes.sigma_1ps.push_back(sigma_1ps * (1 + 0.02 * j * j));
        modes.phi_strike.push_back(shape * std::sin(0.12 * j * core::kPi));
        modes.bridge_N_per_m.push_back(kTension_N * shape * j * core::kPi / kLength_m * (j % 2 ? -1 : 1));
        modes.damper_weight.push_back(real ? 1.0 / j : 0);
    }
    return modes;
}

inline std::unique_ptr<core::StringSet> set_with(int key, const std::vector<core::StringModes>& strings) {
    auto set = std::make_unique<core::StringSet>();
    core::NoteStrings& note = set->notes[static_cast<size_t>(key)];
    note.strings = note.sets = static_cast<int>(strings.size());
    for (size_t i = 0; i < strings.size(); ++i) note.set[i] = strings[i];
    return set;
}

/// A bank with its clock: strikes with a half sine of 1.5 ms and collects the bridge force of one key.
class StringPlayer {
  public:
    StringPlayer(const core::StringSet& set, int rate_hz = 48000) : bank_(make(set, rate_hz)) {}

    static StringBank make(const core::StringSet& set, int rate_hz) {
        StringBankConfig config;
        config.sample_rate_hz = rate_hz;
        config.rest_force_N = 1e-7;
        return std::move(StringBank::create(set, config).value());
    }
    static double half_sine_N(long grid, double peak_N) {
        constexpr double kContact_s = 1.5e-3;
        const double t_s = (static_cast<double>(grid) + 0.5) / core::kStrikeGrid_hz;
        return t_s < kContact_s ? peak_N * std::sin(core::kPi * t_s / kContact_s) : 0;
    }
    void strike(double peak_N) { peak_N_ = peak_N, struck_ = tick_; }
    std::vector<float> play(int key, int ticks) {
        std::vector<float> out;
        for (int i = 0; i < ticks; ++i, ++tick_) {
            core::StringForce force;
            force.key_index = key;
            force.count = kGridPerTick;
            const bool contact = struck_ >= 0 && tick_ - struck_ < 6;
            for (int g = 0; contact && g < kGridPerTick; ++g)
                force.force_N[static_cast<size_t>(g)] = half_sine_N((tick_ - struck_) * kGridPerTick + g, peak_N_);
            std::span<const float> N;
            for (int k = 0; k < core::kKeyCount; ++k) {
                const auto out_N =
                    bank_.render_note(k, contact && k == key ? &force : nullptr, loss_[static_cast<size_t>(k)]);
                if (k == key) N = out_N;
            }
            if (N.empty()) {
                out.resize(out.size() + static_cast<size_t>(bank_.samples_per_tick()));
            } else {
                out.insert(out.end(), N.begin(), N.end());
            }
        }
        return out;
    }
    void damp(int key, double loss_1ps) { loss_[static_cast<size_t>(key)] = loss_1ps; }
    StringBank& bank() { return bank_; }

  private:
    StringBank bank_;
    std::array<double, core::kKeyCount> loss_{};
    long tick_ = 0, struck_ = -1;
    double peak_N_ = 0;
};

}  // namespace letoff::audio
