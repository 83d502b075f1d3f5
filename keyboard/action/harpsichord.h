// A harpsichord's jack as a machine of sub-models (Gillespie's thesis, section 3.4.1, figures 3.3 and 3.4: the states
// are named by where the plectrum is; "a simple static model" of the plucking force on the way up and none on the way
// down; the tongue is not modelled).
//
//   below    the plectrum is under the string
//   plucks   it lifts the string and bends:  F = k b,  b = lift - gap                         on jack and string
//   above    the string has slipped off it
//   passes   on its way down the tongue swings back: a small force on the jack, none on the string
//
//   exit           indicator
//   below-plucks   gap - lift
//   plucks-above   F_r - F: the threshold that Gillespie names
//   plucks-below   b: let up before the pluck
//   above-passes   b
//   passes-below   the plectrum's height is behind it: only from here can it pluck again
//   passes-above   pressed again before that: no sound
//
// The string is given the plectrum's force as it grows and its end at the very moment of release, which in the modes
// is the plucked shape: displacement phi F_r / (omega^2 + sigma^2) each, energy F_r^2 / 2 k_string. How fast the key
// went shows in it only as far as the string moved already. k is plectrum and string in series; what it holds beyond
// the string's share is the plectrum's and lost when it snaps back. A string that still rings does not push back.
//
// The jack stands on the key's tail with its damper hanging on the string: it has the damper's place in the key frame
// (keyboard/action/key_frame.h) and in all that is told of the action; the jack rail is the damper's stop. No pedal
// lifts it. Strings: core/string/harpsichord_strings.h. There is no source for the numbers but what is said of each.
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

struct HarpsichordConstants {
    // Plectrum's tip below the string when the key is up, the jack lifted off its damper's cloth not counted: so that
    // the pluck comes at about half of the dip.
    static constexpr double kGap_m = 0.0017;
    // Release: 50 g at the key with the jack's own weight, as players like a single 8-foot (50-80 g).
    static constexpr double kRelease_N = 0.45;
    // Plectrum and string in series. Softer than the softest string at its plucking point (400 N/m); the way of the
    // pluck is then 1.3 mm, half of it the string's.
    static constexpr double kSpring_N_per_m = 350.0;
    // The tongue's bristle, felt at the plectrum: a quarter of the jack's weight, so that no jack ever hangs.
    static constexpr double kTongue_N = 0.03;
    static constexpr double kPlectrum_m = 0.0008;  // height that the tip has to pass by the string
};

enum HarpsichordPhase : int { kPlectrumBelow, kPlectrumPlucks, kPlectrumAbove, kPlectrumPasses };
inline constexpr std::string_view kHarpsichordPhases[] = {"below", "plucks", "above", "passes"};

/// Own values of the grand's rows: a light key without leads, a jack in the damper's place.
std::span<const OwnValue> harpsichord_values();
void teach_harpsichord(core::FingerSetting& finger);

ActionNumbers harpsichord_numbers(const GrandValues& values, bool damped);
void step_harpsichord(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept;

}  // namespace letoff::keyboard
