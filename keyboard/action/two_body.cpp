#include "keyboard/action/two_body.h"

#include <cmath>

#include "core/string/deterministic_math.h"
#include "keyboard/action/linkage_numbers.h"
#include "keyboard/action/two_body_model.h"

namespace letoff::keyboard {
namespace {

struct TwoBodyAction : TwoBody {
    static std::span<const core::SubModel<TwoBodyAction>> sub_models();
    void add_forces(int phase, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const {
        add_forces_of(phase == kTwoCoupled || phase == kTwoCoupledOnBed, x, u, share, out);
    }
};
using M = TwoBodyAction;
using Sub = core::SubModel<M>;

constexpr Sub::Exit kFromCoupled[] = {{kTwoApart, two_body_force<M>}, {kTwoCoupledOnBed, two_body_above_bed<M>}};
constexpr Sub::Exit kFromApart[] = {{kTwoCoupled, two_body_gap<M>}, {kTwoApartOnBed, two_body_above_bed<M>}};
constexpr Sub::Exit kFromCoupledOnBed[] = {{kTwoApartOnBed, two_body_force<M>}, {kTwoCoupled, two_body_in_bed<M>}};
constexpr Sub::Exit kFromApartOnBed[] = {{kTwoCoupledOnBed, two_body_gap<M>}, {kTwoApart, two_body_in_bed<M>}};
constexpr Sub kSubModels[] = {
    {"coupled", key_motion<M, two_body_torque<M, true, false>>, key_readout<M, two_body_torque<M, true, false>>,
     kFromCoupled},
    {"apart", key_motion<M, two_body_torque<M, false, false>>, key_readout<M, two_body_torque<M, false, false>>,
     kFromApart},
    {"coupled_on_bed", key_motion<M, two_body_torque<M, true, true>>, key_readout<M, two_body_torque<M, true, true>>,
     kFromCoupledOnBed},
    {"apart_on_bed", key_motion<M, two_body_torque<M, false, true>>, key_readout<M, two_body_torque<M, false, true>>,
     kFromApartOnBed},
};

/// Compression at which a felt gives this force.
double compression_m(const FrameFelt& felt, double force_N) {
    return core::pow_positive(force_N / felt.k, 1 / felt.r);
}

}  // namespace

std::span<const Sub> TwoBodyAction::sub_models() {
    return kSubModels;
}

TwoBody two_body_of(const GrandValues& v, bool damped) {
    using C = TwoBodyConstants;
    TwoBody m{};
    m.frame = key_frame(v, damped);
    const WippenLinkage w = wippen_linkage(v);
    const double n = w.wippen_per_key, drawn_rad = v[grand_row("hammer_drawn_angle_rad")];
    const double lever_m = w.lever_pivot_m + w.lever_com_m;
    m.key_kgm2 = m.frame.key_inertia_kgm2 + n * n *
                                                (w.wippen_kgm2 + w.jack_kgm2 + w.lever_kgm2 +
                                                 w.lever_kg * (lever_m * lever_m - w.lever_com_m * w.lever_com_m));
    m.key_weight_Nm = m.frame.key_weight_Nm - n * w.weight_Nm;
    m.l2_m = n * w.knuckle_arm_m;
    const Knuckle middle = knuckle_at(m.frame, 0.5 * drawn_rad);
    m.l3_m = middle.arm_m;
    m.l4_m = middle.gravity_Nm / (m.frame.hammer_kg * core::kGravity_mps2);
    const FrameFelt knuckle{v[grand_row("knuckle_felt_k")], v[grand_row("knuckle_felt_r")], 0};
    const FrameFelt heel{v[grand_row("heel_felt_k")], v[grand_row("heel_felt_r")], 0};
    // The heel's felt lies at the capstan: its force is larger and its give at the knuckle as much.
    const double lever = m.l2_m / (v[grand_row("capstan_x_mm")] * 1e-3);
    m.stiffness_N_per_m =
        C::kSecant_N / (compression_m(knuckle, C::kSecant_N) + lever * compression_m(heel, C::kSecant_N * lever));
    const double hammer_kg = m.frame.hammer_inertia_kgm2 / (m.l3_m * m.l3_m), key_kg = m.key_kgm2 / (m.l2_m * m.l2_m);
    m.damping_Ns_per_m = C::kDamping * 2 * std::sqrt(m.stiffness_N_per_m * hammer_kg * key_kg / (hammer_kg + key_kg));
    // The angle at which the crown is kClear_m below the strings, by Newton from the drawing's string height.
    const CrownGeometry crown = crown_geometry(v);
    double rad = 0;
    for (int i = 0; i < 6; ++i) {
        const CrownGeometry::Pose pose = crown.at(rad);
        rad += (pose.below_string_m - C::kClear_m) / pose.lever_arm_m;
    }
    m.rest_rad = rad - m.l2_m * (m.frame.dip_free_m / m.frame.front_arm_m) / m.l3_m;
    return m;
}

ActionNumbers two_body_numbers(const GrandValues& values, bool damped) {
    return to_numbers(two_body_of(values, damped));
}

void step_two_body(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept {
    step_on_grid(from_numbers<TwoBodyAction>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
