#include "audio/soundboard/soundboard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "audio/soundboard/board_modes.h"
#include "core/unit/constants.h"
#include "core/unit/keys.h"
#include "hwy/targets.h"

namespace letoff::audio {
namespace {

struct Stereo {
    std::vector<float> left, right;
};

void push(Soundboard& board, int key, const std::vector<float>& force_N) {
    std::vector<float> rows(Soundboard::kPushRows * force_N.size());
    board.add_note(key, force_N, rows);
    board.push(rows);
}

// One newton for one sample on a key's place, then silence.
Stereo knock(Soundboard& board, int key, int ticks) {
    Stereo out;
    std::vector<float> force(12), left(12), right(12);
    force[0] = 1;
    for (int i = 0; i < ticks; ++i) {
        board.begin_tick(12);
        if (i == 0) push(board, key, force);
        board.render(left, right);
        out.left.insert(out.left.end(), left.begin(), left.end());
        out.right.insert(out.right.end(), right.begin(), right.end());
    }
    return out;
}

double power(const std::vector<float>& x, size_t begin, size_t end) {
    double sum = 0;
    for (size_t i = begin; i < end; ++i) sum += static_cast<double>(x[i]) * x[i];
    return sum;
}

// Mean square of the spectrum between two frequencies, on a grid of 5 Hz.
double band(const std::vector<float>& x, double low_hz, double high_hz) {
    double sum = 0;
    int count = 0;
    for (; low_hz + 5.0 * count < high_hz; ++count) {
        const double f_hz = low_hz + 5.0 * count;
        std::complex<double> bin = 0, turn = 1;
        const auto step = std::exp(std::complex<double>(0, -2 * core::kPi * f_hz / 48000));
        for (const float sample : x) {
            bin += static_cast<double>(sample) * turn;
            turn *= step;
        }
        sum += std::norm(bin);
    }
    return sum / count;
}

TEST(Soundboard, ForetellsHowTheBridgeMovesOnIfNothingPushesIt) {
    Soundboard board({});
    std::vector<float> first(kBridgePoints * 36), later(kBridgePoints * 24);
    EXPECT_FALSE(board.foretell(36, first));  // at rest
    knock(board, 30, 20);
    const double energy_J = board.energy_J();
    ASSERT_TRUE(board.foretell(36, first));
    EXPECT_EQ(board.energy_J(), energy_J);  // only told
    std::vector<float> left(12), right(12);
    board.begin_tick(12);
    board.render(left, right);
    ASSERT_TRUE(board.foretell(24, later));
    float largest = 0;
    for (int k = 0; k < kBridgePoints; ++k) {
        for (int s = 0; s < 24; ++s) {
            const float told = first[static_cast<size_t>(36 * k + 12 + s)];
            largest = std::max(largest, std::abs(told));
            EXPECT_NEAR(later[static_cast<size_t>(24 * k + s)], told, 1e-9);
        }
    }
    EXPECT_GT(largest, 1e-6F);
}

// One newton on the lowest point of the bridge for one sample: every point then moves with the modes' own shapes.
TEST(Soundboard, TheBridgeMovesAsTheModesSay) {
    Soundboard board({});
    std::vector<float> told(kBridgePoints * 24), force(12), left(12), right(12);
    force[11] = 1;
    board.begin_tick(12);
    push(board, 0, force);
    board.render(left, right);
    ASSERT_TRUE(board.foretell(24, told));
    const double dt_s = 1.0 / 48000;
    for (size_t k = 0; k < kBridgePoints; ++k) {
        for (int s = 1; s <= 24; ++s) {
            double expected_mps = 0;
            for (const BoardMode& mode : make_board_modes(1)) {
                if (mode.frequency_hz >= kFelt_hz) continue;
                const std::complex<double> pole(-mode.sigma_1ps, 2 * core::kPi * mode.frequency_hz);
                const auto pushed = mode.shape_1_sqrtkg[0] * (std::exp(pole * dt_s) - 1.0) / pole;
                expected_mps += mode.shape_1_sqrtkg[k] * (pushed * std::exp(pole * (dt_s * s))).real();
            }
            EXPECT_NEAR(told[24 * k + static_cast<size_t>(s) - 1], expected_mps, 1e-3 * 2e-5) << k << " " << s;
        }
    }
    EXPECT_GT(told[0], 2e-5F);  // what the tolerance is a thousandth of
}

TEST(BoardModes, FirstModesDensityAndLossesAreThoseMeasured) {
    const auto modes = make_board_modes(1);
    EXPECT_EQ(modes[0].frequency_hz, 62);
    EXPECT_EQ(modes[7].frequency_hz, 325);
    int in_band = 0;
    for (const BoardMode& mode : modes) in_band += mode.frequency_hz > 400 && mode.frequency_hz < 1000 ? 1 : 0;
    EXPECT_NEAR(in_band / 600.0, 0.07, 0.005);
    EXPECT_NEAR(board_sigma_1ps(1200), 80, 1);
    EXPECT_NEAR(board_sigma_1ps(1400), 130, 1);
    EXPECT_NEAR(board_sigma_1ps(5000), 314, 1);
    EXPECT_NEAR(board_sigma_1ps(75), 0.04 * 2 * core::kPi * 75, 0.1);
    for (size_t i = 1; i < modes.size(); ++i) ASSERT_GT(modes[i].frequency_hz, modes[i - 1].frequency_hz);
}

TEST(Soundboard, ResonanceIsHowLongItRings) {
    const auto decay_dB = [](double resonance) {
        SoundboardConfig config;
        config.resonance = resonance;
        Soundboard board(config);
        const Stereo heard = knock(board, 40, 400);
        return 10 * std::log10(power(heard.left, 480, 1440) / power(heard.left, 2880, 3840));  // over 50 ms
    };
    EXPECT_NEAR(decay_dB(2) / decay_dB(1), 0.5, 0.15);
    EXPECT_GT(decay_dB(0.5), 1.4 * decay_dB(1));
}

TEST(Soundboard, KnockDiesAwayAndTheBoardRests) {
    Soundboard board({});
    const Stereo out = knock(board, 39, 8000);
    EXPECT_GT(power(out.left, 0, 2400), 1e-9);
    const double db = 10 * std::log10(power(out.left, 28800, 31200) / power(out.left, 0, 2400));
    EXPECT_LT(db, -60);  // T60 of a finished grand's board is about 0.6 s
    EXPECT_EQ(out.left.back(), 0.0F);
}

// What a single tick leaves is below the level at which the board is put to rest.
TEST(Soundboard, UnderAForceHoweverFaintItDoesNotRest) {
    Soundboard board({});
    std::vector<float> left(12), right(12);
    const std::vector<float> faint(12, 1e-9F);
    for (int tick = 0; tick < 200; ++tick) {
        board.begin_tick(12);
        push(board, 39, faint);
        board.render(left, right);
        ASSERT_GT(board.energy_J(), 0) << tick;
    }
    for (int tick = 0; tick < 100; ++tick) {
        board.begin_tick(12);
        board.render(left, right);
    }
    EXPECT_EQ(board.energy_J(), 0);
}

TEST(Soundboard, BassIsNotBoomy) {
    Soundboard board({});
    const Stereo out = knock(board, 44, 2000);
    EXPECT_LT(10 * std::log10(band(out.left, 30, 60) / band(out.left, 400, 1200)), -6);
}

// Of a white force, both sides, mean over keys below the treble corner: as the modes' numbers say, and on above them by
// the direct path.
TEST(Soundboard, IsHeardAsItsModesOverlap) {
    for (const auto& [low_hz, high_hz] : {std::pair{400.0, 800.0},
                                          {800.0, 1400.0},
                                          {1400.0, 2000.0},
                                          {2000.0, 4000.0},
                                          {4000.0, 8000.0},
                                          {11000.0, 16000.0}}) {
        double heard = 0;
        int keys = 0;
        for (int key = 3; key <= 63; key += 12, ++keys) {
            Soundboard board({});
            const Stereo out = knock(board, key, 500);
            heard += 0.5 * (band(out.left, low_hz, high_hz) + band(out.right, low_hz, high_hz));
        }
        double expected = 0;
        const int points = static_cast<int>((high_hz - low_hz) / 50);
        for (int i = 0; i < points; ++i) expected += 0.5 * std::pow(heard_mps_per_N(low_hz + 50 * i), 2);
        const double off_dB = 10 * std::log10(heard / keys / (expected / points));
        EXPECT_NEAR(off_dB, 0, 4) << low_hz << " Hz";
    }
}

TEST(Soundboard, BassLiesLeftTrebleRight) {
    double bass = 0, treble = 0;
    for (const int key : {0, 5, 10}) {
        Soundboard board({});
        const Stereo out = knock(board, key, 1000);
        bass += 10 * std::log10(power(out.left, 0, 12000) / power(out.right, 0, 12000)) / 3;
    }
    for (const int key : {77, 82, 87}) {
        Soundboard board({});
        const Stereo out = knock(board, key, 1000);
        treble += 10 * std::log10(power(out.left, 0, 12000) / power(out.right, 0, 12000)) / 3;
    }
    EXPECT_GT(bass, 0.5);
    EXPECT_LT(treble, -0.5);
}

TEST(Soundboard, EverySimdTargetGivesTheSameBits) {
    std::vector<Stereo> results;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        Soundboard board({});
        results.push_back(knock(board, 30, 400));
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    ASSERT_GE(results.size(), 2u);
    for (size_t i = 1; i < results.size(); ++i) {
        EXPECT_EQ(results[i].left, results[0].left);
        EXPECT_EQ(results[i].right, results[0].right);
    }
}

TEST(Soundboard, AnotherSeedIsAnotherBoard) {
    Soundboard one({}), same({}), other({.seed = 12});
    const Stereo a = knock(one, 30, 50), b = knock(same, 30, 50), c = knock(other, 30, 50);
    EXPECT_EQ(a.left, b.left);
    EXPECT_NE(a.left, c.left);
}

}  // namespace
}  // namespace letoff::audio
