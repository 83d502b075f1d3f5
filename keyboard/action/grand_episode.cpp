#include "keyboard/action/grand_episode.h"

#include <algorithm>
#include <cmath>

#include "core/simd/scalar_math.h"
#include "core/string/deterministic_math.h"
#include "core/unit/constants.h"
#include "keyboard/action/frame_model.h"
#include "keyboard/action/linkage_numbers.h"

namespace letoff::keyboard {
namespace {

using C = GrandEpisodeConstants;

constexpr double kCushionReach_m = 0.004;  // its radius and half a shank (grand.cpp)

/// A spring that only pushes, with a loss.
struct Pusher {
    double stiffness_N_per_m = 0, damping_Ns_per_m = 0;
    double force_N(double d_m, double d_mps) const {
        return d_m > 0 ? std::max(0.0, stiffness_N_per_m * d_m + damping_Ns_per_m * d_mps) : 0.0;
    }
};

struct GrandEpisode : FrameModel {
    static std::span<const core::SubModel<GrandEpisode>> sub_models();

    FrameFelt knuckle, cushion;
    double cushion_x_m, cushion_y_m;  // from the hammer centre
    Pusher lever_knuckle, lever_stop, drop_screw;
    double wippen_per_key, knuckle_arm_m, weight_Nm;
    double knuckle_kg;  // hammer and key as they meet there
    double knuckle_drawn_arm_m;
    double wippen_low_rad;         // S1 has no felt: the heel's gap and what its cloth gives under the resting action
    double wippen_kgm2;            // wippen, jack as a point, lever carried along
    double jack_kgm2, jack_turns;  // in let-off the jack turns so much for a turn of the wippen, in space
    double lever_kgm2, lever_wippen_kgm2;  // lever alone; and what couples it to the wippen
    double lever_weight_Nm, lever_spring_Nm_per_rad, lever_spring_rest_rad, lever_loss_Nms;
    double lever_at_knuckle_m, lever_at_screw_m, lever_at_stop_m, screw_arm_m;
    double toe_arm_m, toe_m, button_gap_m;  // toe from wippen centre, from the jack's centre; its way to the button
    double jack_height_m, jack_spring_Nm_per_rad, jack_spring_rest_rad;
    double slip_m;                           // q9 at which the jack is out
    double jack_top_m, lever_top_m, drop_m;  // above the knuckle's lowest point, drawn; the screw's gap
    double knuckle_drawn_m;                  // height of the knuckle, drawn

    double wippen_rad(double key_rad) const { return wippen_per_key * key_rad - wippen_low_rad; }
    /// S2: the jack's turn from the wippen while its toe is on the button.
    double jack_rad(double key_rad) const { return (toe_arm_m * wippen_rad(key_rad) - button_gap_m) / toe_m; }
    double jack_per_key() const { return toe_arm_m * wippen_per_key / toe_m; }

    /// q9: how far the knuckle's centre stands before the jack's back face. Wippen and jack turn in space by w - a.
    double knuckle_edge_m(const FrameState& x) const {
        const double turn = wippen_rad(x.q[kFrameKey]) - jack_rad(x.q[kFrameKey]);
        return slip_m + jack_height_m * turn - (knuckle_at(frame, x.q[kFrameHammer]).arm_m - knuckle_drawn_arm_m);
    }

    struct Contacts {
        double jack_m, jack_mps, lever_m, lever_mps, screw_m, screw_mps, stop_m, stop_mps;
        double cushion_m, cushion_arm_m;
        Knuckle knuckle;
    };
    Contacts contacts(const FrameState& x) const {
        const double w = wippen_rad(x.q[kFrameKey]), w_radps = wippen_per_key * x.v[kFrameKey];
        const double r = x.q[kFrameLever], r_radps = x.v[kFrameLever];
        Contacts c{};
        c.knuckle = knuckle_at(frame, x.q[kFrameHammer]);
        const double rise_m = c.knuckle.height_m - knuckle_drawn_m, rise_mps = c.knuckle.arm_m * x.v[kFrameHammer];
        c.jack_m = jack_top_m + knuckle_arm_m * w - rise_m;
        c.jack_mps = knuckle_arm_m * w_radps - rise_mps;
        c.lever_m = lever_top_m + knuckle_arm_m * w - lever_at_knuckle_m * r - rise_m;
        c.lever_mps = knuckle_arm_m * w_radps - lever_at_knuckle_m * r_radps - rise_mps;
        c.screw_m = screw_arm_m * w - lever_at_screw_m * r - drop_m;
        c.screw_mps = screw_arm_m * w_radps - lever_at_screw_m * r_radps;
        const core::SinCos hammer = c.knuckle.hammer;
        c.cushion_m = hammer.cos * cushion_y_m - hammer.sin * cushion_x_m + kCushionReach_m;
        c.cushion_arm_m = hammer.cos * cushion_x_m + hammer.sin * cushion_y_m;
        c.stop_m = -lever_at_stop_m * r;
        c.stop_mps = -lever_at_stop_m * r_radps;
        return c;
    }
    struct Forces {
        double jack_N = 0, lever_N = 0, screw_N = 0, stop_N = 0, cushion_N = 0;
        double jack_Nm = 0;  // of spring and slider against the jack's turn
    };
    Forces forces(int phase, const FrameState& x, const Contacts& c) const {
        Forces f;
        const bool jack_under = phase == kAcceleration || phase == kLetOff;
        const bool toe_on = phase == kLetOff || phase == kCatch;
        if (jack_under) f.jack_N = knuckle.force_N(c.jack_m, c.jack_mps, knuckle_kg);
        f.lever_N = lever_knuckle.force_N(c.lever_m, c.lever_mps);
        f.screw_N = drop_screw.force_N(c.screw_m, c.screw_mps);
        f.stop_N = lever_stop.force_N(c.stop_m, c.stop_mps);
        f.cushion_N = cushion.force_N(c.cushion_m, -c.cushion_arm_m * x.v[kFrameHammer],
                                      frame.hammer_inertia_kgm2 / (c.cushion_arm_m * c.cushion_arm_m));
        if (toe_on) f.jack_Nm = jack_spring_Nm_per_rad * (jack_rad(x.q[kFrameKey]) - jack_spring_rest_rad);
        if (f.jack_N > 0 && toe_on)  // S3 slides
            f.jack_Nm += C::kSlider_Ns_per_m * jack_height_m * jack_height_m * jack_per_key() * x.v[kFrameKey];
        return f;
    }
    void add_forces(int phase, const FrameState& x, const FrameInput& u, double share, ActionForces& out) const {
        FrameModel::add_forces(phase, x, u, share, out);
        const Contacts c = contacts(x);
        const Forces f = forces(phase, x, c);
        const bool toe_on = phase == kLetOff || phase == kCatch;
        out.add(kJackKnuckle, share, f.jack_N, c.jack_m);
        out.add(kLeverKnuckle, share, f.lever_N, c.lever_m);
        out.add(kLeverDropScrew, share, f.screw_N, c.screw_m);
        out.add(kLeverStop, share, f.stop_N, c.stop_m);
        out.add(kHammerRest, share, f.cushion_N, c.cushion_m);
        out.add(kJackButton, share, toe_on ? std::max(0.0, f.jack_Nm / toe_m) : 0.0, toe_m * jack_rad(x.q[kFrameKey]));
    }
    void finish(ActionPose& pose) const {
        const bool toe_on = pose.phase == kLetOff || pose.phase == kCatch;
        // Signs of the drawing: the wippen's front goes up, the jack's top to the player.
        pose.q[kWippen] = -wippen_rad(pose.q[kKey]);
        pose.v[kWippen] = -wippen_per_key * pose.v[kKey];
        pose.q[kJack] = toe_on ? jack_rad(pose.q[kKey]) : 0.0;
        pose.v[kJack] = toe_on ? jack_per_key() * pose.v[kKey] : 0.0;
    }
};

using Sub = core::SubModel<GrandEpisode>;

/// Momentum of key and lever: [m_kk m_kr; m_kr m_rr] (key'', lever'') = (key_Nm, lever_Nm).
struct Balance {
    double kk, kr, rr, key_Nm, lever_Nm;
};

template <int phase>
Balance balance(const GrandEpisode& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const GrandEpisode::Contacts c = m.contacts(x);
    const GrandEpisode::Forces f = m.forces(phase, x, c);
    const KeyFrame& frame = m.frame;
    a[kFrameHammer] = (c.knuckle.arm_m * (f.jack_N + f.lever_N) + c.cushion_arm_m * f.cushion_N + u.hammer_Nm -
                       c.knuckle.gravity_Nm - frame.hammer_viscous_Nms * x.v[kFrameHammer]) /
                      frame.hammer_inertia_kgm2;
    constexpr bool toe_on = phase == kLetOff || phase == kCatch;
    const double n = m.wippen_per_key;
    const double turns = toe_on ? m.jack_turns : 1.0;
    Balance b{};
    b.kk = frame.key_inertia_kgm2 + n * n * (m.wippen_kgm2 + m.jack_kgm2 * turns * turns);
    b.kr = n * m.lever_wippen_kgm2;
    b.rr = m.lever_kgm2;
    const double wippen_Nm = -m.weight_Nm - m.knuckle_arm_m * (f.jack_N + f.lever_N) - m.screw_arm_m * f.screw_N;
    b.key_Nm = frame_motion(frame, frame_forces(frame, x, u), x, u, a) + n * wippen_Nm - m.jack_per_key() * f.jack_Nm;
    b.lever_Nm = m.lever_weight_Nm - m.lever_spring_Nm_per_rad * (x.q[kFrameLever] - m.lever_spring_rest_rad) -
                 m.lever_loss_Nms * x.v[kFrameLever] + m.lever_at_knuckle_m * f.lever_N +
                 m.lever_at_screw_m * f.screw_N + m.lever_at_stop_m * f.stop_N;
    return b;
}

template <int phase>
void motion(const GrandEpisode& m, const FrameState& x, const FrameInput& u, FrameChanges& a) {
    const Balance b = balance<phase>(m, x, u, a);
    const double kk = b.kk + u.tied_inertia_kgm2;
    a[kFrameKey] = u.driven ? u.driven_radps2 : (b.rr * b.key_Nm - b.kr * b.lever_Nm) / (kk * b.rr - b.kr * b.kr);
    a[kFrameLever] = (b.lever_Nm - b.kr * a[kFrameKey]) / b.rr;
}
template <int phase>
double readout(const GrandEpisode& m, const FrameState& x, const FrameInput& u) {
    FrameChanges a{};
    const Balance b = balance<phase>(m, x, u, a);
    const double lever_radps2 = (b.lever_Nm - b.kr * u.driven_radps2) / b.rr;
    return b.kk * u.driven_radps2 + b.kr * lever_radps2 - b.key_Nm;
}

double toe_gap(const GrandEpisode& m, const FrameState& x, const FrameInput&) {
    return -m.toe_m * m.jack_rad(x.q[kFrameKey]);
}
double jack_angle(const GrandEpisode& m, const FrameState& x, const FrameInput&) {
    return m.jack_rad(x.q[kFrameKey]);
}
double jack_pushes(const GrandEpisode& m, const FrameState& x, const FrameInput&) {
    return m.contacts(x).jack_m;
}
double knuckle_edge(const GrandEpisode& m, const FrameState& x, const FrameInput&) {
    return m.knuckle_edge_m(x);
}
double jack_far(const GrandEpisode& m, const FrameState& x, const FrameInput&) {
    return std::abs(m.contacts(x).jack_m) - C::kTolerance_m;
}

/// The jack's toe stops on the button and what moves with the key turns it from now on: perfectly plastic.
void toe_lands(const GrandEpisode& m, FrameState& x, const FrameInput& u) {
    if (u.driven) return;
    const double n2 = m.wippen_per_key * m.wippen_per_key;
    const double others = m.frame.key_inertia_kgm2 + u.tied_inertia_kgm2 + n2 * m.wippen_kgm2, jack = n2 * m.jack_kgm2;
    x.v[kFrameKey] *= (others + jack) / (others + jack * m.jack_turns * m.jack_turns);
}

constexpr Sub::Exit kFromA[] = {{kLetOff, toe_gap, toe_lands}};
constexpr Sub::Exit kFromB[] = {{kCatch, knuckle_edge}, {kCatch, jack_pushes}, {kAcceleration, jack_angle}};
constexpr Sub::Exit kFromC[] = {{kReset, jack_angle}};
constexpr Sub::Exit kFromD[] = {{kAcceleration, jack_far}, {kCatch, toe_gap, toe_lands}};
constexpr Sub kSubModels[] = {
    {"A", motion<kAcceleration>, readout<kAcceleration>, kFromA},
    {"B", motion<kLetOff>, readout<kLetOff>, kFromB},
    {"C", motion<kCatch>, readout<kCatch>, kFromC},
    {"D", motion<kReset>, readout<kReset>, kFromD},
};

}  // namespace

std::span<const core::SubModel<GrandEpisode>> GrandEpisode::sub_models() {
    return kSubModels;
}

ActionNumbers grand_episode_numbers(const GrandValues& v, bool damped) {
    const auto mm = [&](std::size_t row) { return 1e-3 * v[row]; };
    const auto raw = [&](std::size_t row) { return v[row]; };
    GrandEpisode m{};
    m.frame = key_frame(v, damped);
    m.knuckle = {raw(grand_row("knuckle_felt_k")), raw(grand_row("knuckle_felt_r")), raw(grand_row("knuckle_felt_b"))};
    m.cushion = {raw(grand_row("rest_cushion_felt_k")), raw(grand_row("rest_cushion_felt_r")),
                 raw(grand_row("rest_cushion_felt_b"))};
    m.cushion_x_m = mm(grand_row("rest_cushion_x_mm")) - mm(grand_row("hammer_pivot_x_mm"));
    m.cushion_y_m = mm(grand_row("rest_cushion_y_mm")) - mm(grand_row("hammer_pivot_y_mm"));
    const WippenLinkage w = wippen_linkage(v);
    m.wippen_per_key = w.wippen_per_key;
    m.knuckle_arm_m = w.knuckle_arm_m;
    m.weight_Nm = w.weight_Nm;
    // The lever carried along: T = (I_com (r' - w')^2 + m (lever_m w' - com_m r')^2) / 2, w the wippen's front upwards,
    // r the lever's front downwards from it.
    const double lever_m = w.lever_pivot_m + w.lever_com_m, com_m = w.lever_com_m;
    const double lever_com_kgm2 = w.lever_kgm2 - w.lever_kg * com_m * com_m;
    m.wippen_kgm2 = w.wippen_kgm2 + lever_com_kgm2 + w.lever_kg * lever_m * lever_m;
    m.lever_kgm2 = w.lever_kgm2;
    m.lever_wippen_kgm2 = -lever_com_kgm2 - w.lever_kg * lever_m * com_m;
    m.lever_weight_Nm = core::kGravity_mps2 * w.lever_kg * com_m;
    m.lever_spring_Nm_per_rad = raw(grand_row("repetition_spring_Nm_per_rad"));
    m.lever_spring_rest_rad = raw(grand_row("repetition_spring_rest_rad"));
    m.lever_loss_Nms = C::kLeverLoss_s * m.lever_spring_Nm_per_rad;
    const double lever_x_m = mm(grand_row("lever_pivot_x_mm")), pivot_x_m = mm(grand_row("wippen_pivot_x_mm"));
    m.lever_at_knuckle_m = w.knuckle_arm_m - w.lever_pivot_m;
    m.lever_at_screw_m = lever_x_m - mm(grand_row("drop_screw_x_mm"));
    m.screw_arm_m = pivot_x_m - mm(grand_row("drop_screw_x_mm"));
    m.lever_at_stop_m = 0.135 - lever_x_m;  // the stop stands at 135 mm (grand.cpp)
    m.jack_kgm2 = w.jack_kgm2;
    m.toe_arm_m = pivot_x_m - mm(grand_row("let_off_button_x_mm"));
    m.toe_m = mm(grand_row("jack_pivot_x_mm")) - mm(grand_row("let_off_button_x_mm"));
    m.button_gap_m = mm(grand_row("let_off_button_y_mm")) - mm(grand_row("let_off_button_radius_mm")) -
                     mm(grand_row("jack_tender_y_mm"));
    m.jack_turns = w.jack_pivot_m / m.toe_m;  // about the toe, which stands still
    m.jack_spring_Nm_per_rad = raw(grand_row("jack_spring_Nm_per_rad"));
    m.jack_spring_rest_rad = raw(grand_row("jack_spring_rest_rad"));
    const Knuckle drawn = knuckle_at(m.frame, raw(grand_row("hammer_drawn_angle_rad")));
    m.knuckle_drawn_m = drawn.height_m;
    const double heel_N = (w.weight_Nm + w.knuckle_arm_m * drawn.gravity_Nm / drawn.arm_m) / w.capstan_arm_m;
    const double heel_gap_m =
        mm(grand_row("heel_y_mm")) - mm(grand_row("capstan_y_mm")) - mm(grand_row("capstan_radius_mm"));
    m.wippen_low_rad =
        (heel_gap_m + core::pow_positive(heel_N / raw(grand_row("heel_felt_k")), 1 / raw(grand_row("heel_felt_r")))) /
        w.capstan_arm_m;
    const double lowest_m = mm(grand_row("hammer_pivot_y_mm")) + m.knuckle_drawn_m - mm(grand_row("knuckle_radius_mm"));
    m.jack_top_m = mm(grand_row("jack_top_mm"));
    m.lever_top_m = mm(grand_row("lever_height_mm"));
    m.drop_m = mm(grand_row("drop_screw_y_mm")) - 0.003 - m.lever_top_m;  // a screw of 3 mm (grand.cpp)
    m.jack_height_m = lowest_m + m.jack_top_m - mm(grand_row("jack_pivot_y_mm"));
    m.knuckle_drawn_arm_m = drawn.arm_m;
    const double key_kg = (m.frame.key_inertia_kgm2 + w.wippen_per_key * w.wippen_per_key * m.wippen_kgm2) /
                          (w.wippen_per_key * w.wippen_per_key * w.knuckle_arm_m * w.knuckle_arm_m);
    const double hammer_kg = m.frame.hammer_inertia_kgm2 / (drawn.arm_m * drawn.arm_m);
    m.knuckle_kg = hammer_kg * key_kg / (hammer_kg + key_kg);
    m.slip_m = mm(grand_row("jack_overlap_mm"));
    const auto pusher = [&](double k, double r, double arm_m) {
        const double stiffness = C::kLeverLinear_N / core::pow_positive(C::kLeverLinear_N / k, 1 / r);
        const double kg = m.lever_kgm2 / (arm_m * arm_m);
        return Pusher{stiffness, C::kLeverDamping * 2 * std::sqrt(stiffness * kg)};
    };
    m.lever_knuckle = pusher(m.knuckle.k, m.knuckle.r, m.lever_at_knuckle_m);
    m.lever_stop = pusher(raw(grand_row("lever_stop_felt_k")), raw(grand_row("lever_stop_felt_r")), m.lever_at_stop_m);
    m.drop_screw = pusher(raw(grand_row("drop_screw_felt_k")), raw(grand_row("drop_screw_felt_r")), m.lever_at_screw_m);
    return to_numbers(m);
}

void step_grand_episode(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose,
                        ActionForces& out) noexcept {
    step_on_grid(from_numbers<GrandEpisode>(numbers), in, pose, out);
}

}  // namespace letoff::keyboard
