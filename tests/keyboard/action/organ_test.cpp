// A tracker organ's key: the pluck, the lesser force behind it, and the pallet that begins and ends a note.
#include "keyboard/action/organ.h"

#include <gtest/gtest.h>

#include "core/string/string_design.h"
#include "keyboard/bench/speech.h"
#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

using C = OrganConstants;
constexpr double kMm = 1e-3;
constexpr double kTail = 200.0 / 225;  // force at the front over the pallet's

KeyBuild build(int key = 49) {
    return action_build("organ", key);
}
const TestKey& test_key() {
    static const TestKey key = settle_test_key(build());
    return key;
}

TEST(Organ, TheForceDropsOnceThePalletIsOffItsSeat) {
    Bench bench(test_key());
    double most_N = 0, at_m = 0, at_4mm_N = 0;
    bench.drive_at(0.01, test_key().rest_dip_m + 4 * kMm, [&] {
        at_4mm_N = bench.block().driven_force_N(0);
        if (at_4mm_N <= most_N) return;
        most_N = at_4mm_N;
        at_m = bench.dip_m(0) - test_key().rest_dip_m;
    });
    EXPECT_NEAR(most_N, kTail * (C::kWind_N + C::kSpring_N), 0.15) << "wind and spring, just off the seat";
    EXPECT_LT(at_m, 2 * kMm);
    EXPECT_NEAR(at_4mm_N, kTail * (C::kSpring_N + C::kSpring_N_per_m * 3 * kMm), 0.08) << "the spring alone";
}

TEST(Organ, APalletBeginsItsNoteAsItOpensAndEndsItOnItsSeat) {
    Bench bench(test_key());
    int begun = 0;
    const auto look = [&] { begun += bench.block().events(0).struck ? 1 : 0; };
    bench.drive_tick(0);
    EXPECT_GT(core::damper_loss_1ps(bench.block().damper_compression_m(0)), 100) << "shut at rest";
    bench.drive_at(0.02, test_key().rest_dip_m + 8 * kMm, look);
    for (int i = 0; i < 4000; ++i) {
        bench.drive_tick(0);
        look();
        ASSERT_EQ(bench.block().damper_compression_m(0), 0) << "open as long as the key is held";
    }
    EXPECT_EQ(begun, 1);
    EXPECT_FALSE(bench.block().events(0).strike.by_hammer);
    bench.drive_at(0.02, test_key().rest_dip_m, look);
    bench.stop_and_hold(0.2);
    EXPECT_GT(core::damper_loss_1ps(bench.block().damper_compression_m(0)), 100) << "shut again";
    EXPECT_EQ(begun, 1);
}

TEST(Organ, SpeaksAndSpeaksAgainAtItsPluckPoint) {
    const Speech speech = measure_speech(test_key(), test_key().rest_dip_m + 8 * kMm);
    EXPECT_GT(speech.dip_m, 0.5 * kMm);
    EXPECT_LT(speech.dip_m, 2 * kMm);
    EXPECT_GT(speech.dip_m, speech.resets_m);
    EXPECT_GT(speech.resets_m, 0.1 * kMm);
}

TEST(Organ, NoKeyIsWithoutAPallet) {
    for (const int key : {1, 69, 88}) {
        const TestKey treble = settle_test_key(build(key));
        EXPECT_GT(measure_speech(treble, treble.rest_dip_m + 8 * kMm).dip_m, 0) << key;
    }
}

}  // namespace
}  // namespace letoff::keyboard
