// Figures that the factory grand is held to, sources in shared/reference: regulation.csv, timing.csv,
// physics_data.md. Only those that the present regulation reaches; `letoff measure` tells the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/unit/constants.h"
#include "keyboard/bench/regulation.h"
#include "keyboard/bench/strokes.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

constexpr double kMm = 1e-3;
constexpr int kC4 = 40;
constexpr std::array<int, 9> kAcross{1, 12, 24, 36, 40, 49, 60, 72, 88};

// Askenfelt & Jansson (timing.csv): the hammer moves about five times as fast as the key; to 0.5.
TEST(HeldTo, HeadGoesFiveTimesAsFarAsTheKeyFront) {
    for (const int key : kAcross)
        EXPECT_NEAR(measure_regulation(grand_key(key)).head_to_key_ratio, 5.0, 0.5) << "key " << key;
}

const std::vector<PlayedStroke>& c4_strokes() {
    static const std::vector<PlayedStroke> strokes = [] {
        std::vector<double> speeds;
        speeds.reserve(std::size(kTouches));
        for (const Touch& touch : kTouches) speeds.push_back(touch.hammer_speed_mps);
        return find_strokes(grand_key(kC4), speeds);
    }();
    return strokes;
}
const PlayedStroke& c4(std::size_t touch) {
    return c4_strokes()[touch];
}
constexpr std::size_t kP = 1, kF = 3;

// Askenfelt & Jansson: about 160 ms (p) and 25 ms (f); here from the finger's start to the key bottom.
TEST(HeldTo, KeyTravelAtC4) {
    ASSERT_EQ(kTouches[kP].name, "p");
    ASSERT_EQ(kTouches[kF].name, "f");
    EXPECT_GE(c4(kP).key_bottom_s, 0.090);
    EXPECT_LE(c4(kP).key_bottom_s, 0.200);
    EXPECT_GE(c4(kF).key_bottom_s, 0.015);
    EXPECT_LE(c4(kF).key_bottom_s, 0.030);
}

// Askenfelt & Jansson: the damper is off its string before the hammer comes (15-30 ms at f, staccato).
TEST(HeldTo, DamperLeavesBeforeTheStrike) {
    for (const int key : {1, 24, kC4, 60, 68}) {
        const std::array<double, 4> accelerations{1.0, 5.0, 30.0, 200.0};
        for (const PlayedStroke& s : play_strokes(grand_key(key), accelerations)) {
            ASSERT_GT(s.strikes, 0) << "key " << key;
            EXPECT_LT(s.damper_off_s, s.strike_s) << "key " << key << ", " << s.hammer_speed_mps << " m/s";
        }
    }
}

TEST(HeldTo, SlowPressIsSilentAndLiftsTheDamper) {
    for (const int key : {1, 24, kC4, 60, 68}) {
        const Regulation r = measure_regulation(grand_key(key));
        Bench bench(grand_key(key));
        int strikes = 0;
        bench.drive_at(0.010, r.bottom_dip_m, [&] { strikes += bench.block().events(0).struck ? 1 : 0; });
        EXPECT_EQ(strikes, 0) << "key " << key;
        EXPECT_EQ(bench.contact_N(kDamperString, 0), 0.0) << "key " << key;
        EXPECT_GT(bench.block().state().q[kDamper].lane[0], 3 * kMm) << "key " << key;
    }
}

// The key is let up at 10 mm/s: as the jack slips back under the knuckle it takes the load off the finger within a
// tenth of a millimetre, by a tenth of a newton or more.
TEST(HeldTo, JackResetIsFelt) {
    for (const int key : {1, kC4, 88}) {
        const TestKey& k = grand_key(key);
        const Regulation r = measure_regulation(k);
        Bench bench(k);
        bench.drive_at(0.010, r.bottom_dip_m);
        bench.stop_and_hold(0.1);
        struct Moment {
            double dip_m, force_N;
        };
        std::vector<Moment> moments;
        std::size_t reset = 0;
        bench.drive_at(0.010, k.rest_dip_m + 5 * kMm, [&] {
            if (reset == 0 && bench.contact_N(kJackStop, 0) > 0) reset = moments.size();
            moments.push_back({bench.dip_m(0), bench.block().driven_force_N(0)});
        });
        ASSERT_GT(reset, 100u) << "key " << key << ": the jack was out and comes back";
        double before_N = 0, after_N = 10;
        for (const Moment& m : moments) {
            if (std::abs(m.dip_m - moments[reset].dip_m) > 0.1 * kMm) continue;
            before_N = std::max(before_N, m.force_N);
            after_N = std::min(after_N, m.force_N);
        }
        EXPECT_GT(before_N - after_N, 0.1) << "key " << key;
    }
}

// Shallow strokes that do not reach the let-off throw the hammer off the jack; its landing is felt at the key.
TEST(HeldTo, AHammerBouncedOnTheJackIsFeltAtTheKey) {
    constexpr double kRate_hz = 8, kSwing_m = 1 * kMm, kMiddle_m = 3 * kMm;
    const auto greatest_N = [&](double rate_hz, bool& flew) {
        Bench bench(a4());
        bench.drive_at(0.02, a4().rest_dip_m + kMiddle_m - kSwing_m);
        bench.stop_and_hold(0.1);
        const double turn = 2 * core::kPi * rate_hz;
        double most_N = 0;
        for (double t = bench.h_s(); t < 6 / rate_hz; t += bench.h_s()) {
            const double dip = a4().rest_dip_m + kMiddle_m - kSwing_m * std::cos(turn * t);
            const double speed = kSwing_m * turn * std::sin(turn * t);
            bench.block().drive_keys({&dip, 1}, {&speed, 1});
            bench.tick();
            if (t < 1 / rate_hz) continue;  // the first swing shakes the felts
            flew |= bench.contact_N(kJackKnuckle, 0) <= 0 && bench.contact_N(kLeverKnuckle, 0) <= 0;
            most_N = std::max(most_N, bench.block().driven_force_N(0));
        }
        return most_N;
    };
    bool flew = false, flew_slowly = false;
    const double bounced_N = greatest_N(kRate_hz, flew), carried_N = greatest_N(2.0, flew_slowly);
    EXPECT_TRUE(flew);
    EXPECT_FALSE(flew_slowly);
    EXPECT_GT(bounced_N, 3 * carried_N);
}

}  // namespace
}  // namespace letoff::keyboard
