// The step against cases that can be solved on paper.
#include "core/multibody/step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/unit/constants.h"
#include "tests/core/multibody/bodies.h"

namespace letoff::core {
namespace {

constexpr double kH_s = 1.0 / 4000;

TEST(Pendulum, PeriodAtFiniteAmplitude) {
    constexpr double kMass = 0.1, kLength = 0.2, kInertia = 0.1 * 0.2 * 0.2 * 1.3, kAmplitude = 0.4;
    Mechanism m{.bodies = {pivoted(kMass, {0, -kLength}, kInertia)}, .springs = {}, .contacts = {}};
    Runner run(m, kH_s);
    run.set(0, kAmplitude, 0);
    double last_q = kAmplitude, first = -1, last = -1;
    int crossings = 0;
    run.run(10.0, [&] {
        const double q = run.q(0);
        if (last_q > 0 && q <= 0) {
            const double at = run.t() - kH_s * q / (q - last_q);
            if (first < 0) first = at;
            last = at;
            ++crossings;
        }
        last_q = q;
    });
    const double a2 = kAmplitude * kAmplitude;
    const double small = 2 * kPi * std::sqrt(kInertia / (kMass * kGravity_mps2 * kLength));
    const double period = small * (1 + a2 / 16 + 11 * a2 * a2 / 3072 + 173 * a2 * a2 * a2 / 737280);
    EXPECT_NEAR((last - first) / (crossings - 1), period, 1e-6 * period);
}

double oscillator_error(double h_s) {
    constexpr double kInertia = 1e-3, kStiffness = 40, kTurn = 0.1, kTime = 0.25;
    Mechanism m{.bodies = {pivoted(0, {}, kInertia)}, .springs = {{"spring", 0, kStiffness, 0.0}}, .contacts = {}};
    Runner run(m, h_s);
    run.set(0, kTurn, 0);
    run.run(kTime);
    return std::abs(run.q(0) - kTurn * std::cos(std::sqrt(kStiffness / kInertia) * run.t()));
}

TEST(SpringOscillator, ConvergesWithSecondOrder) {
    const double coarse = oscillator_error(1.0 / 4000), fine = oscillator_error(1.0 / 8000);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_NEAR(coarse / fine, 4.0, 0.2);
}

TEST(ViscousPivot, SpeedDecaysExponentially) {
    Body b = pivoted(0, {}, 2e-3);
    b.viscous = 0.01;
    Runner run({.bodies = {b}, .springs = {}, .contacts = {}}, kH_s);
    run.set(0, 0, 1.0);
    run.run(0.3);
    EXPECT_NEAR(run.v(0), std::exp(-0.01 / 2e-3 * 0.3), 1e-6);
}

/// Energy of two bodies in a chain, from the positions and speeds of their centres of mass.
double chain_energy(const Mechanism& m, const Runner& run) {
    const Body &p = m.bodies[0], &c = m.bodies[1];
    const double q0 = run.q(0), q1 = run.q(1), w0 = run.v(0), w1 = run.v(1);
    const auto turned = [](Point r, double q) {
        return Point{std::cos(q) * r.x_m - std::sin(q) * r.y_m, std::sin(q) * r.x_m + std::cos(q) * r.y_m};
    };
    const Point com0 = turned(p.com, q0), pivot = turned(c.pivot, q0), arm = turned(c.com, q1);
    const double vx = -w0 * pivot.y_m - w1 * arm.y_m, vy = w0 * pivot.x_m + w1 * arm.x_m;
    const double about_com = c.inertia_kgm2 - c.mass_kg * (arm.x_m * arm.x_m + arm.y_m * arm.y_m);
    return 0.5 * p.inertia_kgm2 * w0 * w0 + 0.5 * c.mass_kg * (vx * vx + vy * vy) + 0.5 * about_com * w1 * w1 +
           kGravity_mps2 * (p.mass_kg * com0.y_m + c.mass_kg * (pivot.y_m + arm.y_m));
}

double chain_energy_change(double h_s) {
    const Mechanism m{.bodies = {pivoted(0.1, {0.01, -0.1}, 0.0015),
                                 pivoted(0.05, {-0.02, -0.06}, 0.05 * 0.07 * 0.07, 0, {0.0, -0.15})},
                      .springs = {},
                      .contacts = {}};
    Runner run(m, h_s);
    run.set(0, 0.5, 0);
    run.set(1, -0.4, 1.0);
    const double before = chain_energy(m, run);
    double worst = 0;
    run.run(2.0, [&] { worst = std::max(worst, std::abs(chain_energy(m, run) - before)); });
    return worst / 0.03;  // about the energy that goes to and fro, J
}

TEST(CoupledPendulum, KeepsItsEnergyToSecondOrder) {
    const double coarse = chain_energy_change(1.0 / 2000), fine = chain_energy_change(1.0 / 4000);
    EXPECT_LT(fine, 2e-4);
    EXPECT_GT(coarse / fine, 3.0) << "at least second order";
}

TEST(ElasticBounce, KeepsItsEnergyToRounding) {
    const Felt felt{5e8, 2.5, 0};
    constexpr double kMass = 0.05;
    Runner run({.bodies = {on_guide(kMass, {0, 1})}, .springs = {}, .contacts = {felt_under(0, felt)}}, 1.0 / 1000);
    run.set(0, 0.03, 0);
    const auto energy = [&] {
        const double d = std::max(-run.q(0), 0.0);
        return 0.5 * kMass * run.v(0) * run.v(0) + kMass * kGravity_mps2 * run.q(0) +
               felt.k * std::pow(d, felt.r + 1) / (felt.r + 1);
    };
    const double before = energy();
    int bounces = 0;
    double deepest = 0, last_v = 0;
    run.run(3.0, [&] {
        EXPECT_NEAR(energy(), before, 1e-9 * before);
        if (last_v < 0 && run.v(0) > 0) ++bounces;
        last_v = run.v(0);
        deepest = std::max(deepest, -run.q(0));
    });
    EXPECT_GT(bounces, 15);
    EXPECT_GT(deepest, 2e-4);
}

TEST(DampedFelt, LosesWhatItsLawSaysAndNeverPulls) {
    const Felt felt{5e8, 2.5, 3e7};
    constexpr double kMass = 0.05;
    Runner run({.bodies = {on_guide(kMass, {0, 1})}, .springs = {}, .contacts = {felt_under(0, felt)}}, kH_s);
    run.set(0, 1e-4, -1.0);
    // Independent: the same law with 1/64 of the step, explicit midpoint.
    double q = 1e-4, v = -1.0;
    const auto acceleration = [&](double y, double s) {
        const double d = std::max(-y, 0.0);
        return std::max(0.0, felt.k * std::pow(d, felt.r) + felt.b * d * d * -s) / kMass - kGravity_mps2;
    };
    run.run(0.01, [&] {
        EXPECT_GE(run.force(0), 0.0);
        for (int i = 0; i < 64; ++i) {
            const double h = kH_s / 64, vm = v + 0.5 * h * acceleration(q, v), qm = q + 0.5 * h * v;
            v += h * acceleration(qm, vm);
            q += h * vm;
        }
    });
    EXPECT_GT(v, 0.1) << "it comes back";
    EXPECT_LT(v, 0.9) << "and slower";
    EXPECT_NEAR(run.v(0), v, 0.01);
    EXPECT_NEAR(run.q(0), q, 1e-5);
}

TEST(CoulombPivot, StopsWhereItShouldAndStaysToTheBit) {
    constexpr double kInertia = 1e-3, kFriction = 5e-3, kSpeed = 2.0;
    Body b = pivoted(0, {}, kInertia);
    b.dry_friction = kFriction;
    Runner run({.bodies = {b}, .springs = {}, .contacts = {}}, kH_s);
    run.set(0, 0, kSpeed);
    run.run(kInertia * kSpeed / kFriction - 0.01);
    EXPECT_GT(run.v(0), 0.04);
    run.run(0.02);
    EXPECT_EQ(run.v(0), 0.0);
    EXPECT_NEAR(run.q(0), 0.5 * kInertia * kSpeed * kSpeed / kFriction, 1e-6);
    const double stopped = run.q(0);
    run.run(1.0);
    EXPECT_EQ(run.q(0), stopped);
}

TEST(CoulombGuide, HoldsOnAGentleInclineAndSlidesOnASteepOne) {
    constexpr double kMass = 0.1, kFriction = 0.2;
    for (double sine : {0.19, 0.23}) {  // m g sin = 0.186 and 0.226 N
        Body b = on_guide(kMass, {std::sqrt(1 - sine * sine), -sine});
        b.dry_friction = kFriction;
        Runner run({.bodies = {b}, .springs = {}, .contacts = {}}, kH_s);
        run.run(1.0);
        const double excess = kMass * kGravity_mps2 * sine - kFriction;
        if (excess < 0) {
            EXPECT_LT(std::abs(run.q(0)), 1e-9);
        } else {
            EXPECT_NEAR(run.v(0), excess / kMass, 1e-9);
            EXPECT_NEAR(run.q(0), 0.5 * excess / kMass, 1e-9);
        }
    }
}

/// A weight that may only go up and down presses its felt on a plate that may only go sideways.
struct PressedPlate {
    static constexpr double kWeight_kg = 0.2, kPlate_kg = 0.1, kMu = 0.3;
    Runner run;
    PressedPlate() : run(mechanism(), kH_s) { run.run(1.0); }
    static Mechanism mechanism() {
        Contact felt = felt_under(0, {1e8, 2.0, 1e9});
        felt.other_body = 1;
        felt.mu = kMu;
        return {
            .bodies = {on_guide(kWeight_kg, {0, 1}), on_guide(kPlate_kg, {1, 0})}, .springs = {}, .contacts = {felt}};
    }
    static constexpr double bound_N() { return kMu * kWeight_kg * kGravity_mps2; }
};

TEST(CoulombContact, HoldsBelowMuTimesTheNormalForce) {
    PressedPlate plate;
    EXPECT_NEAR(plate.run.force(0), PressedPlate::kWeight_kg * kGravity_mps2, 1e-9);
    for (double share : {0.99, -0.99, 0.5}) {
        plate.run.push(1, share * PressedPlate::bound_N());
        plate.run.run(1.0);
        EXPECT_LT(std::abs(plate.run.q(1)), 1e-9) << share;
        EXPECT_LT(std::abs(plate.run.v(1)), 1e-12) << share;
    }
}

TEST(CoulombContact, SlidesAboveAndStopsAgain) {
    PressedPlate plate;
    plate.run.push(1, 1.5 * PressedPlate::bound_N());
    plate.run.run(0.2);
    const double expected = 0.5 * PressedPlate::bound_N() / PressedPlate::kPlate_kg * 0.2;
    EXPECT_NEAR(plate.run.v(1), expected, 1e-6);
    plate.run.push(1, 0);
    plate.run.run(0.11);  // it takes half as long to stop
    EXPECT_LT(std::abs(plate.run.v(1)), 1e-12);
    const double stopped = plate.run.q(1);
    plate.run.run(0.5);
    EXPECT_LT(std::abs(plate.run.q(1) - stopped), 1e-12);
}

TEST(PositionDrive, ReactionIsTheForceThatTheMotionNeeds) {
    constexpr double kMass = 0.1, kLength = 0.2, kInertia = 0.006;
    Runner run({.bodies = {pivoted(kMass, {kLength, 0}, kInertia)}, .springs = {}, .contacts = {}}, kH_s);
    run.input.driven_coordinate = 0;
    const auto angle = [](double t) { return 0.3 * t * t; };  // constant angular acceleration 0.6
    for (int i = 1; i <= 2000; ++i) {
        const double t = i * kH_s;
        for (int l = 0; l < kLanes; ++l) {
            run.input.driven_q1.lane[l] = angle(t);
            run.input.driven_v1.lane[l] = 0.6 * t;
        }
        run.step();
        const double middle = angle(t - 0.5 * kH_s);
        EXPECT_NEAR(run.output.driven_force.lane[0],
                    kInertia * 0.6 + kMass * kGravity_mps2 * kLength * std::cos(middle), 1e-6);
    }
    EXPECT_EQ(run.q(0), angle(2000 * kH_s));
}

TEST(Rest, IsAFixedPointToTheBit) {
    PressedPlate plate;
    plate.run.push(1, 0.4 * PressedPlate::bound_N());
    plate.run.run(2.0);
    const LaneState before = plate.run.state();
    plate.run.run(0.1);
    EXPECT_EQ(std::memcmp(&before, &plate.run.state(), sizeof before), 0);
}

}  // namespace
}  // namespace letoff::core
