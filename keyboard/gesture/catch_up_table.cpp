#include "keyboard/gesture/catch_up_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"

namespace letoff::keyboard {
namespace {

constexpr size_t kFrictions = kKeyFrictions.size();
constexpr size_t kNodeDoubles = 2 * kGrandBodies + kFrictions + 3;
constexpr size_t kCurveDoubles = 6 + CatchUpTable::kNodes * kNodeDoubles;
constexpr double kLayout = 2;       // of the doubles: changes with them
constexpr double kPhaseLayout = 1;  // of what an action has that goes by phases

double mixed(double a, double b, double share) {
    return a + share * (b - a);
}

/// A time that may not have come (negative): from the nearer stroke unless both know it.
double mixed_time(double a, double b, double share) {
    if (a >= 0 && b >= 0) return mixed(a, b, share);
    return share < 0.5 ? a : b;
}

/// One curve's contribution to a state, with a weight.
void add(const CatchUpTable::Curve& curve, double before_s, double weight, bool nearer, CatchUpTable::State& out) {
    constexpr int kLast = CatchUpTable::kNodes - 1;
    const double s = std::clamp(before_s, 0.0, curve.travel_s);
    int k = static_cast<int>(std::sqrt(s / curve.travel_s) * kLast);
    k = std::clamp(k, 0, kLast - 1);
    const double s0 = CatchUpTable::before_s(curve, k), s1 = CatchUpTable::before_s(curve, k + 1);
    const double u = std::clamp((s - s0) / (s1 - s0), 0.0, 1.0), step_s = s0 - s1;  // time runs against s
    const CatchUpTable::Node &a = curve.nodes[static_cast<size_t>(k)], &b = curve.nodes[static_cast<size_t>(k) + 1];
    const double b_share = u * u * (3 - 2 * u), a_slope = u * (1 - u) * (1 - u), b_slope = u * u * (u - 1);
    for (size_t i = 0; i < kGrandBodies; ++i) {
        const double qa = static_cast<double>(a.q[i]), qb = static_cast<double>(b.q[i]);
        const double va = static_cast<double>(a.v[i]), vb = static_cast<double>(b.v[i]);
        out.key.q[i] += weight * (qa + b_share * (qb - qa) + step_s * (a_slope * va + b_slope * vb));
        out.key.v[i] += weight * mixed(va, vb, u);
    }
    const CatchUpTable::Node& near = u < 0.5 ? a : b;
    for (size_t i = 0; i < kFrictions; ++i) {
        const size_t friction = static_cast<size_t>(kKeyFrictions[i]);
        out.key.friction_impulse_Ns[friction] += weight * static_cast<double>(near.friction_impulse_Ns[i]);
        if (nearer) out.key.friction_side[friction] = near.friction_side[i];
    }
    if (nearer) out.key.phase = near.phase;
    const auto along = [&](float CatchUpTable::Node::* field) {
        return weight * mixed(static_cast<double>(a.*field), static_cast<double>(b.*field), u);
    };
    out.key.hammer_torque_Nm += along(&CatchUpTable::Node::hammer_torque_Nm);
    out.finger_N += along(&CatchUpTable::Node::finger_N);
}

}  // namespace

void CatchUpTable::finish() {
    const auto strikes = [this](int velocity) {
        return curve(Tray::down, velocity).speed_mps > 0 && curve(Tray::lifted, velocity).speed_mps > 0;
    };
    first_ = curves_.empty() ? kVelocities : 0;
    for (int velocity = first_; velocity < kVelocities; ++velocity) {
        if (!strikes(velocity)) first_ = velocity + 1;  // above a gap every stroke strikes
    }
}

CatchUpTable::Mix CatchUpTable::mix(Tray tray, double speed_mps) const noexcept {
    int lower = first_;
    while (lower + 2 < kVelocities && curve(tray, lower + 1).speed_mps < speed_mps) ++lower;
    const int upper = std::min(lower + 1, kVelocities - 1);
    const Curve &a = curve(tray, lower), &b = curve(tray, upper);
    const double rise = b.speed_mps - a.speed_mps;
    const double share = rise > 0 ? std::clamp((speed_mps - a.speed_mps) / rise, 0.0, 1.0) : 0.0;
    return {lower,
            share,
            mixed(a.speed_mps, b.speed_mps, share),
            mixed(a.travel_s, b.travel_s, share),
            mixed(a.acceleration_mps2, b.acceleration_mps2, share),
            mixed(a.from_m, b.from_m, share),
            mixed_time(a.escapement_before_s, b.escapement_before_s, share),
            mixed_time(a.bottom_before_s, b.bottom_before_s, share)};
}

CatchUpTable::State CatchUpTable::at(Tray tray, const Mix& mix, double before_s) const noexcept {
    State state;
    const bool upper_nearer = mix.share >= 0.5;
    add(curve(tray, mix.lower), before_s, 1 - mix.share, !upper_nearer, state);
    if (mix.share > 0) add(curve(tray, mix.lower + 1), before_s, mix.share, upper_nearer, state);
    return state;
}

std::vector<double> CatchUpTable::to_doubles() const {
    std::vector<double> values;
    values.reserve(curves_.size() * kCurveDoubles);
    for (const Curve& curve : curves_) {
        values.insert(values.end(), {curve.speed_mps, curve.travel_s, curve.acceleration_mps2, curve.from_m,
                                     curve.escapement_before_s, curve.bottom_before_s});
        for (const Node& node : curve.nodes) {
            values.insert(values.end(), node.q.begin(), node.q.end());
            values.insert(values.end(), node.v.begin(), node.v.end());
            values.insert(values.end(), node.friction_impulse_Ns.begin(), node.friction_impulse_Ns.end());
            double sides = node.phase;  // above the sides' three values each, as one number
            for (const std::int8_t side : node.friction_side) sides = 3 * sides + (side + 1);
            values.insert(values.end(),
                          {sides, static_cast<double>(node.hammer_torque_Nm), static_cast<double>(node.finger_N)});
        }
    }
    return values;
}

bool CatchUpTable::from_doubles(std::span<const double> values, CatchUpTable& table) {
    constexpr size_t kOneTray = kVelocities * kCurveDoubles;
    if (values.size() != kOneTray && values.size() != kTrays * kOneTray) return false;
    for (const double value : values) {
        if (!std::isfinite(value)) return false;
    }
    table = CatchUpTable(values.size() != kOneTray);
    const double* next = values.data();
    const auto take = [&](auto& floats) {
        for (float& value : floats) value = static_cast<float>(*next++);
    };
    for (Curve& curve : table.curves_) {
        for (double* field : {&curve.speed_mps, &curve.travel_s, &curve.acceleration_mps2, &curve.from_m,
                              &curve.escapement_before_s, &curve.bottom_before_s}) {
            *field = *next++;
        }
        if (curve.speed_mps > 0 && !(curve.travel_s > 0 && curve.acceleration_mps2 > 0)) return false;
        for (Node& node : curve.nodes) {
            take(node.q);
            take(node.v);
            take(node.friction_impulse_Ns);
            auto sides = static_cast<std::int64_t>(std::clamp(*next++, 0.0, 1e9));
            for (size_t i = kFrictions; i-- > 0; sides /= 3)
                node.friction_side[i] = static_cast<std::int8_t>(sides % 3 - 1);
            node.phase =
                static_cast<std::int8_t>(std::min<std::int64_t>(sides, std::numeric_limits<std::int8_t>::max()));
            node.hammer_torque_Nm = static_cast<float>(*next++);
            node.finger_N = static_cast<float>(*next++);
        }
    }
    table.finish();
    return true;
}

std::uint64_t catch_up_hash(const KeyBuild& key, int tick_hz) {
    const std::uint64_t strokes = stroke_hash(key, tick_hz);
    core::Hash hash;
    for (double value : {static_cast<double>(strokes >> 32U), static_cast<double>(strokes & 0xFFFFFFFFU),
                         static_cast<double>(CatchUpTable::kNodes), static_cast<double>(CatchUpTable::kEvery), kLayout})
        hash.add(value);
    if (key.action->step != nullptr) hash.add(kPhaseLayout);
    return hash.value();
}

}  // namespace letoff::keyboard
