// The finite-state machine on Gillespie's ball and paddle (1994, eqs 1-10), whose closed form is known.
#include "core/episode/episode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace letoff::core {
namespace {

constexpr double kG_mps2 = 9.80665;

/// One coordinate: the ball's height. Input: the paddle's.
struct Ball {
    static constexpr std::size_t kCoordinates = 1;
    struct Input {
        double paddle_m = 0;
    };
    static Input between(const Input& a, const Input& b, double share) {
        return {a.paddle_m + share * (b.paddle_m - a.paddle_m)};
    }
    static std::span<const SubModel<Ball>> sub_models();
    void add_kinetic(int, EpisodeState<1>& x, const Input&, double energy_J) const {
        const double square = x.v[0] * x.v[0] + 2 * energy_J / mass_kg;
        x.v[0] = std::copysign(std::sqrt(std::max(0.0, square)), x.v[0]);
    }

    double mass_kg = 0.01, stiffness_N_per_m = 2000;
};
using X = EpisodeState<1>;
using U = Ball::Input;
using Engine = Episode<Ball>;

enum Phase : int { kOn, kAir };

double squeeze_m(const X& x, const U& u) {
    return u.paddle_m - x.q[0];
}
constexpr SubModel<Ball>::Exit kFromOn[] = {
    {kAir, [](const Ball&, const X& x, const U& u) { return squeeze_m(x, u); }}};
constexpr SubModel<Ball>::Exit kFromAir[] = {
    {kOn, [](const Ball&, const X& x, const U& u) { return -squeeze_m(x, u); }}};
constexpr SubModel<Ball> kSubModels[] = {
    {"on",
     [](const Ball& b, const X& x, const U& u, std::array<double, 1>& a) {
         a[0] = b.stiffness_N_per_m * squeeze_m(x, u) / b.mass_kg - kG_mps2;
     },
     [](const Ball& b, const X& x, const U& u) { return b.stiffness_N_per_m * squeeze_m(x, u); }, kFromOn, nullptr,
     [](const Ball& b, const X& x, const U& u) {
         return 0.5 * b.stiffness_N_per_m * squeeze_m(x, u) * squeeze_m(x, u);
     }},
    {"air", [](const Ball&, const X&, const U&, std::array<double, 1>& a) { a[0] = -kG_mps2; },
     [](const Ball&, const X&, const U&) { return 0.0; }, kFromAir},
};

double energy_J(const Ball& b, int phase, const X& x) {
    const double spring = phase == kOn ? 0.5 * b.stiffness_N_per_m * x.q[0] * x.q[0] : 0;
    return 0.5 * b.mass_kg * x.v[0] * x.v[0] + b.mass_kg * kG_mps2 * x.q[0] + spring;
}

std::span<const SubModel<Ball>> Ball::sub_models() {
    return kSubModels;
}

/// Energies in the middle of each flight (the ball comes down through its apex) of a ball let fall from `from_m`.
std::vector<double> apex_energies_J(const Ball& ball, double from_m, double h_s, Switching switching, int bounces) {
    X x{{from_m}, {0}};
    int phase = kAir;
    std::vector<double> energies;
    double before_mps = 0;
    while (static_cast<int>(energies.size()) < bounces) {
        Engine::step(ball, phase, x, {}, {}, h_s, switching);
        if (phase == kAir && before_mps > 0 && x.v[0] <= 0) energies.push_back(energy_J(ball, phase, x));
        before_mps = phase == kAir ? x.v[0] : 0;
    }
    return energies;
}

TEST(Episode, FlightAndContactLastAsInClosedForm) {
    // Thrown up at v: back after 2 v / g. On the spring, c'' = -w^2 (c - e): from c = 0 with c' = v until c = 0 again.
    const Ball ball;
    const double v = 1.0, w = std::sqrt(ball.stiffness_N_per_m / ball.mass_kg), e_m = kG_mps2 / (w * w);
    const double flight_s = 2 * v / kG_mps2;
    const double contact_s = 2 * (std::acos(-1.0) - std::atan2(v / w, e_m)) / w;
    constexpr double kStep_s = 1e-4;
    X x{{0}, {v}};
    int phase = kAir;
    std::vector<double> times_s;
    for (int i = 0; times_s.size() < 3; ++i) {
        const EpisodeStep done = Engine::step(ball, phase, x, {}, {}, kStep_s);
        if (done.transitions > 0) times_s.push_back(i * kStep_s + done.last_transition_s);
    }
    EXPECT_NEAR(times_s[0], flight_s, 1e-13);
    EXPECT_NEAR(times_s[1] - times_s[0], contact_s, 1e-7 * contact_s) << "(w h)^4 / 120, w h = 0.045: 3e-8";
    EXPECT_NEAR(times_s[2] - times_s[1], flight_s, 1e-7 * flight_s);
}

TEST(Episode, ContactConvergesWithFourthOrder) {
    const Ball ball;
    const double w = std::sqrt(ball.stiffness_N_per_m / ball.mass_kg), e_m = kG_mps2 / (w * w);
    const auto error_m = [&](int steps) {
        X x{{0}, {-1}};
        int phase = kOn;
        constexpr double kTime_s = 0.004;
        for (int i = 0; i < steps; ++i) Engine::step(ball, phase, x, {}, {}, kTime_s / steps);
        EXPECT_EQ(phase, kOn);
        const double c_m = e_m - e_m * std::cos(w * kTime_s) + std::sin(w * kTime_s) / w;
        return std::abs(x.q[0] + c_m);
    };
    EXPECT_NEAR(std::log2(error_m(160) / error_m(320)), 4.0, 0.1);
}

TEST(Episode, FoundRootsKeepTheBallsEnergy) {
    const Ball ball;
    const auto energies = apex_energies_J(ball, 0.05, 1.0 / 4000, Switching::kAtRoot, 30);
    for (const double e : energies)
        EXPECT_NEAR(e, energies.front(), 3e-5 * energies.front()) << "Runge-Kutta loses (w h)^6 / 72 a step";
    const auto finer = apex_energies_J(ball, 0.05, 1.0 / 16000, Switching::kAtRoot, 30);
    for (const double e : finer) EXPECT_NEAR(e, finer.front(), 1e-7 * finer.front());
}

// A late contact is born squeezed by up to |v| h, a late release lets as much tension go: each bounce gains or loses at
// most k (v h)^2 / 2, and does so.
TEST(Episode, LateTransitionsAddABoundedEnergyWhichCompensationTakesOut) {
    const Ball ball;
    constexpr double kFrom_m = 0.05, kStep_s = 1.0 / 4000;
    const double v = std::sqrt(2 * kG_mps2 * kFrom_m);
    double worst_late_J = 0;
    for (const double from_m : {kFrom_m, 0.0497, 0.0489, 0.0481, 0.0473}) {
        const auto late = apex_energies_J(ball, from_m, kStep_s, Switching::kLate, 2);
        const double start_J = ball.mass_kg * kG_mps2 * from_m;
        const double reached_mps = std::max(v, std::sqrt(2 * late[0] / ball.mass_kg));
        const double bound_J = 0.5 * ball.stiffness_N_per_m * (reached_mps * kStep_s) * (reached_mps * kStep_s);
        EXPECT_LE(std::abs(late[0] - start_J), 1.05 * bound_J) << from_m;
        EXPECT_LE(std::abs(late[1] - late[0]), 1.05 * bound_J) << from_m;
        worst_late_J = std::max(worst_late_J, std::abs(late[0] - start_J));
        const auto even = apex_energies_J(ball, from_m, kStep_s, Switching::kLateCompensated, 20);
        for (const double e : even) EXPECT_NEAR(e, start_J, 1e-3 * bound_J + 2e-5 * start_J) << from_m;
    }
    EXPECT_GT(worst_late_J, 0.1 * 0.5 * ball.stiffness_N_per_m * (v * kStep_s) * (v * kStep_s));
}

TEST(Episode, AMovingPaddleThrowsTheBall) {
    // The paddle goes up at 1 m/s for 20 ms and stops; a light spring lets the ball go at once, a stiff one throws it
    // at the paddle's speed, up to twice that.
    const Ball ball;
    X x{{-ball.mass_kg * kG_mps2 / ball.stiffness_N_per_m}, {0}};
    int phase = kOn;
    double highest_m = 0;
    int flights = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto paddle = [](double t_s) { return std::min(t_s, 0.02); };
        const int before = phase;
        Engine::step(ball, phase, x, {paddle(i * 1e-4)}, {paddle((i + 1) * 1e-4)}, 1e-4);
        flights += before == kOn && phase == kAir;
        highest_m = std::max(highest_m, x.q[0]);
    }
    EXPECT_GE(flights, 1);
    EXPECT_GT(highest_m, 0.02 + 0.5 / (2 * kG_mps2) * 0.9);
    EXPECT_LT(highest_m, 0.02 + 4.0 / (2 * kG_mps2));
}

TEST(Episode, ReadoutIsTheReigningSubModels) {
    const Ball ball;
    const X x{{-0.001}, {0}};
    EXPECT_DOUBLE_EQ(Engine::readout(ball, kOn, x, {}), 2.0);
    EXPECT_EQ(Engine::readout(ball, kAir, x, {}), 0.0);
}

TEST(Episode, ABallThatComesToRestEndsItsStep) {
    // An air gap that opens and closes without end: the step stops counting after kMostTransitions.
    Ball ball;
    ball.stiffness_N_per_m = 1e12;
    X x{{1e-9}, {0}};
    int phase = kAir;
    const EpisodeStep done = Engine::step(ball, phase, x, {}, {}, 1.0);
    EXPECT_LE(done.transitions, kMostTransitions);
}

}  // namespace
}  // namespace letoff::core
