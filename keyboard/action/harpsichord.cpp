#include "keyboard/action/harpsichord.h"

#include <algorithm>

#include "keyboard/action/frame_model.h"

namespace letoff::keyboard {
namespace {

using C = HarpsichordConstants;

struct Harpsichord : FrameModel {
    static std::span<const core::SubModel<Harpsichord>> sub_models();

    double gap_m, spring_N_per_m, release_N, tongue_N, plectrum_m;

    double bend_m(const FrameState& x) const { return x.q[kFrameDamper] - gap_m; }
    /// Downwards on the jack, upwards on the string.
    double pluck_N(int phase, const FrameState& x) const {
        return phase == kPlectrumPlucks ? std::max(0.0, spring_N_per_m * bend_m(x)) : 0.0;
    }
    double on_jack_N(int phase, const FrameState& x) const {
        return (phase == kPlectrumPasses ? tongue_N : 0.0) - pluck_N(phase, x);
    }
    void speak(const SubStep& s, ActionForces& out) const {
        const double f0_N = pluck_N(s.phase0, s.x0), f1_N = pluck_N(s.phase1, s.x1);
        const bool before = s.phase0 == kPlectrumPlucks, after = s.phase1 == kPlectrumPlucks;
        const bool let_go = s.phase1 == kPlectrumAbove && (before || s.phase0 == kPlectrumBelow);
        if (before || after || let_go)
            add_ramp(out, s.string_samples, before ? s.begin : s.switched, after ? s.end : s.switched, f0_N,
                     let_go ? release_N : f1_N);
        if (let_go) tell_spoken(s, out);
    }
};
using M = Harpsichord;
using Sub = core::SubModel<M>;

template <int phase>
double torque(const M& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const double torque_Nm = frame_motion(m.frame, frame_forces(m.frame, x, u), x, u, a);
    a[kFrameDamper] += m.on_jack_N(phase, x) / m.frame.damper_kg;
    return torque_Nm;
}

double under_string(const M& m, const FrameState& x, const FrameInput&) {
    return -m.bend_m(x);
}
double over_string(const M& m, const FrameState& x, const FrameInput&) {
    return m.bend_m(x);
}
double holds_string(const M& m, const FrameState& x, const FrameInput&) {
    return m.release_N - m.spring_N_per_m * m.bend_m(x);
}
double not_yet_past(const M& m, const FrameState& x, const FrameInput&) {
    return m.bend_m(x) + m.plectrum_m;
}

constexpr Sub::Exit kFromBelow[] = {{kPlectrumPlucks, under_string}};
constexpr Sub::Exit kFromPlucks[] = {{kPlectrumAbove, holds_string}, {kPlectrumBelow, over_string}};
constexpr Sub::Exit kFromAbove[] = {{kPlectrumPasses, over_string}};
constexpr Sub::Exit kFromPasses[] = {{kPlectrumBelow, not_yet_past}, {kPlectrumAbove, under_string}};
constexpr Sub kSubModels[] = {
    {"below", key_motion<M, torque<kPlectrumBelow>>, key_readout<M, torque<kPlectrumBelow>>, kFromBelow},
    {"plucks", key_motion<M, torque<kPlectrumPlucks>>, key_readout<M, torque<kPlectrumPlucks>>, kFromPlucks},
    {"above", key_motion<M, torque<kPlectrumAbove>>, key_readout<M, torque<kPlectrumAbove>>, kFromAbove},
    {"passes", key_motion<M, torque<kPlectrumPasses>>, key_readout<M, torque<kPlectrumPasses>>, kFromPasses},
};

// Chosen, there being no source: a limewood key of half a grand's weight and a third of its inertia (a bar of 0.06 kg
// and 0.40 m with both arms' punchings: 8e-4 kg m2), heavier behind by 4 g at the front; a jack of 12 g, with tongue
// and the lead that old jacks have not and new ones need, 0.20 m behind the balance pin; its damper cloth thin, the
// jack hanging on it 0.3 mm above the key; the jack rail 2 mm above the highest that the key lifts the jack; a dip of 7
// mm (harpsichords have 6 to 8).
constexpr OwnValue kOwn[] = {
    {grand_row("key_mass_kg"), 0.060},        {grand_row("key_inertia_kgm2"), 0.0008},
    {grand_row("key_com_x_mm"), 15.0},        {grand_row("key_dry_friction_Nm"), 0.0},
    {grand_row("front_rail_y_mm"), -9.75},    {grand_row("damper_mass_kg"), 0.012},
    {grand_row("damper_x_mm"), 200.0},        {grand_row("damper_gap_mm"), 0.6},
    {grand_row("damper_stop_mm"), 8.0},       {grand_row("damper_string_felt_k"), 5e7},
    {grand_row("damper_string_felt_b"), 5e7},
};

}  // namespace

std::span<const Sub> Harpsichord::sub_models() {
    return kSubModels;
}

std::span<const OwnValue> harpsichord_values() {
    return kOwn;
}

void teach_harpsichord(core::FingerSetting& finger) {
    finger.learnt_force_N = 0.4;
    finger.learnt_mass_kg = 0.03;  // key and jack at the front
    finger.stroke_end_m = 0.0075;
    finger.hold_N = 1.0;
}

ActionNumbers harpsichord_numbers(const GrandValues& values, bool damped) {
    Harpsichord m{};
    m.frame = key_frame(values, damped);
    m.frame.tray_gap_m = kOutOfReach_m;  // no pedal lifts it
    m.gap_m = C::kGap_m;
    m.spring_N_per_m = C::kSpring_N_per_m;
    m.release_N = C::kRelease_N;
    m.tongue_N = C::kTongue_N;
    m.plectrum_m = C::kPlectrum_m;
    return to_numbers(m);
}

void step_harpsichord(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose,
                      ActionForces& out) noexcept {
    step_on_grid(from_numbers<Harpsichord>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
