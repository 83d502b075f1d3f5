#include "keyboard/action/organ.h"

#include <algorithm>

#include "core/unit/constants.h"
#include "keyboard/action/frame_model.h"

namespace letoff::keyboard {
namespace {

using C = OrganConstants;

struct Organ : FrameModel {
    static std::span<const core::SubModel<Organ>> sub_models();

    double wind_N, wind_falls_m, spring_N, spring_N_per_m, opens_m, shuts_m;

    double shutting_N(const FrameState& x) const {
        const double lift = std::max(0.0, x.q[kFrameDamper]), share = lift / wind_falls_m;
        return spring_N + spring_N_per_m * lift + wind_N / (1 + share * share);
    }
    void speak(const SubStep& s, ActionForces& out) const {
        if (s.phase0 == kPalletShut && s.phase1 == kPalletOpen) tell_spoken(s, out);
    }
};
using M = Organ;
using Sub = core::SubModel<M>;

double torque(const M& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const double torque_Nm = frame_motion(m.frame, frame_forces(m.frame, x, u), x, u, a);
    // The springs carry the weight of pallet and tracker.
    a[kFrameDamper] += core::kGravity_mps2 - m.shutting_N(x) / m.frame.damper_kg;
    return torque_Nm;
}
double not_yet_open(const M& m, const FrameState& x, const FrameInput&) {
    return m.opens_m - x.q[kFrameDamper];
}
double not_yet_shut(const M& m, const FrameState& x, const FrameInput&) {
    return x.q[kFrameDamper] - m.shuts_m;
}

constexpr Sub::Exit kFromShut[] = {{kPalletOpen, not_yet_open}};
constexpr Sub::Exit kFromOpen[] = {{kPalletShut, not_yet_shut}};
constexpr Sub kSubModels[] = {{"shut", key_motion<M, torque>, key_readout<M, torque>, kFromShut},
                              {"open", key_motion<M, torque>, key_readout<M, torque>, kFromOpen}};

// Chosen: a key of 0.08 kg (0.0012 kg m2, a bar of 0.42 m) that falls back by itself with 1.7 g; trackers, backfall and
// pallet of 60 g as its tail feels them, 0.20 m behind the balance pin, after half a millimetre of play; leather on
// the pallet; a dip of 8.5 mm.
constexpr OwnValue kOwn[] = {
    {grand_row("key_mass_kg"), 0.080},
    {grand_row("key_inertia_kgm2"), 0.0012},
    {grand_row("key_com_x_mm"), 5.0},
    {grand_row("key_dry_friction_Nm"), 0.0},
    {grand_row("front_rail_y_mm"), -11.3},
    {grand_row("damper_mass_kg"), 0.060},
    {grand_row("damper_viscous_Ns_per_m"), 0.5},
    {grand_row("damper_x_mm"), 200.0},
    {grand_row("damper_gap_mm"), 0.5},
    {grand_row("damper_stop_mm"), 9.0},
};

}  // namespace

std::span<const Sub> Organ::sub_models() {
    return kSubModels;
}

std::span<const OwnValue> organ_values() {
    return kOwn;
}

void teach_organ(core::FingerSetting& finger) {
    finger.learnt_force_N = 0.9;
    finger.learnt_mass_kg = 0.07;  // key and pallet at the front
    finger.stroke_end_m = 0.0090;
    finger.hold_N = 1.5;
}

ActionNumbers organ_numbers(const GrandValues& values, bool damped) {
    Organ m{};
    m.frame = key_frame(values, damped);
    m.frame.tray_gap_m = kOutOfReach_m;  // no pedal lifts it
    m.wind_N = C::kWind_N;
    m.wind_falls_m = C::kWindFalls_m;
    m.spring_N = C::kSpring_N;
    m.spring_N_per_m = C::kSpring_N_per_m;
    m.opens_m = C::kOpens_m;
    m.shuts_m = C::kShuts_m;
    return to_numbers(m);
}

void step_organ(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept {
    step_on_grid(from_numbers<Organ>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
