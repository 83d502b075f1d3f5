// All that the doctor looks at.
#pragma once

#include <string>

#include "core/fault/finding.h"

namespace letoff::ui {

/// Databases of profiles and recordings, or "" for the user's own. While this program plays its sound and MIDI are left
/// alone: a second client of a JACK server that has died would end the first (hw/midi/midi_system.h).
enum class WhilePlaying { kNo, kYes };
core::Findings examine(const std::string& db, const std::string& recordings, WhilePlaying playing);

}  // namespace letoff::ui
