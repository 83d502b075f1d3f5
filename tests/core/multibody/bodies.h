// Small mechanisms for the tests of the multibody step, and one that runs them in lane 0.
#pragma once

#include <functional>

#include "core/multibody/step.h"

namespace letoff::core {

/// A body on a pivot at the origin; com is where its centre of mass lies at coordinate 0.
inline Body pivoted(double mass_kg, Point com, double inertia_kgm2, int parent = kGround, Point pivot = {}) {
    return {
        .name = "body", .parent = parent, .pivot = pivot, .mass_kg = mass_kg, .inertia_kgm2 = inertia_kgm2, .com = com};
}

inline Body on_guide(double mass_kg, Point direction) {
    return {.name = "slider", .guided = true, .guide = direction, .mass_kg = mass_kg};
}

class Runner {
  public:
    Runner(const Mechanism& mechanism, double h_s)
        : h_s_(h_s), model_(make_lane_model({&mechanism, 1})), state_(drawn_state({&mechanism, 1})) {}

    void set(int body, double q, double v) {
        for (int l = 0; l < kLanes; ++l) {
            state_.q[static_cast<size_t>(body)].lane[l] = q;
            state_.v[static_cast<size_t>(body)].lane[l] = v;
        }
    }
    void push(int body, double force) {
        for (double& f : input.force[static_cast<size_t>(body)].lane) f = force;
    }
    void step() {
        step_lanes(model_, input, h_s_, state_, output);
        ++steps_;
    }
    void run(double seconds, const std::function<void()>& each = [] {}) {
        for (const auto end = steps_ + static_cast<long>(seconds / h_s_ + 0.5); steps_ < end;) {
            step();
            each();
        }
    }
    double q(int body) const { return state_.q[static_cast<size_t>(body)].lane[0]; }
    double v(int body) const { return state_.v[static_cast<size_t>(body)].lane[0]; }
    double t() const { return static_cast<double>(steps_) * h_s_; }
    double compression(int contact) const { return output.compression_m[static_cast<size_t>(contact)].lane[0]; }
    double force(int contact) const { return output.contact_force_N[static_cast<size_t>(contact)].lane[0]; }
    const LaneState& state() const { return state_; }

    StepInput input{};
    StepOutput output{};

  private:
    double h_s_;
    LaneModel model_;
    LaneState state_;
    long steps_ = 0;
};

/// A felt on the ground's line y = 0, under a circle of radius 1 mm whose lowest point is at the slider's coordinate.
inline Contact felt_under(int slider, Felt felt) {
    return {.name = "felt",
            .circle_body = slider,
            .circle_centre = {0, 1e-3},
            .circle_radius_m = 1e-3,
            .other_body = kGround,
            .line_from = {-1, 0},
            .line_to = {1, 0},
            .felt = felt};
}

}  // namespace letoff::core
