#include "core/string/una_corda.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/string/string_design.h"

namespace letoff::core {
namespace {

TEST(UnaCorda, HammersLeaveOneStringOfTwoOrThree) {
    EXPECT_EQ(struck_shares(3, 0), (std::array<double, 3>{1.0 / 3, 1.0 / 3, 1.0 / 3}));
    EXPECT_EQ(struck_shares(3, 3e-3), (std::array<double, 3>{0, 0.5, 0.5}));
    EXPECT_EQ(struck_shares(2, 3e-3), (std::array<double, 3>{0, 1, 0}));
    EXPECT_EQ(struck_shares(1, 3e-3), (std::array<double, 3>{1, 0, 0}));
    const auto half = struck_shares(3, 1.2e-3);  // the edge stands in the middle of the first string
    EXPECT_NEAR(half[0], 0.2, 1e-12);
    EXPECT_NEAR(half[1], 0.4, 1e-12);
}

TEST(UnaCorda, MotionsAreAtRightAnglesAndTakeTheirShareOfAnEvenBlow) {
    const std::array<double, 3> even{0.9, 0.06, 0.04};
    const auto motion = motions_of_strings(3, even);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(motion[k][0] + motion[k][1] + motion[k][2], 3, 1e-12) << k;
        for (std::size_t l = 0; l < 3; ++l) {
            double product = 0;  // of unit vectors sqrt(even / 3) motion
            for (std::size_t i = 0; i < 3; ++i)
                product += std::sqrt(even[k] * even[l]) / 3 * motion[k][i] * motion[l][i];
            EXPECT_NEAR(product, k == l ? 1 : 0, 1e-12) << k << l;
        }
    }
}

// A blow on m of n equal strings moves its contact point n / m as far as one on all of them.
TEST(UnaCorda, TheHammerFeelsTheStringsThatItStrikes) {
    const StringSet set = design_strings({});
    for (const auto& [midi, ratio] : {std::pair{60, 1.5}, {40, 2.0}, {24, 1.0}}) {
        const NoteStrings& note = set.notes[static_cast<std::size_t>(key_of_midi_note(midi))];
        const Blow blow = blow_of(note.una_corda, 1);
        double even = 0, uneven = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(note.strings); ++k) {
            const double give = note.set[k].phi_strike[0] * note.set[k].phi_strike[0];
            even += give;
            uneven += blow.gain[k] * blow.gain[k] * give;
        }
        EXPECT_NEAR(uneven / even, ratio, 1e-9) << midi;
        EXPECT_EQ(blow.hardness, 0.6);
        EXPECT_EQ(blow_of(note.una_corda, 0), Blow{});
    }
}

TEST(UnaCorda, MoreOfTheBlowGoesIntoTheAftersound) {
    const StringSet set = design_strings({});
    const NoteStrings& c4 = set.notes[39];
    const auto against = [&](const Blow& blow) {
        double of = 0, all = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double energy = std::pow(blow.gain[k] * c4.set[k].phi_strike[0], 2);
            all += energy;
            of += k == 0 ? 0 : energy;
        }
        return of / all;
    };
    EXPECT_LT(against(blow_of(c4.una_corda, 0)), 0.1);
    EXPECT_GT(against(blow_of(c4.una_corda, 1)), 0.3);
}

}  // namespace
}  // namespace letoff::core
