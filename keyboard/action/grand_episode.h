// The grand action as a machine of four sub-models (Gillespie's thesis, chapter 3, eqs 3.7-3.14, tables 3.1 and 3.2).
//
//   A acceleration  the jack stands under the knuckle, its angle to the wippen fixed
//   B let-off       its toe rests on the let-off button (slider S2): the jack turns as the wippen rises
//   C catch         the jack is out from under the knuckle (no S3); the hammer flies, strikes, falls on the lever
//   D reset         the toe has left the button: the jack is back, and under the knuckle once the hammer is low
//
//   exit  indicator (table 3.2)
//   A-B   gap between toe and button
//   B-A   angle of jack and wippen, back at its stop
//   B-C   force between jack and knuckle no longer compressive, or slider q9 off the knuckle's edge
//   C-D   angle of jack and wippen, back at its stop
//   D-A   distance between jack and knuckle within a tolerance
//   D-C   gap between toe and button: ours, for a key that goes down again before the hammer is low; the jack tips then
//         beside the knuckle
//
// Independent coordinates: key, hammer, repetition lever (three degrees of freedom in every phase, table 3.1), finger
// and damper. Wippen (slider S1, capstan) and jack are functions of the key's angle. The lever works by unilateral
// springs (section 3.5.1), as do the rails. Transitions are plastic (section 3.5.3) and, the coordinates being lined
// up, change no state (3.14 with h = 0). Hammer and strings meet as everywhere (keyboard/strike); the thesis turns the
// hammer's speed round.
//
// Geometry, masses and felts are the grand's rows: the thesis' L1-L27 lie in a figure that its text does not carry, and
// its lumped constants were "chosen for the most part by trial and error". Of table 3.4 what has no counterpart there
// is taken: b8, the loss of the knuckle's slider, and the lever spring's loss as the time b5 / k5. There is no dry
// friction and no backcheck in this model; the hammer's rest cushion is the grand's. For want of the check it repeats
// badly: the falling head drives the lever down and swings on its spring for a quarter of a second before the jack is
// under the knuckle again; lifted by 6 mm, no rate strikes with every press.
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

struct GrandEpisodeConstants {
    static constexpr double kSlider_Ns_per_m = 8.0;      // b8, table 3.4
    static constexpr double kLeverLoss_s = 0.06 / 0.35;  // b5 / k5, table 3.4
    static constexpr double kLeverLinear_N = 1.0;        // lever springs: the felts' secant at what they carry at rest
    static constexpr double kLeverDamping = 0.5;         // their loss, share of critical for the lever: our choice
    static constexpr double kTolerance_m = 2e-4;         // D-A: the knuckle then pushes with less than half a newton
};

enum GrandEpisodePhase : int { kAcceleration, kLetOff, kCatch, kReset };
inline constexpr std::string_view kGrandEpisodePhases[] = {"A", "B", "C", "D"};

ActionNumbers grand_episode_numbers(const GrandValues& values, bool damped);
void step_grand_episode(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose,
                        ActionForces& out) noexcept;

}  // namespace letoff::keyboard
