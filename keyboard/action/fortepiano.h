// The Viennese action (Prellzungenmechanik) as a machine of sub-models: the hammer turns in its Kapsel on the key's
// tail; its beak, behind the Kapsel, is held down by the notch of a hopper (Prellzunge) that stands on the frame, so
// that the head goes up as the tail does; close to the strings the beak slips out, and the hammer flies.
//
//   under    the beak is under the hopper's notch, touching it or not
//   off      it has slipped out: nothing drives the hammer
//   passes   it is beside the hopper, which it pushes back on its way down until it snaps under
//
//   exit           indicator
//   under-off      phi_off - phi: the beak's overlap
//   off-passes     phi - phi_off
//   passes-under   the beak's height above the notch
//   passes-off     phi_off - phi
//
// Lever with small angles, all its mass m in the head: c rise of the crown, z = a key of the Kapsel, phi = (c - z) / L
// the hammer's turn, beak b behind the Kapsel:
//   d = z (1 + b/L) - c b/L - gap        squeeze of beak and notch;  F = k d + c d', F >= 0
//   m c'' = F b/L - m g + ...            and on the key  -a (1 + b/L) F: the hammer's Kapsel and beak both lean on it
// So in contact the head goes 1 + L/b times as far as the tail. Near its edge the beak presses the hopper back against
// its spring (a torque on phi); that is the let-off one feels. The check is a strip of leather that the falling head
// rubs while the key is down: it brakes and does not hold (Walter's, in small; Stein had none).
//
// Why no mechanism of core/multibody: the keybed takes the crown from hammers whose centre stands still
// (keyboard/strike, CrownGeometry), and this one rides on the key. Here the crown's height is the coordinate, told as
// the angle of a hammer of the same length on a rail, with its mass in the head; the strings then act as they should.
//
// Damper, rails and finger are the key frame's; strings and the hammers' felt on them the grand's, for want of others.
// Numbers: no source gives a whole action; chosen so that the figures that are told of such pianos come out (light
// hammers, a dip of 5-6 mm, some 20 g to play: Zuckermann's kit is leaded to 15 g, pianotech list, February 1995).
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

struct FortepianoConstants {
    static constexpr double kKapsel_m = 0.200;  // a: from the balance pin, as long as the key's front
    static constexpr double kBeak_m = 0.016;    // b: with L = 120 mm the head goes 8.5 times as far as the tail
    static constexpr double kGap_m = 0.0003;    // beak below the notch at rest, so that it is sure to come back
    static constexpr double kLetOff_m = 0.002;  // crown to strings as the beak slips out, pressed slowly
    // Leather on the beak, as a spring: 0.1 mm at 11 N, between a medium blow and a hard one. Its loss as a share of
    // critical for the head alone: one that falls on a held beak bounces once (e = 0.37), as in the two-body action.
    static constexpr double kLeather_N_per_m = 1.1e5, kLeatherLoss = 0.3;
    // The hopper's spring at its notch, and the part of the beak's way over which the rounded edge pushes it back.
    static constexpr double kHopper_N = 0.15, kEdge_rad = 0.03;
    static constexpr double kPass_Ns_per_m = 0.5;  // hopper rubbing on the beak that comes down: lost in some ms
    // The check: rubs below this under the strings, from 80 % of the dip on; a head loses its speed in 4 ms.
    static constexpr double kCheckBelow_m = 0.012, kCheckDip = 0.8, kCheck_Ns_per_m = 0.7;
};

enum FortepianoPhase : int { kBeakUnder, kBeakOff, kBeakPasses };
inline constexpr std::string_view kFortepianoPhases[] = {"under", "off", "passes"};

std::span<const OwnValue> fortepiano_values();
void teach_fortepiano(core::FingerSetting& finger);

ActionNumbers fortepiano_numbers(const GrandValues& values, bool damped);
void step_fortepiano(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept;

}  // namespace letoff::keyboard
