// A hammer far below its strings is left out of the meeting with them (keyboard/keybed/string_meeting.cpp): none may
// get past them unmet.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "core/rt/executor.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {
namespace {

TEST(FarHammer, WhatIsSurelyBelowIsBelow) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> share(0, 1), angle(-0.6, 0.6), distance_m(0, 0.06);
    int sure = 0;
    for (int i = 0; i < 20'000; ++i) {
        GrandValues values = grand_defaults();
        for (const std::size_t row : {grand_row("crown_x_mm"), grand_row("crown_y_mm"), grand_row("crown_radius_mm"),
                                      grand_row("shank_hinge_mm"), grand_row("hammer_pivot_y_mm")})
            values[row] = kGrandRows[row].minimum + share(random) * (kGrandRows[row].maximum - kGrandRows[row].minimum);
        if (i % 2 == 0) values[grand_row("shank_stiffness_Nm_per_rad")] = 20;
        CrownGeometry crown = crown_geometry(values);
        const double side = i % 3 == 0 ? -1 : 1;  // an upright's is drawn the other way round
        crown.x_m *= side;
        crown.hinge_m *= side;
        const double hammer_rad = angle(random), head_rad = angle(random), far_m = distance_m(random);
        if (!crown.surely_below(far_m, hammer_rad, head_rad)) continue;
        ++sure;
        EXPECT_GT(crown.at(hammer_rad, head_rad).below_string_m, far_m) << hammer_rad << " " << head_rad;
    }
    EXPECT_GT(sure, 500);
}

/// Puts the hammer so far below its strings, on its way up.
void throw_hammer(ActionBlock& block, int lane, double below_m, double up_mps) {
    const CrownGeometry crown = block.mechanics(lane).geometry.crown;
    double low_rad = -0.5, high_rad = 0.2;  // the crown rises with the angle
    for (int i = 0; i < 50; ++i) {
        const double middle_rad = 0.5 * (low_rad + high_rad);
        (crown.at(middle_rad).below_string_m > below_m ? low_rad : high_rad) = middle_rad;
    }
    core::LaneState state = block.state();
    state.q[kHammer].lane[lane] = low_rad;
    state.v[kHammer].lane[lane] = up_mps / crown.at(low_rad).lever_arm_m;
    block.set_state(state);
}

// From every distance at every rate, on strings that ring from the throws before and under a moving una corda pedal.
TEST(FarHammer, NoneGetsPastItsStringsUnmet) {
    constexpr double kPast_m = 0.5e-3;  // reach is judged before the step; a hammer unmet at 8 m/s is past by 1 to 8 mm
    constexpr int kThrows = 30;
    for (const int hz : {1000, 4000, 8000}) {
        const auto executor = std::move(core::make_executor("inline", 1).value());
        Keybed keybed(piano_keys(36, core::kLanes), hz, *executor);
        keybed.settle();
        ActionBlock& block = keybed.block_of(0);
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> below_m(2e-3, 44e-3), up_mps(1.5, 8), pedal(0, 1);
        int met = 0;
        for (int i = 0; i < kThrows; ++i) {
            if (i % 3 == 0) keybed.set_una_corda(pedal(random));
            for (int lane = 0; lane < core::kLanes; ++lane) throw_hammer(block, lane, below_m(random), up_mps(random));
            std::array<bool, core::kLanes> touched{};
            for (int tick = 0; tick < hz / 20; ++tick) {
                keybed.tick(nullptr, nullptr);
                for (int lane = 0; lane < core::kLanes; ++lane) {
                    if (block.on_strings(lane)) {
                        touched[static_cast<std::size_t>(lane)] = true;
                        continue;
                    }
                    const double gap_m =
                        block.crown_below_string_m(lane) + block.string_height_m(lane, keybed.now_ticks());
                    ASSERT_GT(gap_m, -kPast_m) << hz << " Hz, throw " << i << ", lane " << lane << ", tick " << tick;
                }
            }
            for (const bool one : touched) met += one ? 1 : 0;
        }
        EXPECT_GT(met, kThrows * core::kLanes * 9 / 10) << hz;
    }
}

}  // namespace
}  // namespace letoff::keyboard
