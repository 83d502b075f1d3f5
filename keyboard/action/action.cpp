#include "keyboard/action/action.h"

#include <algorithm>

#include "keyboard/action/bouncing_ball.h"
#include "keyboard/action/fortepiano.h"
#include "keyboard/action/grand_episode.h"
#include "keyboard/action/harpsichord.h"
#include "keyboard/action/organ.h"
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
    {.name = "harpsichord",
     .what = "A harpsichord's jack, plectrum and damper, which plucks strings of its own (Gillespie's thesis, 3.4.1).",
     .step = step_harpsichord,
     .numbers = harpsichord_numbers,
     .phases = kHarpsichordPhases,
     .speaks = Speaks::by_plectrum,
     .own = harpsichord_values,
     .stringing = core::Stringing::kHarpsichord,
     .sample_program = 6,
     .teach = teach_harpsichord},
    {.name = "fortepiano",
     .what = "The Viennese action: a light hammer on the key itself, thrown by the hopper that holds its beak.",
     .step = step_fortepiano,
     .numbers = fortepiano_numbers,
     .phases = kFortepianoPhases,
     .own = fortepiano_values,
     .teach = teach_fortepiano},
    {.name = "organ",
     .what = "A tracker organ's key and pallet, with its pluck; it sounds by the samples of a SoundFont.",
     .step = step_organ,
     .numbers = organ_numbers,
     .phases = kOrganPhases,
     .speaks = Speaks::by_pallet,
     .own = organ_values,
     .sample_program = 19,
     .teach = teach_organ},
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

void take_own_values(const Action& action, const GrandValues& base, GrandValues& values) {
    if (action.own == nullptr) return;
    for (const OwnValue& own : action.own()) {
        const core::Row& row = kGrandRows[own.row];
        const double now = own.runs ? values[own.row] : base[own.row];
        const bool adds = row.unit == "mm" || row.unit == "rad" || row.default_value == 0;
        values[own.row] = adds ? own.value + (now - row.default_value) : own.value * (now / row.default_value);
    }
}

core::FingerSetting finger_for(const GrandValues& values, const Action& action) {
    core::FingerSetting finger = finger_for(values);
    if (action.teach != nullptr) action.teach(finger);
    return finger;
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
