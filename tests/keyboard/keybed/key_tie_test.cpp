#include "keyboard/keybed/key_tie.h"

#include <gtest/gtest.h>

#include "tests/keyboard/bench/bench_key.h"

namespace letoff::keyboard {
namespace {

/// Four copies of A4 at rest, of which some are tied where they are for a while.
ActionBlock run_tied(unsigned tied, double stiffness_N_per_m, int ticks) {
    const std::vector<KeyBuild> builds(4, a4_build());
    ActionBlock block(builds, 4000);
    block.set_state(a4().rest);
    for (int tick = 0; tick < ticks; ++tick) {
        for (int l = 0; l < 4; ++l) {
            if ((tied >> l & 1U) == 0) continue;
            block.tie_key(l, {.dip_m = 0.004, .stiffness_N_per_m = stiffness_N_per_m, .damping_Ns_per_m = 30});
        }
        block.tick(tick);
    }
    return block;
}

TEST(KeyTie, HoldsAKeyAsFarAsItsStiffnessAllowsAndTellsItsForce) {
    for (const double stiffness : {5e3, 40e3}) {
        const ActionBlock block = run_tied(1, stiffness, 8000);
        const TiedForce& tied = block.tied_force(0);
        EXPECT_GT(tied.force_N, 0.2);
        EXPECT_LT(tied.force_N, 0.8);
        EXPECT_NEAR(0.004 - block.dip_m(0), tied.force_N / stiffness, 1e-7);
        EXPECT_NEAR(block.dip_speed_mps(0), 0, 1e-5);
        EXPECT_EQ(tied.rails_N, 0);
    }
}

TEST(KeyTie, NoStiffnessMakesTheStepUnstable) {
    const ActionBlock block = run_tied(1, 1e7, 8000);
    EXPECT_NEAR(block.dip_m(0), 0.004, 1e-6);
    EXPECT_EQ(block.faults(), 0);
}

TEST(KeyTie, ANeighboursTieChangesNoBit) {
    const ActionBlock alone = run_tied(0b0001, 40e3, 400), two = run_tied(0b0101, 40e3, 400);
    for (std::size_t b = 0; b < kGrandBodies; ++b) {
        EXPECT_EQ(alone.state().q[b].lane[0], two.state().q[b].lane[0]) << b;
        EXPECT_EQ(alone.state().v[b].lane[1], two.state().v[b].lane[1]) << b;
        EXPECT_EQ(two.state().q[b].lane[0], two.state().q[b].lane[2]) << b;
    }
}

TEST(KeyTie, WhatTheOtherSideBringsIsTakenOff) {
    const std::vector<KeyBuild> builds(2, a4_build());
    ActionBlock block(builds, 4000);
    block.set_state(a4().rest);
    for (int tick = 0; tick < 8000; ++tick) {
        block.tie_key(0, {.dip_m = 0.004, .stiffness_N_per_m = 40e3, .damping_Ns_per_m = 30});
        block.tie_key(1, {.dip_m = 0.004,
                          .stiffness_N_per_m = 40e3,
                          .damping_Ns_per_m = 30,
                          .own_mass_kg = 10,  // more than there is: kLeastTiedMass_kg stays
                          .own_weight_N = 0.2});
        block.tick(tick);
    }
    EXPECT_NEAR(block.tied_force(1).force_N - block.tied_force(0).force_N, 0.2, 0.02);
    EXPECT_EQ(block.faults(), 0);
}

}  // namespace
}  // namespace letoff::keyboard
