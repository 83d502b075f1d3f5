#include "core/string/temperament.h"

#include <cmath>

namespace letoff::core {
namespace {

constexpr std::size_t kFifths = 11;
constexpr int kFirstOfChain = 3;  // Eb
constexpr int kSemitonesOfFifth = 7;
constexpr std::size_t kPlaceOfC = 3;  // in the chain

/// By how much each fifth of the chain is less than pure, as parts of the two commas.
struct Chain {
    std::array<double, kFifths> pythagorean{}, syntonic{};
};

// Eb-Bb Bb-F F-C C-G G-D D-A A-E E-B B-F# F#-C# C#-G#
constexpr double kQ = 1.0 / 4, kS = 1.0 / 6, kH = 1.0 / 2;
constexpr Chain kPythagorean{};
constexpr Chain kMeantone{{}, {kQ, kQ, kQ, kQ, kQ, kQ, kQ, kQ, kQ, kQ, kQ}};
constexpr Chain kWerckmeister3{{0, 0, 0, kQ, kQ, kQ, 0, 0, kQ, 0, 0}, {}};
constexpr Chain kKirnberger2{{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, kH, kH, 0, 0, -1, 0}};
constexpr Chain kKirnberger3{{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, kQ, kQ, kQ, kQ, 0, 0, -1, 0}};
constexpr Chain kVallotti{{0, 0, kS, kS, kS, kS, kS, kS, 0, 0, 0}, {}};
constexpr Chain kYoung{{0, 0, 0, kS, kS, kS, kS, kS, kS, 0, 0}, {}};

double cents_of(double ratio) {
    return 1200 * std::log2(ratio);
}

std::array<double, 12> of_chain(const Chain& chain) {
    const double pure = cents_of(1.5), syntonic = cents_of(81.0 / 80);
    const double pythagorean = 12 * pure - 7 * 1200;
    std::array<double, 12> places{};
    for (std::size_t i = 0; i < kFifths; ++i)
        places[i + 1] = places[i] + pure - chain.pythagorean[i] * pythagorean - chain.syntonic[i] * syntonic;
    std::array<double, 12> scale{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto pitch_class = (static_cast<std::size_t>(kFirstOfChain) + i * kSemitonesOfFifth) % 12;
        const double above_C = places[i] - places[kPlaceOfC];
        scale[pitch_class] = above_C - 1200 * std::floor(above_C / 1200);
    }
    return scale;
}

std::array<double, 12> of_ratios(const std::array<double, 12>& ratios) {
    std::array<double, 12> scale{};
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = cents_of(ratios[i]);
    return scale;
}

std::array<double, 12> equal() {
    std::array<double, 12> scale{};
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 100.0 * static_cast<double>(i);
    return scale;
}

}  // namespace

std::array<double, 12> temperament_scale(Temperament temperament) {
    switch (temperament) {
        case Temperament::kJustMajor:
            return of_ratios({1, 25.0 / 24, 9.0 / 8, 6.0 / 5, 5.0 / 4, 4.0 / 3, 25.0 / 18, 3.0 / 2, 25.0 / 16, 5.0 / 3,
                              9.0 / 5, 15.0 / 8});
        case Temperament::kJustMinor:
            return of_ratios({1, 27.0 / 25, 9.0 / 8, 6.0 / 5, 5.0 / 4, 4.0 / 3, 36.0 / 25, 3.0 / 2, 8.0 / 5, 5.0 / 3,
                              9.0 / 5, 15.0 / 8});
        case Temperament::kPythagorean:
            return of_chain(kPythagorean);
        case Temperament::kMeantone:
            return of_chain(kMeantone);
        case Temperament::kWerckmeister3:
            return of_chain(kWerckmeister3);
        case Temperament::kKirnberger2:
            return of_chain(kKirnberger2);
        case Temperament::kKirnberger3:
            return of_chain(kKirnberger3);
        case Temperament::kVallotti:
            return of_chain(kVallotti);
        case Temperament::kYoung:
            return of_chain(kYoung);
        case Temperament::kEqual:
            break;
    }
    return equal();
}

std::array<double, 12> temperament_cents(Temperament temperament, int root) {
    const std::array<double, 12> scale = temperament_scale(temperament);
    std::array<double, 12> cents{};
    for (int pitch_class = 0; pitch_class < 12; ++pitch_class) {
        const int above_root = (pitch_class - root % 12 + 12) % 12;
        cents[static_cast<std::size_t>(pitch_class)] = scale[static_cast<std::size_t>(above_root)] - 100.0 * above_root;
    }
    const double at_A = cents[kPitchClassA];
    for (double& value : cents) value -= at_A;
    return cents;
}

}  // namespace letoff::core
