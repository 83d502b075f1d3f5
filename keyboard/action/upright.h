// The upright action (Masoudi & McPhee, section 4): key, wippen, jack, hammer with butt, catcher and shank, damper on a
// lever that the wippen's spoon takes; butt spring and bridle strap; the backcheck on its wire on the wippen. A
// mechanism of core/multibody as the grand is, stepped in the same lanes, with set-valued friction (Thorin et al.) and
// felts that are pairs of curves (core/felt). Numbers: keyboard/action/upright_numbers.h.
//
// Its bodies and contacts stand in the places that the grand has for what they do (GrandBody, GrandContact):
//   kLever           the backcheck on its wire, a hinge with a spring on the wippen: one bending mode
//   kDamper          a lever; its coordinate is an angle, positive off the strings
//   kJackKnuckle     jack and butt                     kJackStop       jack and the notch's back wall
//   kLeverKnuckle    bridle strap, wippen and butt     kLeverStop      how far the jack falls back on the wippen
//   kJackButton      toe and let-off button            kJackWindow     jack and its stop rail
//   kTailBackcheck   catcher and backcheck             kHammerRest     shank and rest rail
//   kKeyDamper       spoon and damper lever            kDamperTray     the pedal's rod and damper lever
//   kLeverDropScrew  nothing: an upright has no drop screw
// With hammer and strings (keyboard/strike, its own felt) these are the paper's 16 contacts.
//
// The soft pedal moves the rest rail: it brings all hammers nearer to the strings, so they fly a shorter way and are
// slower there. Butts leave their jacks, and a key has that much lost motion until its jack is under the butt again; no
// hammer goes to the side.
//
// A touch of the grand changes it too: what a row is away from the factory grand's, this part is away from its own
// table, masses and lengths by the difference, felts by the ratio; hammers get lighter to the treble as the grand's do.
// Rows of parts that it lacks (repetition lever, drop screw) change nothing. The shank is rigid.
#pragma once

#include <span>

#include "core/felt/curve.h"
#include "keyboard/action/action.h"
#include "keyboard/action/upright_numbers.h"

namespace letoff::keyboard {

/// The curves of the contacts, in the order of kUprightFelts; made once.
enum class FeltCurves : std::uint8_t {
    micromechanical,  // of the fitted networks
    exponential  // curve fit: F = a (exp(b d) - 1), fitted to either of those; the paper's reference model (its 16, 20)
};
std::span<const core::FeltCurve> upright_curves(FeltCurves kind);

core::Mechanism make_upright(const GrandValues& values, bool damped, int register_index, FeltCurves kind);

/// The upright in the table of actions.
extern const ActionLanes kUprightLanes;

}  // namespace letoff::keyboard
