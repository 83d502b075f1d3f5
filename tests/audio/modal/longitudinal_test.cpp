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
#include "core/unit/constants.h"
#include "hwy/targets.h"
#include "tests/audio/factory_strings.h"

namespace letoff::audio {
namespace {

constexpr int kTick_hz = 4000, kRate_hz = 48000, kGrid = core::kStrikeGrid_hz / kTick_hz;
constexpr int kC1 = 3, kE1 = 7, kB2 = 26, kC4 = 39;

using test::piano;
double partial_hz(int key, int j) {
    return piano().notes[static_cast<size_t>(key)].set[0].omega_radps[static_cast<size_t>(j - 1)] / (2 * core::kPi);
}
std::unique_ptr<core::StringSet> without_losses() {
    auto set = std::make_unique<core::StringSet>(piano());
    for (core::NoteStrings& note : set->notes)
        for (core::StringModes& modes : note.set) std::fill(modes.sigma_1ps.begin(), modes.sigma_1ps.end(), 0.0);
    return set;
}

/// One note of the piano, struck at the begin by a half sine of 2 ms.
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
    int resets() const { return bank_.reset_count(); }
    /// dB re 1 N, with a Hann window over half a second from 50 ms on.
    double level_dB(double hz) const {
        constexpr size_t kFrom = kRate_hz / 20, kLength = kRate_hz / 2;
        std::complex<double> sum = 0;
        for (size_t i = 0; i < kLength; ++i) {
            const double turn = 2 * core::kPi * static_cast<double>(i);
            sum += static_cast<double>(sound.at(kFrom + i)) * (1 - std::cos(turn / kLength)) *
                   std::polar(1.0, -hz * turn / kRate_hz);
        }
        return 20 * std::log10(2 * std::abs(sum) / kLength);
    }
    double rms_N(double from_s, double to_s) const {
        double sum = 0;
        const auto from = static_cast<size_t>(from_s * kRate_hz), to = static_cast<size_t>(to_s * kRate_hz);
        for (size_t i = from; i < to; ++i) sum += static_cast<double>(sound[i]) * sound[i];
        return std::sqrt(sum / static_cast<double>(to - from));
    }

    static constexpr double kContact_s = 2e-3;
    static constexpr int kContactTicks = 8;
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

// Reference, physics_data.md 4.6: E1 14.6, C2 13.9 times the fundamental, 12 to 20 in all.
TEST(Longitudinal, FirstModesLieWhereTheyWereMeasured) {
    for (int key = 0; key <= kB2; ++key) {
        const core::NoteStrings& note = piano().notes[static_cast<size_t>(key)];
        const double times = note.longitudinal.omega_radps[0] / (2 * core::kPi * note.f1_target_hz);
        EXPECT_GT(times, 12) << key;
        EXPECT_LT(times, 20) << key;
    }
    const auto times = [](int key) {
        const core::NoteStrings& note = piano().notes[static_cast<size_t>(key)];
        return note.longitudinal.omega_radps[0] / (2 * core::kPi * note.f1_target_hz);
    };
    EXPECT_NEAR(times(kE1), 14.6, 0.5);
    EXPECT_NEAR(times(15), 13.9, 0.2);
    EXPECT_EQ(piano().notes[kC4].longitudinal.count, 0);
}

// Strings are stiff, so partial j + l lies above the sum of partials j and l, where nothing else is.
TEST(Longitudinal, PhantomsStandAtSumsOfPartialsAndNowhereWithoutIt) {
    Note with(kE1, 60, 1), without(kE1, 60, 0);
    with.play(3000);
    without.play(3000);
    for (const auto& [j, l] : {std::array{9, 10}, std::array{10, 11}, std::array{12, 12}, std::array{10, 14},
                               std::array{12, 13}, std::array{13, 14}, std::array{10, 15}, std::array{14, 15}}) {
        const double hz = partial_hz(kE1, j) + partial_hz(kE1, l), beside_hz = partial_hz(kE1, j + l);
        const double phantom_dB = with.level_dB(hz), beside_dB = without.level_dB(beside_hz);
        fmt::print("{} + {}: {:.1f} Hz {:.1f} dB, without {:.1f}; partial {} {:.1f} Hz {:.1f} dB\n", j, l, hz,
                   phantom_dB, without.level_dB(hz), j + l, beside_hz, beside_dB);
        EXPECT_GT(phantom_dB, without.level_dB(hz) + 30) << j << " + " << l;
        EXPECT_GT(phantom_dB, beside_dB - 30) << j << " + " << l;
        EXPECT_LT(phantom_dB, beside_dB + 3) << j << " + " << l;
    }
}

TEST(Longitudinal, SixDecibelsMoreOfABlowAreTwelveOfItsPhantoms) {
    Note soft(kE1, 30, 1), loud(kE1, 60, 1);
    soft.play(3000);
    loud.play(3000);
    for (const int j : {10, 12, 13}) {
        const double hz = partial_hz(kE1, j) + partial_hz(kE1, j + 1);
        EXPECT_NEAR(loud.level_dB(hz) - soft.level_dB(hz), 40 * std::log10(2), 0.5) << j;
        EXPECT_NEAR(loud.level_dB(partial_hz(kE1, j)) - soft.level_dB(partial_hz(kE1, j)), 20 * std::log10(2), 0.5);
    }
}

// Of the row as of nothing else: 100 % is twice 50 %, and at 0 % the strings are those without it, to the bit.
TEST(Longitudinal, IsAsLoudAsItsRowSays) {
    auto plain = std::make_unique<core::StringSet>(piano());
    for (core::NoteStrings& note : plain->notes) note.longitudinal = {};
    Note none(kE1, 60, 0), never(kE1, 60, 1, *plain), half(kE1, 60, 0.5), whole(kE1, 60, 1);
    for (Note* note : {&none, &never, &half, &whole}) note->play(3000);
    EXPECT_EQ(none.sound, never.sound);
    const double hz = partial_hz(kE1, 12) + partial_hz(kE1, 13);
    EXPECT_NEAR(whole.level_dB(hz) - half.level_dB(hz), 20 * std::log10(2), 0.2);
}

// The transverse wave has 1.8 m to go at 120 m/s; along the string it is there in a millisecond.
TEST(Longitudinal, ThePrecursorIsThereBeforeTheNote) {
    Note with(kE1, 60, 1), without(kE1, 60, 0);
    with.play(100);
    without.play(100);
    fmt::print("1 to 4 ms after the blow {:.3f} N, without {:.4f} N; the note {:.1f} N\n", with.rms_N(1e-3, 4e-3),
               without.rms_N(1e-3, 4e-3), without.rms_N(8e-3, 20e-3));
    EXPECT_GT(with.rms_N(1e-3, 4e-3), 10 * without.rms_N(1e-3, 4e-3));
    EXPECT_GT(with.rms_N(1e-3, 4e-3), 0.01 * without.rms_N(8e-3, 20e-3));
}

// Without a loss of their own the strings may only give: what the blow gave them they and their longitudinal motion
// hold together at its end, and never more from then on. 120 N for so long is more than any hammer's fortissimo.
TEST(Longitudinal, GetsNoMoreEnergyThanTheStringsGive) {
    const auto strings = without_losses();
    for (const int key : {0, kE1, 15, kB2}) {
        for (const double peak_N : {20.0, 120.0}) {
            Note with(key, peak_N, 1, *strings), without(key, peak_N, 0, *strings);
            with.play(4000);
            without.play(Note::kContactTicks);
            const double blow_J = without.energy_J.back();
            fmt::print("key {} {:.0f} N: {:.4f} J; after a second {:.3f} of it is left\n", key + 1, peak_N, blow_J,
                       with.energy_J.back() / blow_J);
            EXPECT_NEAR(with.energy_J[Note::kContactTicks - 1] / blow_J, 1, 0.01);
            for (size_t i = Note::kContactTicks; i < with.energy_J.size(); ++i)
                ASSERT_LT(with.energy_J[i], with.energy_J[i - 1] * (1 + 1e-6)) << key << " " << peak_N << " " << i;
            EXPECT_LT(with.energy_J.back(), with.energy_J[Note::kContactTicks]) << "its modes lose what they hold";
            EXPECT_EQ(with.resets(), 0);
        }
    }
}

// And it leaves the partials, all alike: what is heard of them is as much softer as the account says. (A row so small
// that the longitudinal motion itself is not heard.)
TEST(Longitudinal, WhatItGetsLeavesThePartials) {
    const auto strings = without_losses();
    for (const int key : {0, kE1, 15}) {
        Note with(key, 120, 1e-6, *strings), without(key, 120, 0, *strings);
        with.play(4000);
        without.play(4000);
        const double heard = with.rms_N(0.8, 1) / without.rms_N(0.8, 1);
        const double held = with.energy_J.back() / without.energy_J.back();
        fmt::print("key {}: {:.3f} of the power is heard, {:.3f} of the energy is there\n", key + 1, heard * heard,
                   held);
        EXPECT_LT(held, 0.95);
        EXPECT_LT(heard * heard, held + 0.01);
        EXPECT_GT(heard * heard, held - 0.05) << "what was paid and not lost yet";
    }
}

TEST(Longitudinal, ANoteThatIsDampedComesToRestWithIt) {
    Note note(kE1, 60, 1);
    note.play(200);
    note.play(12000, 200);
    EXPECT_FALSE(note.sounding());
    EXPECT_EQ(note.energy_J.back(), 0);
    EXPECT_EQ(note.sound.back(), 0);
}

TEST(Longitudinal, EverySimdTargetGivesTheSameBits) {
    std::vector<std::vector<float>> results;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        std::vector<float> all;
        for (const int key : {0, kC1, 15, kB2}) {
            Note note(key, 80, 1);
            note.play(300);
            note.play(100, 40);
            all.insert(all.end(), note.sound.begin(), note.sound.end());
        }
        results.push_back(all);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    ASSERT_GE(results.size(), 2u);
    for (size_t i = 1; i < results.size(); ++i) EXPECT_EQ(results[i], results[0]) << "target " << i;
}

}  // namespace
}  // namespace letoff::audio
