// Ball and paddle (Gillespie 1994, section 3, eqs 1-10), the paddle being the key and the ball the hammer.
//
//   on the paddle  q'' = k c / m_b - g   (1)   c = d - q, the spring's squeeze   ends where k c + b c' < 0   (3)
//   in the air     q'' = -g              (4)                                     ends where c > 0            (6)
//   F = m_p d'' + spring + weight        (2, 5)
//
// Mass, spring and weight of ball and paddle are those that the paper's section 4 deduces, by comparing (1)-(3) with
// (11)-(13), from key and hammer (keyboard/action/two_body.h: its spring, its loss, its low hammer). The paper prints
// (1) with q - d and no loss; with ours a ball comes to rest.
//
// Each sub-model is linear, so the ball takes the exact discrete step x1 = Phi x0 + Gamma u (7-10), Phi and Gamma in
// closed form for a paddle that goes straight over the step, and so for any length of it as the root finder needs:
//   c(t) = e + exp(-s t) (A cos w t + B sin w t),  A = c0 - e,  B = (c0' + s A) / w,  e: squeeze under the weight
// The paddle is the keyed part: finger, rails, damper; it is integrated as they are everywhere.
//
// No factory profile has it: to a finger it is the two-body action (keyboard/action/two_body.h, whose spring and
// weights it has), and it is there to be held against its closed form.
#pragma once

#include "keyboard/action/action.h"

namespace letoff::keyboard {

enum BouncingBallPhase : int { kBallOnPaddle, kBallInAir };
inline constexpr std::string_view kBouncingBallPhases[] = {"on_paddle", "in_air"};

ActionNumbers bouncing_ball_numbers(const GrandValues& values, bool damped);
void step_bouncing_ball(const ActionNumbers& numbers, const ActionStep& in, ActionPose& pose,
                        ActionForces& out) noexcept;

}  // namespace letoff::keyboard
