#include "core/string/temperament.h"

#include <gtest/gtest.h>

#include <cmath>

namespace letoff::core {
namespace {

struct Published {
    Temperament temperament;
    std::array<double, 12> cents;  // C to B above C
    double within;                 // half of the last digit printed
};

// Yamaha HD-300 owner's manual p. 39 prints what each note differs from equal temperament, to 0.1 cent ("Pure (minor)"
// is printed for A, here from the root); its "Valloti & Young" is Young's second.
constexpr std::array kHD300{
    Published{Temperament::kJustMajor, {0, -29.3, 3.9, 15.6, -13.7, -2.0, -31.3, 2.0, -27.4, -15.6, 17.6, -11.7}, 0.05},
    Published{Temperament::kJustMinor, {0, 33.2, 3.9, 15.6, -13.7, -2.0, 31.3, 2.0, 13.7, -15.6, 17.6, -11.7}, 0.05},
    Published{Temperament::kPythagorean, {0, 13.7, 3.9, -5.9, 7.8, -2.0, 11.7, 2.0, 15.6, 5.9, -3.9, 9.8}, 0.05},
    Published{Temperament::kMeantone, {0, -24.0, -6.8, 10.3, -13.7, 3.4, -20.5, -3.4, -27.4, -10.3, 6.8, -17.1}, 0.05},
    Published{
        Temperament::kWerckmeister3, {0, -9.8, -7.8, -5.9, -9.8, -2.0, -11.7, -3.9, -7.8, -11.7, -3.9, -7.8}, 0.05},
    Published{
        Temperament::kKirnberger3, {0, -9.8, -6.8, -5.9, -13.7, -2.0, -9.8, -3.4, -7.8, -10.3, -3.9, -11.7}, 0.05},
    Published{Temperament::kYoung, {0, -9.8, -3.9, -5.9, -7.8, -2.0, -11.7, -2.0, -7.8, -5.9, -3.9, -9.8}, 0.05},
};

// As the Scala archive has them, in cents above C: meanquar.scl (printed in scl_format.html), werck3.scl,
// kirnberger.scl (II), kirnberger3.scl, vallotti.scl, young2.scl.
constexpr std::array kArchive{
    Published{Temperament::kMeantone,
              {0, 76.04900, 193.15686, 310.26471, 386.31371, 503.42157, 579.47057, 696.57843, 772.62743, 889.73529,
               1006.84314, 1082.89214},
              1e-5},
    Published{Temperament::kWerckmeister3,
              {0, 90.225, 192.180, 294.135, 390.225, 498.045, 588.270, 696.090, 792.180, 888.270, 996.090, 1092.180},
              6e-4},
    Published{Temperament::kKirnberger2,
              {0, 90.225, 203.910, 294.135, 386.314, 498.045, 590.224, 701.955, 792.180, 895.112, 996.090, 1088.269},
              6e-4},
    Published{Temperament::kKirnberger3,
              {0, 90.225, 193.157, 294.135, 386.314, 498.045, 590.224, 696.578, 792.180, 889.735, 996.090, 1088.269},
              6e-4},
    Published{Temperament::kVallotti,
              {0, 94.135, 196.090, 298.045, 392.180, 501.955, 592.180, 698.045, 796.090, 894.135, 1000.000, 1090.225},
              6e-4},
    Published{Temperament::kYoung,
              {0, 90.225, 196.090, 294.135, 392.180, 498.045, 588.270, 698.045, 792.180, 894.135, 996.090, 1090.225},
              6e-4},
};

std::string_view name_of(Temperament temperament) {
    return kTemperamentNames[static_cast<std::size_t>(temperament)];
}

/// Of the interval from one pitch class up to another, within an octave.
double ratio(Temperament temperament, int from, int to) {
    const auto scale = temperament_scale(temperament);
    double cents = scale[static_cast<std::size_t>(to)] - scale[static_cast<std::size_t>(from)];
    if (cents < 0) cents += 1200;
    return std::exp2(cents / 1200);
}

TEST(Temperament, IsAsMakersOfInstrumentsPrintIt) {
    for (const Published& of : kHD300) {
        const auto scale = temperament_scale(of.temperament);
        for (std::size_t i = 0; i < 12; ++i)
            EXPECT_NEAR(scale[i] - 100.0 * static_cast<double>(i), of.cents[i], of.within)
                << name_of(of.temperament) << " " << kPitchClassNames[i];
    }
}

TEST(Temperament, IsAsTheScalaArchiveHasIt) {
    for (const Published& of : kArchive) {
        const auto scale = temperament_scale(of.temperament);
        for (std::size_t i = 0; i < 12; ++i)
            EXPECT_NEAR(scale[i], of.cents[i], of.within) << name_of(of.temperament) << " " << kPitchClassNames[i];
    }
}

TEST(Temperament, PureIntervalsDoNotBeat) {
    EXPECT_NEAR(ratio(Temperament::kJustMajor, 0, 4), 5.0 / 4, 1e-12);  // C E G, F A C, G B D
    EXPECT_NEAR(ratio(Temperament::kJustMajor, 0, 7), 3.0 / 2, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kJustMajor, 5, 9), 5.0 / 4, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kJustMajor, 7, 11), 5.0 / 4, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kJustMinor, 0, 3), 6.0 / 5, 1e-12);  // C Eb G, F Ab C, G Bb
    EXPECT_NEAR(ratio(Temperament::kJustMinor, 5, 8), 6.0 / 5, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kJustMinor, 7, 10), 6.0 / 5, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kPythagorean, 2, 9), 3.0 / 2, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kMeantone, 2, 6), 5.0 / 4, 1e-12);  // D F#
    EXPECT_NEAR(ratio(Temperament::kKirnberger2, 0, 4), 5.0 / 4, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kKirnberger3, 0, 4), 5.0 / 4, 1e-12);
    EXPECT_NEAR(ratio(Temperament::kWerckmeister3, 9, 4), 3.0 / 2, 1e-12);  // A E
    EXPECT_NEAR(ratio(Temperament::kVallotti, 11, 6), 3.0 / 2, 1e-12);      // B F#
    EXPECT_NEAR(ratio(Temperament::kYoung, 5, 0), 3.0 / 2, 1e-12);          // F C
}

TEST(Temperament, TheFifthThatIsLeftOverClosesTheCircle) {
    // G#-Eb: a wolf in the open ones, pure in the circulating ones.
    const double pythagorean_wolf = 3.0 / 2 * 524288 / 531441;
    EXPECT_NEAR(ratio(Temperament::kPythagorean, 8, 3), pythagorean_wolf, 1e-12);
    EXPECT_NEAR(1200 * std::log2(ratio(Temperament::kMeantone, 8, 3)), 737.637, 1e-3);
    for (const Temperament t : {Temperament::kWerckmeister3, Temperament::kKirnberger2, Temperament::kKirnberger3,
                                Temperament::kVallotti, Temperament::kYoung})
        EXPECT_NEAR(ratio(t, 8, 3), 3.0 / 2, 1e-12) << name_of(t);
}

TEST(Temperament, AStandsStillWhateverTheRoot) {
    for (int t = 0; t < 10; ++t) {
        for (int root = 0; root < 12; ++root)
            EXPECT_EQ(temperament_cents(static_cast<Temperament>(t), root)[kPitchClassA], 0) << t << " " << root;
    }
}

TEST(Temperament, TheRootMovesTheScale) {
    // D major in just intonation: D F# A pure, and C G is not.
    const auto cents = temperament_cents(Temperament::kJustMajor, 2);
    EXPECT_NEAR(std::exp2((400 + cents[6] - cents[2]) / 1200), 5.0 / 4, 1e-12);
    EXPECT_NEAR(std::exp2((700 + cents[9] - cents[2]) / 1200), 3.0 / 2, 1e-12);
    EXPECT_GT(std::abs(std::exp2((700 + cents[7] - cents[0]) / 1200) - 3.0 / 2), 0.01);
    const auto equal = temperament_cents(Temperament::kEqual, 5);
    for (const double value : equal) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace letoff::core
