// How much of a note its higher partials are, against what was measured on real pianos. A hammer's head is thrown at
// the strings; what is heard is measured, both sides together. How fast notes die away: tests/ui/app/decay_test.cpp.
//
// Measured: Iowa samples of a Steinway B (early slopes of mezzoforte notes), Askenfelt & Jansson, Five Lectures (slope
// of C4 by dynamics; their pianissimo is a contact of 2.8 ms, 0.8 m/s).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "tests/system/heard_blow.h"

namespace letoff::test {
namespace {

constexpr int kRate_hz = HeardBlow::kRate_hz;
constexpr double kMezzoforte_mps = 2.8;
constexpr int kC2 = 15, kC3 = 27, kC4 = 39, kA4 = 48, kC5 = 51;

const core::StringSet& strings() {
    static const core::StringSet set = core::design_strings({});
    return set;
}

/// Of partials 1 to 10 over octaves, in the half second after the strike.
double slope_of_key_dB(int key, double speed_mps) {
    constexpr double kWindow_s = 0.5;
    constexpr int kPartials = 10;
    const auto sound = heard_blow(strings(), key, speed_mps, kWindow_s + 0.01).sound;
    const core::NoteStrings& note = strings().notes[static_cast<std::size_t>(key)];
    const double B = note.inharmonicity;
    double sum_x = 0, sum_y = 0, sum_xy = 0, sum_xx = 0;
    for (int n = 1; n <= kPartials; ++n) {
        const double f_hz = n * note.f1_target_hz * std::sqrt((1 + B * n * n) / (1 + B));
        double power = 0;
        for (const std::vector<float>& side : sound) {
            std::complex<double> sum = 0, turned = 1, swept = 1;  // of the partial, of the window
            const auto count = static_cast<std::size_t>(kWindow_s * kRate_hz);
            const std::complex<double> turn = std::polar(1.0, -2 * core::kPi * f_hz / kRate_hz);
            const std::complex<double> sweep = std::polar(1.0, 2 * core::kPi / static_cast<double>(count));
            for (std::size_t i = 0; i < count; ++i) {
                sum += (0.5 - 0.5 * swept.real()) * static_cast<double>(side[i]) * turned;
                turned *= turn;
                swept *= sweep;
            }
            power += std::norm(sum);
        }
        const double x = std::log2(n), y = 10 * std::log10(power);
        sum_x += x;
        sum_y += y;
        sum_xy += x * y;
        sum_xx += x * x;
    }
    return (kPartials * sum_xy - sum_x * sum_y) / (kPartials * sum_xx - sum_x * sum_x);
}

/// Mean of a key and four neighbours: where one note's partials meet the board's modes is chance.
double slope_dB_per_octave(int key, double speed_mps) {
    double sum = 0;
    for (int k = key - 2; k <= key + 2; ++k) sum += slope_of_key_dB(k, speed_mps) / 5;
    return sum;
}

TEST(MeasuredPiano, C4IsAsBrightAtEveryDynamic) {
    struct Row {
        double speed_mps, measured_dB;
    };
    for (const Row& row : {Row{0.8, -18}, Row{kMezzoforte_mps, -15}, Row{9, -11}}) {
        const double slope_dB = slope_dB_per_octave(kC4, row.speed_mps);
        RecordProperty(fmt::format("at_{}_mps", row.speed_mps), fmt::format("{:.1f}", slope_dB));
        EXPECT_NEAR(slope_dB, row.measured_dB, 3) << row.speed_mps << " m/s";
    }
}

TEST(MeasuredPiano, MezzoforteIsAsBrightInEveryRegister) {
    struct Row {
        int key;
        double measured_dB;
    };
    for (const Row& row : {Row{kC2, -4}, Row{kC3, -5}, Row{kC4, -15}, Row{kA4, -19}, Row{kC5, -20}}) {
        const double slope_dB = slope_dB_per_octave(row.key, kMezzoforte_mps);
        RecordProperty(core::key_name(row.key), fmt::format("{:.1f}", slope_dB));
        EXPECT_NEAR(slope_dB, row.measured_dB, 4) << core::key_name(row.key);
    }
}

}  // namespace
}  // namespace letoff::test
