// A mechanism whose kinematic constraints change, as a finite-state machine of sub-models (Gillespie's EPISODEs: thesis
// section 3.4.2; first as an FSM driver in "The virtual piano action", 1994, section 5).
//
//   S = {a, b, ...}                  sub-models                                                   (3.7)
//   x' = f_a(x, u(t))                equations of motion of the one that reigns                   (3.8)
//   y = r_a(x, u)                    readout: the force that is felt                              (3.9)
//   g_ab(x, u) > 0                   indicator of each exit; a reigns while all are positive      (3.10, 3.12)
//   g_ab(x, u(t_i)) = 0              ends a's reign at t_i                                        (3.13)
//   x_b = x_a + h_ab(x_a)            transition: what b begins with                               (3.14)
//
// A step of length h runs through as many sub-models as take turns in it. The coordinates are lined up between
// sub-models ("artificial constraints", section 3.5.2), so a state is one array of N coordinates and their N speeds.
// Equations of motion are integrated by the classical Runge-Kutta formula (section 3.6.2), or, where a sub-model has
// its own flow, by that (a linear one: x_n+1 = Phi x_n + Gamma u_n, exact; 1994, eqs 7-10).
//
// Switching::kAtRoot finds t_i within the step (the integrator is its own interpolant: every trial integrates from the
// step's start), so no energy comes from being late. kLate switches at the end of the step in which the indicator
// crossed, as Gillespie's real time did: a spring that closes d late is born with k d^2 / 2 (d < |v| h), one that opens
// late lets go what it held in tension. kLateCompensated takes that difference of potential energy out of (puts it
// into) the kinetic energy of the transition: 1994, section 6, "compensating additions".
//
// An exit is taken where its indicator goes from positive to not positive, or stands at or below zero and does not
// rise: a body that leaves a contact with g = -1e-18 does not fall back into it. After kMostTransitions in one step the
// sub-model that then reigns finishes it (Zeno: a ball that comes to rest).
// Real-time safe if the model's functions are; deterministic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/episode/crossing.h"

namespace letoff::core {

template <std::size_t N>
struct EpisodeState {
    std::array<double, N> q{}, v{};
};

/// Symbols as above. Model has: kCoordinates, Input, static Input between(u0, u1, share), and the functions of its
/// sub-models are given it.
template <typename Model>
struct SubModel {
    using State = EpisodeState<Model::kCoordinates>;
    using Input = typename Model::Input;
    struct Exit {
        int to = 0;
        double (*indicator)(const Model&, const State&, const Input&) = nullptr;
        void (*transition)(const Model&, State&, const Input&) = nullptr;  // null: x_b = x_a
    };
    std::string_view name;
    /// Accelerations of the coordinates.
    void (*motion)(const Model&, const State&, const Input&, std::array<double, Model::kCoordinates>&) = nullptr;
    double (*readout)(const Model&, const State&, const Input&) = nullptr;
    std::span<const Exit> exits{};
    /// Exact, over h with the input running straight from u0 to u1; null: Runge-Kutta.
    void (*flow)(const Model&, State&, const Input& u0, const Input& u1, double h_s) = nullptr;
    double (*potential_J)(const Model&, const State&, const Input&) = nullptr;  // for kLateCompensated
};

enum class Switching : std::uint8_t { kAtRoot, kLate, kLateCompensated };

inline constexpr int kMostTransitions = 8;

/// What one step did.
struct EpisodeStep {
    int transitions = 0;
    double last_transition_s = 0;  // from the step's start
};

/// Model also has: static std::span<const SubModel<Model>> sub_models(); for kLateCompensated
/// void add_kinetic(int phase, State&, const Input&, double energy_J) const.
template <typename Model>
class Episode {
  public:
    static constexpr std::size_t kN = Model::kCoordinates;
    using State = EpisodeState<kN>;
    using Input = typename Model::Input;
    using Sub = SubModel<Model>;

    static EpisodeStep step(const Model& model, int& phase, State& x, const Input& u0, const Input& u1, double h_s,
                            Switching switching = Switching::kAtRoot) noexcept {
        EpisodeStep done;
        double from_s = 0;  // of the step, already behind
        while (true) {
            const Sub& sub = Model::sub_models()[static_cast<std::size_t>(phase)];
            const double left_s = h_s - from_s;
            const Input here = Model::between(u0, u1, from_s / h_s);
            State end = x;
            advance(model, sub, end, here, u1, left_s);
            if (done.transitions == kMostTransitions) {
                x = end;
                return done;
            }
            const typename Sub::Exit* taken = nullptr;
            double at_s = left_s;
            State there = end;
            for (const typename Sub::Exit& exit : sub.exits) {
                const double g0 = exit.indicator(model, x, here), g1 = exit.indicator(model, end, u1);
                if (g1 > 0 || (g0 <= 0 && g1 > g0)) continue;
                if (switching != Switching::kAtRoot) {
                    taken = &exit;
                    break;
                }
                State root = x;
                const double root_s = g0 <= 0 ? 0 : find_root(model, sub, exit, x, here, u1, left_s, g0, g1, root);
                if (taken != nullptr && root_s >= at_s) continue;
                taken = &exit;
                at_s = root_s;
                there = root;
            }
            x = there;
            if (taken == nullptr) return done;
            const Input now = Model::between(u0, u1, (from_s + at_s) / h_s);
            ++done.transitions;
            done.last_transition_s = from_s + at_s;
            if (taken->transition != nullptr) taken->transition(model, x, now);
            const int before = phase;
            phase = taken->to;
            if constexpr (requires { model.add_kinetic(0, x, now, 0.0); }) {
                if (switching == Switching::kLateCompensated) compensate(model, before, phase, x, now);
            }
            from_s += at_s;
            if (from_s >= h_s || switching != Switching::kAtRoot) return done;
        }
    }

    static double readout(const Model& model, int phase, const State& x, const Input& u) noexcept {
        return Model::sub_models()[static_cast<std::size_t>(phase)].readout(model, x, u);
    }

    static void advance(const Model& model, const Sub& sub, State& x, const Input& u0, const Input& u1,
                        double h_s) noexcept {
        if (h_s <= 0) return;
        if (sub.flow != nullptr) return sub.flow(model, x, u0, u1, h_s);
        const Input middle = Model::between(u0, u1, 0.5);
        const auto moved = [&](const std::array<double, kN>& v, const std::array<double, kN>& a, double by_s) {
            State y = x;
            for (std::size_t i = 0; i < kN; ++i) {
                y.q[i] += by_s * v[i];
                y.v[i] += by_s * a[i];
            }
            return y;
        };
        std::array<double, kN> a1{}, a2{}, a3{}, a4{};
        sub.motion(model, x, u0, a1);
        const State x2 = moved(x.v, a1, 0.5 * h_s);
        sub.motion(model, x2, middle, a2);
        const State x3 = moved(x2.v, a2, 0.5 * h_s);
        sub.motion(model, x3, middle, a3);
        const State x4 = moved(x3.v, a3, h_s);
        sub.motion(model, x4, u1, a4);
        for (std::size_t i = 0; i < kN; ++i) {
            x.q[i] += h_s / 6 * (x.v[i] + 2 * (x2.v[i] + x3.v[i]) + x4.v[i]);
            x.v[i] += h_s / 6 * (a1[i] + 2 * (a2[i] + a3[i]) + a4[i]);
        }
    }

  private:
    /// When the exit's indicator is no longer positive, and the state then.
    static double find_root(const Model& model, const Sub& sub, const typename Sub::Exit& exit, const State& x,
                            const Input& u0, const Input& u1, double h_s, double g0, double g1, State& root) noexcept {
        const auto at = [&](double t_s, State& y) {
            y = x;
            const Input there = Model::between(u0, u1, t_s / h_s);
            advance(model, sub, y, u0, there, t_s);
            return exit.indicator(model, y, there);
        };
        const double t_s = crossing_s(h_s, g0, g1, [&](double trial_s) {
            State y;
            return at(trial_s, y);
        });
        at(t_s, root);
        return t_s;
    }

    static void compensate(const Model& model, int before, int after, State& x, const Input& u) noexcept {
        const auto potential_J = [&](int phase) {
            const Sub& sub = Model::sub_models()[static_cast<std::size_t>(phase)];
            return sub.potential_J == nullptr ? 0.0 : sub.potential_J(model, x, u);
        };
        model.add_kinetic(after, x, u, potential_J(before) - potential_J(after));
    }
};

}  // namespace letoff::core
