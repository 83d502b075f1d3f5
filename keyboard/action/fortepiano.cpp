#include "keyboard/action/fortepiano.h"

#include <algorithm>
#include <cmath>

#include "core/simd/scalar_math.h"
#include "core/unit/constants.h"
#include "keyboard/action/frame_model.h"

namespace letoff::keyboard {
namespace {

using C = FortepianoConstants;

struct Fortepiano : FrameModel {
    static std::span<const core::SubModel<Fortepiano>> sub_models();

    FrameFelt cushion;
    double leather_N_per_m, leather_Ns_per_m;
    double length_m, head_kg, rest_m;  // L, m; the crown's height on its rail at rest
    double kapsel_m, beak_m, gap_m;    // a, b
    double off_rad, edge_rad, edge_Nm;
    double pass_Ns_per_m, check_Ns_per_m, check_m, check_rad;  // the crown's rise at the check, the key's turn

    struct Lever {
        double c_m, c_mps, arm_m;  // d(c) / d(hammer's angle)
        double phi_rad, phi_radps, d_m, d_mps;
    };
    Lever lever(const FrameState& x) const {
        const core::SinCos at = core::small_sincos(x.q[kFrameHammer]);
        Lever l{};
        l.arm_m = length_m * at.cos;
        l.c_m = length_m * at.sin - rest_m;
        l.c_mps = l.arm_m * x.v[kFrameHammer];
        const double z_m = kapsel_m * x.q[kFrameKey], z_mps = kapsel_m * x.v[kFrameKey], share = beak_m / length_m;
        l.phi_rad = (l.c_m - z_m) / length_m;
        l.phi_radps = (l.c_mps - z_mps) / length_m;
        l.d_m = z_m * (1 + share) - l.c_m * share - gap_m;
        l.d_mps = z_mps * (1 + share) - l.c_mps * share;
        return l;
    }
    struct Forces {
        double beak_N = 0, passing_N = 0, edge_Nm = 0, cushion_N = 0, check_N = 0;
        /// On the crown's rise, and on the Kapsel's.
        double crown_N(const Fortepiano& m) const {
            const double share = m.beak_m / m.length_m;
            return share * (beak_N - passing_N) - edge_Nm / m.length_m + cushion_N + check_N;
        }
        double kapsel_N(const Fortepiano& m) const {
            const double share = m.beak_m / m.length_m;
            return (1 + share) * (passing_N - beak_N) + edge_Nm / m.length_m;
        }
    };
    Forces forces(int phase, const FrameState& x, const Lever& l) const {
        Forces f;
        if (phase == kBeakUnder) {
            f.beak_N = l.d_m > 0 ? std::max(0.0, leather_N_per_m * l.d_m + leather_Ns_per_m * l.d_mps) : 0.0;
            const double over_edge = std::clamp((l.phi_rad - (off_rad - edge_rad)) / edge_rad, 0.0, 1.0);
            f.edge_Nm = edge_Nm * std::min(1.0, 2 * over_edge);
        } else if (phase == kBeakPasses) {
            f.passing_N = pass_Ns_per_m * std::max(0.0, -l.d_mps);
        }
        f.cushion_N = cushion.force_N(-l.c_m, -l.c_mps, head_kg);
        if (l.c_m < check_m && x.q[kFrameKey] > check_rad) f.check_N = check_Ns_per_m * std::max(0.0, -l.c_mps);
        return f;
    }
    void add_forces(int phase, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const {
        FrameModel::add_forces(phase, x, u, share, out);
        const Lever l = lever(x);
        const Forces f = forces(phase, x, l);
        out.add(kJackKnuckle, share, f.beak_N, l.d_m);
        out.add(kJackButton, share, f.edge_Nm / beak_m + f.passing_N, beak_m * (l.phi_rad - (off_rad - edge_rad)));
        out.add(kHammerRest, share, f.cushion_N, -l.c_m);
        out.add(kTailBackcheck, share, f.check_N, check_m - l.c_m);
    }
};
using M = Fortepiano;
using Sub = core::SubModel<M>;

template <int phase>
double torque(const M& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const M::Lever l = m.lever(x);
    const M::Forces f = m.forces(phase, x, l);
    const double kapsel_Nms = m.frame.hammer_viscous_Nms * l.phi_radps;
    const double crown_N = f.crown_N(m) - m.head_kg * core::kGravity_mps2 - kapsel_Nms / m.length_m;
    a[kFrameHammer] = (l.arm_m * crown_N + u.hammer_Nm) / m.frame.hammer_inertia_kgm2;
    return frame_motion(m.frame, frame_forces(m.frame, x, u), x, u, a) +
           m.kapsel_m * (f.kapsel_N(m) + kapsel_Nms / m.length_m);
}
double overlap(const M& m, const FrameState& x, const FrameInput&) {
    return m.off_rad - m.lever(x).phi_rad;
}
double beyond(const M& m, const FrameState& x, const FrameInput&) {
    return m.lever(x).phi_rad - m.off_rad;
}
double over_notch(const M& m, const FrameState& x, const FrameInput&) {
    return m.lever(x).d_m;
}

constexpr Sub::Exit kFromUnder[] = {{kBeakOff, overlap}};
constexpr Sub::Exit kFromOff[] = {{kBeakPasses, beyond}};
constexpr Sub::Exit kFromPasses[] = {{kBeakUnder, over_notch}, {kBeakOff, overlap}};
constexpr Sub kSubModels[] = {
    {"under", key_motion<M, torque<kBeakUnder>>, key_readout<M, torque<kBeakUnder>>, kFromUnder},
    {"off", key_motion<M, torque<kBeakOff>>, key_readout<M, torque<kBeakOff>>, kFromOff},
    {"passes", key_motion<M, torque<kBeakPasses>>, key_readout<M, torque<kBeakPasses>>, kFromPasses},
};

// Chosen (see the header): a head that weighs 2.8 g at the crown in the middle, heavier and lighter as the grand's are,
// on 120 mm; a blow of 35 mm, so that the strings are where such a shank is level; a key of 0.06 kg (0.0008 kg m2: a
// bar of 0.40 m), 2 g heavier behind, so that it comes back by itself and some 23 g play it; a dip of 5.5 mm; dampers
// of 15 g on thin cloth, taken up at 1.5 mm of dip.
constexpr OwnValue kOwn[] = {
    {grand_row("key_mass_kg"), 0.060},
    {grand_row("key_inertia_kgm2"), 0.0008},
    {grand_row("key_com_x_mm"), 8.0},
    {grand_row("key_dry_friction_Nm"), 0.0},
    {grand_row("front_rail_y_mm"), -8.3},
    {grand_row("hammer_mass_kg"), 0.0028, true},
    {grand_row("hammer_inertia_kgm2"), 0.0028 * 0.12 * 0.12, true},
    {grand_row("hammer_drawn_angle_rad"), -0.296},
    {grand_row("crown_x_mm"), 120.0},
    {grand_row("crown_y_mm"), 0.0},
    {grand_row("string_y_mm"), 129.0},
    {grand_row("damper_mass_kg"), 0.015},
    {grand_row("damper_gap_mm"), 1.2},
    {grand_row("damper_string_felt_k"), 5e7},
    {grand_row("damper_string_felt_b"), 5e7},
};

}  // namespace

std::span<const Sub> Fortepiano::sub_models() {
    return kSubModels;
}

std::span<const OwnValue> fortepiano_values() {
    return kOwn;
}

void teach_fortepiano(core::FingerSetting& finger) {
    finger.learnt_force_N = 0.25;
    finger.learnt_mass_kg = 0.18;  // key and 7.5^2 times the head at the front
    finger.stroke_end_m = 0.0058;
    finger.hold_N = 1.5;
}

ActionNumbers fortepiano_numbers(const GrandValues& v, bool damped) {
    Fortepiano m{};
    m.frame = key_frame(v, damped);
    m.cushion = {v[grand_row("rest_cushion_felt_k")], v[grand_row("rest_cushion_felt_r")],
                 v[grand_row("rest_cushion_felt_b")]};
    const CrownGeometry crown = crown_geometry(v);
    m.length_m = crown.x_m;
    m.head_kg = m.frame.hammer_inertia_kgm2 / (m.length_m * m.length_m);
    m.rest_m = m.length_m * core::small_sincos(v[grand_row("hammer_drawn_angle_rad")]).sin;
    m.kapsel_m = C::kKapsel_m;
    m.beak_m = C::kBeak_m;
    m.gap_m = C::kGap_m;
    const double at_beak = m.length_m / m.beak_m;
    m.leather_N_per_m = C::kLeather_N_per_m;
    m.leather_Ns_per_m = C::kLeatherLoss * 2 * std::sqrt(C::kLeather_N_per_m * m.head_kg * at_beak * at_beak);
    // Where the crown is at its let-off, the notch held: z (1 + b/L) = c b/L + gap.
    const double blow_m = crown.under_string_m - m.rest_m, c_m = blow_m - C::kLetOff_m;
    const double share = m.beak_m / m.length_m, z_m = (c_m * share + m.gap_m) / (1 + share);
    m.off_rad = (c_m - z_m) / m.length_m;
    m.edge_rad = C::kEdge_rad;
    m.edge_Nm = C::kHopper_N * m.beak_m;
    m.pass_Ns_per_m = C::kPass_Ns_per_m;
    m.check_Ns_per_m = C::kCheck_Ns_per_m;
    m.check_m = blow_m - C::kCheckBelow_m;
    m.check_rad = C::kCheckDip * m.frame.dip_free_m / m.frame.front_arm_m;
    return to_numbers(m);
}

void step_fortepiano(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept {
    step_on_grid(from_numbers<Fortepiano>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
