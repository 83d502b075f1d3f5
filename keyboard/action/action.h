// The actions by name: the one table to add another to (action.cpp).
//
// Every action tells its motion in the places that the grand has for it (GrandBody, GrandContact): finger, key, hammer
// and damper are there in all of them, and what an action does not have stays where it is drawn, without force. So the
// keybed, the finger tables, haptics, bench and page play any of them.
//
// The grand steps eight keys in SIMD lanes (core/multibody), and so does the upright; every other row brings a step of
// one key. It is a plain function of numbers that set-up derives from the grand's rows (hammer weights, levers and
// felts run from bass to treble as they do there) and of constants of its own, which its header lists with their
// sources.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <string>
#include <string_view>

#include "core/finger/finger.h"
#include "core/string/string_design.h"
#include "core/unit/constants.h"
#include "keyboard/action/grand.h"

namespace letoff::keyboard {

/// All that a step of one key depends on beside state and input, in SI.
using ActionNumbers = std::array<double, 80>;

/// What acts on one key during a tick. Generalised forces are means over the tick (N m, on guided bodies N).
struct ActionStep {
    double h_s = 0;
    std::array<double, kGrandBodies> force{};
    double hammer_shift_rad = 0;                // of the blow, resolved on a finer grid: added at the end
    double tray_lift0_m = 0, tray_lift1_m = 0;  // at start and end of the tick
    bool driven = false;                        // the key's motion is prescribed: angle and speed at the end
    double driven_rad = 0, driven_radps = 0;
    double tied_drag_Nms = 0, tied_inertia_kgm2 = 0;  // core/multibody/step.h
    int string_samples = 0;                           // intervals of the strike grid in this tick
};

/// One key's state; `phase` is the sub-model that reigns.
struct ActionPose {
    std::array<double, kGrandBodies> q{}, v{};
    int phase = 0;
};

/// Mean contact forces over the tick, compressions at its end, and the torque that drives a driven key.
struct ActionForces {
    std::array<double, kGrandContacts> force_N{}, compression_m{};
    double driven_Nm = 0;
    // Of an action without a hammer: its force on the strings (mean over each interval of the strike grid), and whether
    // and when in the tick its plectrum let go or its pallet opened.
    std::array<double, core::kMaxStrikeSamplesPerTick> string_N{};
    bool on_strings = false, spoke = false;
    double spoke_share = 0, spoke_key_mps = 0;  // of the tick; of the key's front, downwards

    /// A force that acted for `share` of the tick, and the compression at its end.
    void add(GrandContact contact, double share, double contact_N, double contact_m) noexcept {
        force_N[static_cast<std::size_t>(contact)] += share * contact_N;
        compression_m[static_cast<std::size_t>(contact)] = contact_m;
    }
};

/// What makes an action sound. Without a hammer the hammer stays as it is drawn, and nothing of it means anything.
enum class Speaks : std::uint8_t { by_hammer, by_plectrum, by_pallet };

/// A number of the action's own where the grand has a row for it, in place of the row's default. What a profile changes
/// comes on top: lengths and angles by as much, other numbers by as large a part. `runs`: so does what the grand's
/// registers make of the row from bass to treble.
struct OwnValue {
    std::size_t row = 0;
    double value = 0;
    bool runs = false;
};

/// How the lanes of an action that core/multibody steps, other than the grand, are built and read. register_index: the
/// key of the piano, 0..87, whose numbers the values are (registers.h).
struct ActionLanes {
    core::Mechanism (*make)(const GrandValues&, bool damped, int register_index) = nullptr;
    CrownGeometry (*crown)(const GrandValues&, int register_index) = nullptr;
    double (*pick_up_dip_m)(const GrandValues&, int register_index) = nullptr;
    double damper_arm_m = 1;  // lift of the damper at the strings by its coordinate
    // How far the soft pedal moves the hammers' rest rail towards the strings; 0: it shifts the action to the side.
    double soft_rail_m = 0;
};

struct Action {
    std::string_view name;
    std::string_view what;  // one sentence
    /// Null where core/multibody steps the lanes.
    void (*step)(const ActionNumbers&, const ActionStep&, ActionPose&, ActionForces&) noexcept = nullptr;
    ActionNumbers (*numbers)(const GrandValues&, bool damped) = nullptr;
    std::span<const std::string_view> phases{};
    const ActionLanes* lanes = nullptr;
    Speaks speaks = Speaks::by_hammer;
    std::span<const OwnValue> (*own)() = nullptr;
    core::Stringing stringing = core::Stringing::kGrand;
    int sample_program = -1;  // General MIDI's, from 0, of what samples have to sound; -1: a SoundFont's first
    /// What a finger has learnt of its key; null: the grand's.
    void (*teach)(core::FingerSetting&) = nullptr;

    bool is_grand() const { return step == nullptr && lanes == nullptr; }
    bool has_hammer() const { return speaks == Speaks::by_hammer; }
};

/// The grand's values with the action's own in their place. `base`: A4's as the profile has them.
void take_own_values(const Action& action, const GrandValues& base, GrandValues& values);
/// finger_for() of the grand, taught by the action.
core::FingerSetting finger_for(const GrandValues& values, const Action& action);

std::span<const Action> actions();
inline const Action& grand_action() {
    return actions().front();
}
/// Null where there is none of that name.
const Action* find_action(std::string_view name);
/// "grand, two_body, ..."
std::string action_names();
/// The sentence for a name that is none.
std::string no_such_action(std::string_view name);

/// An action's own struct of doubles in the numbers, and back.
template <typename Own>
ActionNumbers to_numbers(const Own& own) {
    static_assert(sizeof(Own) % sizeof(double) == 0 && sizeof(Own) <= sizeof(ActionNumbers));
    ActionNumbers numbers{};
    const auto doubles = std::bit_cast<std::array<double, sizeof(Own) / sizeof(double)>>(own);
    for (std::size_t i = 0; i < doubles.size(); ++i) numbers[i] = doubles[i];
    return numbers;
}
template <typename Own>
Own from_numbers(const ActionNumbers& numbers) {
    std::array<double, sizeof(Own) / sizeof(double)> doubles{};
    for (std::size_t i = 0; i < doubles.size(); ++i) doubles[i] = numbers[i];
    return std::bit_cast<Own>(doubles);
}

}  // namespace letoff::keyboard
