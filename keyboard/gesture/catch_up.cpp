#include "keyboard/gesture/catch_up.h"

#include <algorithm>
#include <array>

#include "core/simd/scalar_math.h"
#include "keyboard/action/organ.h"

namespace letoff::keyboard {
namespace {

// The hammer is put at least one interval of the strike grid before the strings, so that they meet as in any stroke.
constexpr double kLeast_s = 1.0 / core::kStrikeGrid_hz;

}  // namespace

bool may_catch_up(const Keybed& keybed, int key_index) {
    const core::Finger::Phase finger = keybed.finger(key_index).phase();
    if (finger == core::Finger::Phase::press || finger == core::Finger::Phase::hold) return false;
    const ActionBlock& block = keybed.block_of(key_index);
    const int lane = keybed.lane_of(key_index);
    // A string takes the whole pull of its plectrum to be plucked; a pallet has to be shut.
    if (block.action().speaks == Speaks::by_plectrum) return false;
    if (!block.action().has_hammer() && block.phase(lane) != kPalletShut) return false;
    return block.dip_m(lane) <= kRepeats_m && !block.on_strings(lane) && block.crown_speed_mps(lane) <= kRising_mps &&
           !(block.output().contact_force_N[kTailBackcheck].lane[lane] > 0);
}

double mechanical_energy_J(const core::LaneModel& model, const KeyState& key, int lane) {
    const core::Topology& topology = model.topology;
    double energy_J = 0;
    std::array<core::SinCos, kGrandBodies> turn{};
    for (int i = 0; i < topology.bodies; ++i) {
        const size_t b = static_cast<size_t>(i);
        const core::LaneBody& body = model.body[b];
        const double m = body.mass.lane[lane], q = key.q[b], v = key.v[b];
        const double pivot_x = body.pivot_x.lane[lane], pivot_y = body.pivot_y.lane[lane];
        energy_J += 0.5 * body.inertia.lane[lane] * v * v;
        if (topology.body[b].guided) {  // the pivot holds the direction, the inertia the mass
            if (i != kFinger) energy_J += m * core::kGravity_mps2 * pivot_y * q;  // the hand carries the finger
            continue;
        }
        turn[b] = core::small_sincos(q);
        const double com_x = body.com_x.lane[lane], com_y = body.com_y.lane[lane];
        const double rx = turn[b].cos * com_x - turn[b].sin * com_y, ry = turn[b].sin * com_x + turn[b].cos * com_y;
        double height_m = ry;
        if (topology.body[b].parent != core::kGround) {
            const size_t p = static_cast<size_t>(topology.body[b].parent);
            const double dx = turn[p].cos * pivot_x - turn[p].sin * pivot_y;
            const double dy = turn[p].sin * pivot_x + turn[p].cos * pivot_y;
            energy_J += m * (0.5 * (dx * dx + dy * dy) * key.v[p] + (dx * rx + dy * ry) * v) * key.v[p];
            height_m += dy;
        }
        energy_J += m * core::kGravity_mps2 * height_m;
    }
    for (int i = 0; i < topology.springs; ++i) {
        const size_t s = static_cast<size_t>(i), b = static_cast<size_t>(topology.spring_body[s]);
        const int parent = topology.body[b].parent;
        const double turned = key.q[b] - (parent == core::kGround ? 0.0 : key.q[static_cast<size_t>(parent)]) -
                              model.spring[s].rest_angle.lane[lane];
        energy_J += 0.5 * model.spring[s].stiffness.lane[lane] * turned * turned;
    }
    return energy_J;
}

CatchUpDone catch_up(Keybed& keybed, int key_index, const CatchUpTable& table, const CatchUpStroke& stroke) noexcept {
    using Tray = CatchUpTable::Tray;
    ActionBlock& block = keybed.block_of(key_index);
    const int lane = keybed.lane_of(key_index);
    const KeyState own = block.key_state(lane);

    const auto mix_of = [&](Tray tray) { return table.mix(tray, stroke.speed_mps); };
    Tray tray = Tray::down;
    CatchUpTable::Mix mix = mix_of(tray);
    const double left_s = (1 - 0.01 * stroke.percent) * mix.travel_s;
    double before_s = std::max(stroke.note_s + left_s - keybed.now_s(), kLeast_s);
    const double down_m = -block.string_height_m(lane, keybed.now_ticks());
    if (down_m > 0) before_s = std::max(before_s, down_m / mix.speed_mps + kLeast_s);

    CatchUpTable::State state = table.at(tray, mix, before_s);
    const bool keeps_damper = !table.damped() || own.q[kDamper] >= state.key.q[kDamper];
    if (keeps_damper) {
        tray = Tray::lifted;
        mix = mix_of(tray);
        state = table.at(tray, mix, before_s);
        state.key.q[kDamper] = own.q[kDamper];
        state.key.v[kDamper] = own.v[kDamper];
        state.key.friction_impulse_Ns[kDamper] = own.friction_impulse_Ns[kDamper];
        state.key.friction_side[kDamper] = own.friction_side[kDamper];
    }
    const double strike_s = keybed.now_s() + before_s;
    if (mix.escapement_before_s >= before_s) state.key.escapement_s = strike_s - mix.escapement_before_s;
    if (mix.bottom_before_s >= before_s) state.key.bottom_s = strike_s - mix.bottom_before_s;

    core::Finger finger(keybed.finger(key_index).setting());
    finger.resume_press(keybed.now_s(), strike_s - mix.travel_s, mix.from_m, mix.acceleration_mps2, state.finger_N);
    keybed.take_over(key_index, state.key, finger);
    return {strike_s, mechanical_energy_J(block.model(), block.key_state(lane), lane) -
                          mechanical_energy_J(block.model(), own, lane)};
}

}  // namespace letoff::keyboard
