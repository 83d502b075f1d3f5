// Key and hammer with a spring between them and a keybed under the key (Gillespie 1994, section 4, eqs 11-13 and the
// state graph of figure 3).
//
//   q'' = (l3 F - m_h l4 g) / I_h                          (11)   F = k c + b c', c = l2 s - l3 q, the spring's squeeze
//   finger force = (I_k s'' + l2 F + m_k l5 g) / l1        (12)
//   a coupled sub-model ends where F < 0                   (13)
//
// s, q: key and hammer angles. (The paper counts the hammer the other way round, so its c is l2 s + l3 q and its k is
// negative.) Sub-models: key and hammer coupled or not, key on its front rail or not; each exit's indicator is the
// force or the gap of the contact that it makes or breaks. m_k and I_k are of all that moves with the key: wippen, jack
// and lever are parts of it here, by their levers. Masses, arms and felts are the grand's rows.
//
// There is no let-off. So that the strings are not blocked, the hammer's rest is set low: with the key on its rail it
// stands kClear below them and flies the rest, as in the first actions without escapement.
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

/// Our own constants; no paper gives them.
struct TwoBodyConstants {
    // Felts of knuckle and heel in series as one spring: their secant at a medium blow's force.
    static constexpr double kSecant_N = 5.0;
    // Loss of that spring, share of critical for hammer and key: a hammer that falls back bounces once (e = 0.37).
    static constexpr double kDamping = 0.3;
    // The highest that the key lifts the hammer, below the strings: more than a crown wears and a rail felt gives.
    static constexpr double kClear_m = 0.004;
};

enum TwoBodyPhase : int { kTwoCoupled, kTwoApart, kTwoCoupledOnBed, kTwoApartOnBed };
inline constexpr std::string_view kTwoBodyPhases[] = {"coupled", "apart", "coupled_on_bed", "apart_on_bed"};

ActionNumbers two_body_numbers(const GrandValues& values, bool damped);
void step_two_body(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose, ActionForces& out) noexcept;

}  // namespace letoff::keyboard
