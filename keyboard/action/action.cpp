#include "keyboard/action/action.h"

#include <algorithm>

#include "keyboard/action/bouncing_ball.h"
#include "keyboard/action/grand_episode.h"
#include "keyboard/action/two_body.h"
#include "keyboard/action/upright.h"

namespace letoff::keyboard {
namespace {

const Action kActions[] = {
    {.name = "grand",
     .what = "The grand action with set-valued friction, five bodies and a damper (Thorin et al. 2017)."},
    {.name = "two_body",
     .what = "Key and hammer alone, a spring between them and no let-off (Gillespie 1994).",
     .step = step_two_body,
     .numbers = two_body_numbers,
     .phases = kTwoBodyPhases},
    {.name = "bouncing_ball",
     .what = "The hammer as a ball that the key throws and catches, by exact discrete steps (Gillespie 1994).",
     .step = step_bouncing_ball,
     .numbers = bouncing_ball_numbers,
     .phases = kBouncingBallPhases},
    {.name = "grand_episode",
     .what = "The grand as a machine of four sub-models: acceleration, let-off, catch, reset (Gillespie's thesis).",
     .step = step_grand_episode,
     .numbers = grand_episode_numbers,
     .phases = kGrandEpisodePhases},
    {.name = "upright",
     .what = "An upright with butt spring, bridle strap and felts of fibres (Masoudi & McPhee).",
     .lanes = &kUprightLanes},
};

}  // namespace

std::span<const Action> actions() {
    return kActions;
}

const Action* find_action(std::string_view name) {
    const auto found = std::find_if(std::begin(kActions), std::end(kActions),
                                    [&](const Action& action) { return action.name == name; });
    return found == std::end(kActions) ? nullptr : &*found;
}

std::string action_names() {
    std::string names;
    for (const Action& action : kActions) names.append(names.empty() ? "" : ", ").append(action.name);
    return names;
}

std::string no_such_action(std::string_view name) {
    return "there is no action named '" + std::string(name) + "'; there are: " + action_names();
}

}  // namespace letoff::keyboard
