// Between two mechanisms: what every number is on the way and at its end.
#include "core/multibody/lane_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/multibody/bodies.h"

namespace letoff::core {
namespace {

Mechanism a_hammer_on_a_lever(double mass_kg, Felt felt, double mu, double stiffness) {
    Mechanism m;
    m.bodies = {pivoted(mass_kg, {0.1, 0}, 1e-3), pivoted(0.01, {0.05, 0.01}, 1e-4)};
    m.bodies[0].dry_friction = 0.001 * mass_kg;
    m.springs = {{"spring", 0, stiffness, -2.0}};
    m.contacts = {{.name = "felt",
                   .circle_body = 0,
                   .circle_centre = {0.08, -0.01},
                   .circle_radius_m = 0.005,
                   .other_body = 1,
                   .line_from = {0.1, -0.02},
                   .line_to = {0.02, -0.02},
                   .felt = felt,
                   .mu = mu}};
    return m;
}

struct Way {
    LaneModel model, end;
    LaneNumbers from, to;
    std::array<std::uint16_t, kLaneNumbers> store{};
    std::span<const std::uint16_t> changed;

    Way(const Mechanism& a, const Mechanism& b, int lane)
        : model(make_lane_model({&a, 1})),
          end(make_lane_model({&b, 1})),
          from(lane_numbers(model, lane)),
          to(lane_numbers(end, lane)),
          changed(changed_numbers(from, to, store)) {}
};

TEST(LaneNumbers, OnlyTheLaneIsChangedAndAtTheEndItIsTheOtherToTheBit) {
    const Mechanism a = a_hammer_on_a_lever(0.01, {4e10, 2.7, 3e8}, 0.1, 0.02);
    const Mechanism b = a_hammer_on_a_lever(0.023, {7e8, 1.9, 1e7}, 0.7, 0.3);
    Way way(a, b, 3);
    // Mass, dry friction, k, r, b, mu, 1 / (r + 1), r - 1, stiffness.
    EXPECT_EQ(way.changed.size(), 9u);
    const LaneNumbers neighbour = lane_numbers(way.model, 2);
    for (const double share : {0.1, 0.5, 0.9, 1.0})
        set_lane_between(way.model, 3, way.from, way.to, way.changed, share);
    EXPECT_EQ(lane_numbers(way.model, 3), way.to);
    EXPECT_EQ(lane_numbers(way.model, 2), neighbour);
}

TEST(LaneNumbers, OnTheWayMassAndFrictionRunStraight) {
    const Mechanism a = a_hammer_on_a_lever(0.01, {4e10, 2.7, 3e8}, 0.1, 0.02);
    const Mechanism b = a_hammer_on_a_lever(0.03, {4e10, 2.7, 3e8}, 0.5, 0.06);
    Way way(a, b, 0);
    set_lane_between(way.model, 0, way.from, way.to, way.changed, 0.25);
    EXPECT_DOUBLE_EQ(way.model.body[0].mass.lane[0], 0.015);
    EXPECT_DOUBLE_EQ(way.model.contact[0].mu.lane[0], 0.2);
    EXPECT_DOUBLE_EQ(way.model.spring[0].stiffness.lane[0], 0.03);
}

TEST(LaneNumbers, AFeltOnTheWayPushesWithAForceBetweenBothFelts) {
    const Felt soft{8e6, 1.5, 3e8}, hard{4e10, 2.7, 3e8};
    Way way(a_hammer_on_a_lever(0.01, hard, 0.1, 0.02), a_hammer_on_a_lever(0.01, soft, 0.1, 0.02), 0);
    const LaneContact& c = way.model.contact[0];
    for (const double share : {0.0, 0.2, 0.5, 0.8}) {
        set_lane_between(way.model, 0, way.from, way.to, way.changed, share);
        for (const double d_m : {1e-5, 1e-4, 5e-4, 2e-3}) {
            const auto force_N = [d_m](double k, double r) { return k * std::pow(d_m, r); };
            const double a_N = force_N(hard.k, hard.r), b_N = force_N(soft.k, soft.r);
            const double expected_N = std::pow(a_N, 1 - share) * std::pow(b_N, share);
            EXPECT_NEAR(force_N(c.felt_k.lane[0], c.felt_r.lane[0]) / expected_N, 1, 1e-11) << share << " " << d_m;
        }
        EXPECT_DOUBLE_EQ(c.felt_inverse_r1.lane[0], 1 / (c.felt_r.lane[0] + 1));
        EXPECT_DOUBLE_EQ(c.felt_r_minus_1.lane[0], c.felt_r.lane[0] - 1);
    }
}

// The block decides once for all its lanes whether a contact can rub.
TEST(LaneNumbers, FrictionThatComesIsSeenByTheStep) {
    const Felt felt{4e10, 2.7, 3e8};
    Way way(a_hammer_on_a_lever(0.01, felt, 0, 0.02), a_hammer_on_a_lever(0.01, felt, 0.5, 0.02), 5);
    EXPECT_FALSE(way.model.topology.contact[0].friction);
    set_lane_between(way.model, 5, way.from, way.to, way.changed, 0.01);
    EXPECT_TRUE(way.model.topology.contact[0].friction);
}

}  // namespace
}  // namespace letoff::core
