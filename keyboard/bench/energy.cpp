#include "keyboard/bench/energy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

template <std::size_t N>
double sum(const std::array<double, N>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double EnergyBalance::pivots_total_J() const {
    return sum(pivots_J);
}
double EnergyBalance::felts_total_J() const {
    return sum(felts_J);
}
double EnergyBalance::rubbing_total_J() const {
    return sum(rubbing_J);
}

EnergyMeter::EnergyMeter(const Bench& bench, const TestKey& key, int lane)
    : bench_(bench),
      lane_(lane),
      linkage_(mechanism_of(key.build)),
      crown_(geometry_of(key.build).crown),
      before_(now()),
      stored_at_start_J_(stored_J(before_)) {}

EnergyMeter::State EnergyMeter::now() const {
    State s;
    for (std::size_t b = 0; b < kGrandBodies; ++b) {
        s.q[b] = bench_.block().state().q[b].lane[lane_];
        s.v[b] = bench_.block().state().v[b].lane[lane_];
    }
    s.tray_m = bench_.block().input.tray_lift_m[static_cast<std::size_t>(lane_)];
    return s;
}

double EnergyMeter::stored_J(const State& s) const {
    double stored = linkage_.kinetic_J(s.q, s.v) + linkage_.height_J(s.q) + linkage_.springs_J(s.q);
    for (int c = 0; c < kGrandContacts; ++c) {
        const core::Contact& contact = linkage_.mechanism().contacts[static_cast<std::size_t>(c)];
        const double shift = c == kDamperTray ? s.tray_m : 0.0;  // the bench leaves the soft pedal alone
        stored += Linkage::felt_J(contact, shift - linkage_.touching(c, s.q).gap_m);
    }
    return stored;
}

double EnergyMeter::hammer_J() const {
    State only = before_;
    only.v = {};
    only.v[kHammer] = before_.v[kHammer];
    only.v[kHead] = before_.v[kHead];
    return linkage_.kinetic_J(only.q, only.v);
}

void EnergyMeter::read() {
    const ActionBlock& block = bench_.block();
    const double h = bench_.h_s();
    const State after = now();
    const State& s0 = before_;
    State middle = s0;  // where the step takes its geometry
    std::array<double, kGrandBodies> mean{};
    for (std::size_t b = 0; b < kGrandBodies; ++b) {
        middle.q[b] = s0.q[b] + 0.5 * h * s0.v[b];
        mean[b] = 0.5 * (s0.v[b] + after.v[b]);
    }
    const core::Mechanism& m = linkage_.mechanism();
    const core::LaneState& state = block.state();
    const auto lane = static_cast<std::size_t>(lane_);

    double work = 0;
    const double finger_weight_N = m.bodies[kFinger].mass_kg * core::kGravity_mps2;  // the arm carries it
    work += (block.input.finger_force_N[lane] - finger_weight_N) * (after.q[kFinger] - s0.q[kFinger]);
    const double touch_way_m = block.touch_arm_m(lane_) * (after.q[kKey] - s0.q[kKey]);
    work += block.input.key_force_N[lane] * touch_way_m;
    if (block.driven()) work += block.driven_force_N(lane_) * touch_way_m;

    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
        const double speed = linkage_.pivot_speed(static_cast<int>(b), mean);
        balance_.pivots_J[b] +=
            -state.friction_impulse_Ns[b].lane[lane_] * speed + m.bodies[b].viscous * speed * speed * h;
    }
    for (std::size_t c = 0; c < kGrandContacts; ++c) {
        const core::Contact& contact = m.contacts[c];
        const double force_N = block.output().contact_force_N[c].lane[lane_];
        const Linkage::Touching at = linkage_.touching(static_cast<int>(c), middle.q);
        const auto relative = [&](const std::array<double, kGrandBodies>& v) {
            const core::Point a = linkage_.velocity(contact.circle_body, at.at, middle.q, v);
            const core::Point b = linkage_.velocity(contact.other_body, at.at, middle.q, v);
            return core::Point{a.x_m - b.x_m, a.y_m - b.y_m};
        };
        const auto along_normal = [&](core::Point p) { return p.x_m * at.normal.x_m + p.y_m * at.normal.y_m; };
        const bool tray = c == kDamperTray;
        const double moved0_m = tray ? s0.tray_m : 0, moved1_m = tray ? after.tray_m : 0;
        const double d0 = moved0_m - at.gap_m + 0.5 * h * along_normal(relative(s0.v));
        const double d1 = moved1_m - at.gap_m - 0.5 * h * along_normal(relative(after.v));
        work += force_N * (moved1_m - moved0_m);
        if (force_N > 0 || d0 > 0 || d1 > 0) {
            balance_.felts_J[c] += force_N * (d1 - d0) - (Linkage::felt_J(contact, d1) - Linkage::felt_J(contact, d0));
        }
        if (contact.mu > 0 && force_N > 0) {
            const core::Point slide = relative(mean);
            const double speed = slide.x_m * at.normal.y_m - slide.y_m * at.normal.x_m;
            balance_.rubbing_J[c] -= state.friction_impulse_Ns[core::kMaxBodies + c].lane[lane_] * speed;
        }
    }
    if (const ActionBlock::Events& events = block.events(lane_); events.on_strings) {
        double impulse_Ns = 0;
        for (int i = 0; i < events.force.count; ++i)
            impulse_Ns += events.force.force_N[static_cast<std::size_t>(i)] / core::kStrikeGrid_hz;
        balance_.strings_J += impulse_Ns * crown_.at(s0.q[kHammer], s0.q[index_of(crown_.carrier)])
                                               .speed_mps(mean[kHammer], mean[index_of(crown_.carrier)]);
        State unshifted = after;
        for (std::size_t b = 0; b < kGrandBodies; ++b) unshifted.q[b] = s0.q[b] + h * mean[b];
        balance_.strings_J -= linkage_.springs_J(after.q) - linkage_.springs_J(unshifted.q);
    }
    balance_.work_J += work;
    balance_.throughput_J += std::abs(work);
    before_ = after;
    balance_.stored_J = stored_J(after) - stored_at_start_J_;
}

StrokeEnergy measure_stroke_energy(const TestKey& key, double acceleration_mps2) {
    constexpr double kLongest_s = 0.6, kAfterStrike_s = 0.15;  // by then the key lies still under the finger
    Bench bench(key);
    bench.press(0, acceleration_mps2);
    EnergyMeter meter(bench, key);  // from when the finger is there
    StrokeEnergy out;
    double end_s = kLongest_s;
    bool struck = false, left = false;
    while (bench.now_s() < end_s) {
        const double hammer_J = meter.hammer_J();
        bench.tick();
        meter.read();
        if (!struck && bench.block().events(0).on_strings) {
            struck = true;
            out.hammer_J = hammer_J;
            end_s = bench.now_s() + kAfterStrike_s;
        }
        if (struck && !left && !bench.block().on_strings(0)) {
            left = true;
            out.strings_keep_J = bench.block().string_energy_J(0);
        }
    }
    out.balance = meter.balance();
    return out;
}

}  // namespace letoff::keyboard
