// A tracker organ's key: it pulls the pallet of its wind chest off its seat, against the wind that holds it there and
// its spring. Two sub-models, so that what opens and shuts is found in time:
//
//   shut   the pallet is less than kOpens off its seat;   open   more than kShuts
//
//   exit        indicator            F on the pallet, towards its seat: spring and wind
//   shut-open   kOpens - lift        F = S + k lift + W / (1 + (lift / w)^2)
//   open-shut   lift - kShuts
//
// W = pressure times the pallet's area while it is shut; as it leaves its seat the chamber under the pipes fills and
// what is left of the difference falls away with the opening: the pluck (top resistance) that an organist feels, and
// the lesser force that holds the key down. Static, as every force here; a pipe's own speech is the samples'.
//
// The organ has no strings and no hammer: a pallet that opens begins its note in the sample engine, one that sits on
// its seat again ends it, how fast does not matter. Without a SoundFont it is silent and says so; a sustained tone from
// the piano's strings would be no organ. The pallet has the damper's place in the key frame, its seat the strings'
// under it; no pedal lifts it.
//
// Numbers: chosen (organ.cpp, below), so that 1.25 N pluck and 0.7 N hold: organ builders aim at 100 to 150 g.
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

struct OrganConstants {
    static constexpr double kWind_N = 0.90;          // W: 700 Pa (70 mm of water) on 13 cm2
    static constexpr double kWindFalls_m = 0.0005;   // w: a pallet passes most of its wind in the first millimetre
    static constexpr double kSpring_N = 0.50;        // S, to shut against the wind at once
    static constexpr double kSpring_N_per_m = 40.0;  // k
    static constexpr double kOpens_m = 0.0004, kShuts_m = 0.0002;  // a little of the way, so that nothing chatters
};

enum OrganPhase : int { kPalletShut, kPalletOpen };
inline constexpr std::string_view kOrganPhases[] = {"shut", "open"};

std::span<const OwnValue> organ_values();
void teach_organ(core::FingerSetting& finger);

ActionNumbers organ_numbers(const GrandValues& values, bool damped);
void step_organ(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept;

}  // namespace letoff::keyboard
