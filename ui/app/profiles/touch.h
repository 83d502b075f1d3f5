// From a touch profile to what the instrument is built from: the one place where the names of its rows meet the parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audio/engine_choice.h"
#include "audio/sound_rows.h"
#include "core/result.h"
#include "core/string/string_rows.h"
#include "keyboard/action/registers.h"
#include "keyboard/haptic/haptic_rows.h"
#include "storage/profile.h"

namespace letoff::ui {

struct Touch {
    keyboard::GrandTouch grand;
    double catch_up_percent = 100;                                 // of live play
    core::StringValues strings;                                    // tuning and voicing
    audio::SoundValues sound;                                      // the rest of the sound
    keyboard::HapticValues haptics = keyboard::haptic_defaults();  // of motorised keys
    std::vector<std::string> warnings;                             // values that this build knows nothing to do with
};

/// The strings that the touch's action plays, tuned and voiced by these values.
core::StringDesign string_design_of(const Touch& touch, const core::StringValues& strings);

/// What makes the sound of an action where `asked` is asked for: an organ has nothing but samples.
audio::Engine engine_of(const keyboard::Action& action, audio::Engine asked);
/// What is heard where samples cannot be had: the end of a sentence.
std::string_view without_samples(const keyboard::Action& action);

/// Whether this version can build the action.
bool knows_action(std::string_view action);

/// Refuses an action that this build does not have, and a value that leads a key beyond its row's limits: the sentence
/// says which key and what would be accepted.
core::Result<Touch> touch_of(const storage::Profile& profile);

/// What the key (0..87) has of the row in the end, in the row's unit; empty for a row that no key has of its own.
std::optional<double> value_at(const Touch& touch, int key_index, std::string_view row);
/// The same for the whole instrument.
std::optional<double> whole_value(const Touch& touch, std::string_view row);

}  // namespace letoff::ui
