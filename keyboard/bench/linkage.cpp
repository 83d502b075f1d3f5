#include "keyboard/bench/linkage.h"

#include <algorithm>
#include <cmath>

#include "core/felt/curve.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

using core::Contact;
using core::ContactKind;
using core::kGround;
using core::Point;

constexpr double kOutOfReach_m = 1.0;

Point turned(Point p, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * p.x_m - s * p.y_m, s * p.x_m + c * p.y_m};
}
Point plus(Point a, Point b) {
    return {a.x_m + b.x_m, a.y_m + b.y_m};
}
Point minus(Point a, Point b) {
    return {a.x_m - b.x_m, a.y_m - b.y_m};
}
Point times(double k, Point p) {
    return {k * p.x_m, k * p.y_m};
}
double dot(Point a, Point b) {
    return a.x_m * b.x_m + a.y_m * b.y_m;
}
double length(Point p) {
    return std::sqrt(dot(p, p));
}
Point perp(Point p) {
    return {-p.y_m, p.x_m};
}

struct Shape {
    double distance_m = kOutOfReach_m;
    Point normal{0, 1};
};

/// e: the circle's centre from the line's start; past an end the contact is with the end point, outside only.
Shape from_line(Point e, Point from, Point to) {
    const Point line = minus(to, from);
    const double long_m = length(line);
    const Point u = times(1 / long_m, line);
    const double s = dot(u, e), w = dot(perp(u), e);
    const double beyond = s - std::clamp(s, 0.0, long_m);
    if (beyond == 0) return {w, perp(u)};
    if (w <= 0) return {};
    const Point off = plus(times(beyond, u), times(w, perp(u)));
    return {length(off), times(1 / length(off), off)};
}

/// e: the circle's centre from the arc's centre; u runs along the top towards the arc.
Shape from_corner(Point e, Point u, const Contact& c) {
    const double s = dot(u, e), w = dot(perp(u), e);
    if (s > 0 && w > 0) return {length(e), times(1 / length(e), e)};
    if (w >= s) return s < -c.top_length_m ? Shape{} : Shape{w, perp(u)};
    return w < -c.face_length_m ? Shape{} : Shape{s, u};
}

}  // namespace

Point Linkage::place(int b, Point local, std::span<const double> q) const {
    if (b == kGround) return local;
    const double at = q[static_cast<std::size_t>(b)];
    if (body(b).guided) return plus(times(at, body(b).guide), local);
    return plus(place(body(b).parent, body(b).pivot, q), turned(local, at));
}

Point Linkage::direction(int b, Point local, std::span<const double> q) const {
    return b == kGround || body(b).guided ? local : turned(local, q[static_cast<std::size_t>(b)]);
}

Point Linkage::velocity(int b, Point world, std::span<const double> q, std::span<const double> v) const {
    if (b == kGround) return {0, 0};
    const double speed = v[static_cast<std::size_t>(b)];
    if (body(b).guided) return times(speed, body(b).guide);
    const Point pivot = place(body(b).parent, body(b).pivot, q);
    return plus(velocity(body(b).parent, pivot, q, v), times(speed, perp(minus(world, pivot))));
}

double Linkage::pivot_speed(int b, std::span<const double> v) const {
    const double own = v[static_cast<std::size_t>(b)];
    return body(b).parent == kGround ? own : own - v[static_cast<std::size_t>(body(b).parent)];
}

Linkage::Touching Linkage::touching(int index, std::span<const double> q) const {
    const Contact& c = mechanism_.contacts[static_cast<std::size_t>(index)];
    const Point centre = place(c.circle_body, c.circle_centre, q);
    Shape shape;
    double other_radius_m = 0;
    if (c.kind == ContactKind::circle_line) {
        const Point from = place(c.other_body, c.line_from, q);
        shape = from_line(minus(centre, from), from, place(c.other_body, c.line_to, q));
    } else {
        other_radius_m = c.other_radius_m;
        const Point e = minus(centre, place(c.other_body, c.other_centre, q));
        if (c.kind == ContactKind::strap) return {c.other_radius_m - length(e), centre, times(-1 / length(e), e)};
        if (c.kind == ContactKind::circle_circle) {
            shape = {length(e), times(1 / length(e), e)};
        } else {
            shape = from_corner(e, direction(c.other_body, {c.top_normal.y_m, -c.top_normal.x_m}, q), c);
        }
    }
    return {shape.distance_m - c.circle_radius_m - other_radius_m,
            minus(centre, times(c.circle_radius_m, shape.normal)), shape.normal};
}

double Linkage::kinetic_J(std::span<const double> q, std::span<const double> v) const {
    double sum = 0;
    for (int i = 0; i < static_cast<int>(mechanism_.bodies.size()); ++i) {
        const core::Body& b = body(i);
        const double speed = v[static_cast<std::size_t>(i)];
        const Point com = velocity(i, place(i, b.com, q), q, v);
        sum += 0.5 * b.mass_kg * dot(com, com);
        if (!b.guided) sum += 0.5 * (b.inertia_kgm2 - b.mass_kg * dot(b.com, b.com)) * speed * speed;
    }
    return sum;
}

double Linkage::height_J(std::span<const double> q) const {
    double sum = 0;
    for (int i = 0; i < static_cast<int>(mechanism_.bodies.size()); ++i)
        sum += body(i).mass_kg * core::kGravity_mps2 * place(i, body(i).com, q).y_m;
    return sum;
}

double Linkage::springs_J(std::span<const double> q) const {
    double sum = 0;
    for (const core::Spring& s : mechanism_.springs) {
        const double stretch = pivot_speed(s.body, q) - s.rest_angle_rad;  // angles, by the same rule
        sum += 0.5 * s.stiffness_Nm_per_rad * stretch * stretch;
    }
    return sum;
}

double Linkage::felt_J(const core::Contact& contact, double compression_m) {
    const core::Felt& felt = contact.felt;
    if (contact.curve != nullptr) return felt.k * contact.curve->at(compression_m).energy_J;
    return compression_m > 0 ? felt.k * std::pow(compression_m, felt.r + 1) / (felt.r + 1) : 0.0;
}

}  // namespace letoff::keyboard
