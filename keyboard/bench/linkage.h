// A mechanism at one configuration in plain scalars: where its points are, how they move, how its contacts touch, and
// what energy it holds. The bench measures with it what a step does not report. Same geometry as core/multibody
// (kinematics-inl.h, contact_frame-inl.h), SI, x to the back, y up; normals point away from the contact's other body,
// the tangent is (n_y, -n_x).
#pragma once

#include <span>

#include "core/multibody/mechanism.h"

namespace letoff::keyboard {

class Linkage {
  public:
    explicit Linkage(core::Mechanism mechanism) : mechanism_(std::move(mechanism)) {}

    const core::Mechanism& mechanism() const { return mechanism_; }

    /// World place of a point given in a body's frame.
    core::Point place(int body, core::Point local, std::span<const double> q) const;
    core::Point direction(int body, core::Point local, std::span<const double> q) const;
    /// Velocity of the body's material point that is now at `world`.
    core::Point velocity(int body, core::Point world, std::span<const double> q, std::span<const double> v) const;
    /// Speed of a body against what carries it.
    double pivot_speed(int body, std::span<const double> v) const;

    struct Touching {
        double gap_m = 0;  // negative: compression
        core::Point at{};  // on the circle's surface
        core::Point normal{0, 1};
    };
    /// The contact's geometry; a gap of a metre where it cannot touch.
    Touching touching(int contact, std::span<const double> q) const;

    double kinetic_J(std::span<const double> q, std::span<const double> v) const;
    double height_J(std::span<const double> q) const;  // weight times height
    double springs_J(std::span<const double> q) const;
    /// Of a contact's felt pressed together by d: k d^(r+1) / (r+1), or what its loading curve holds.
    static double felt_J(const core::Contact& contact, double compression_m);

  private:
    const core::Body& body(int i) const { return mechanism_.bodies[static_cast<std::size_t>(i)]; }
    core::Mechanism mechanism_;
};

}  // namespace letoff::keyboard
