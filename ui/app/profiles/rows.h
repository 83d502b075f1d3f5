// The rows that a touch profile may set: the tables of all folders, each exported where its numbers are used, put
// together here and nowhere else.
#pragma once

#include "audio/sound_rows.h"
#include "core/string/string_rows.h"
#include "keyboard/action/action_rows.h"
#include "keyboard/action/grand_rows.h"
#include "keyboard/gesture/catch_up.h"
#include "keyboard/haptic/haptic_rows.h"
#include "keyboard/regulation/figures.h"
#include "keyboard/regulation/parts.h"
#include "storage/profile.h"

namespace letoff::ui {

inline constexpr std::span<const core::Row> kRegulateTables[] = {
    keyboard::kGrandRows,    // for the instrument or a key
    keyboard::kPartRows,     // the same, in a technician's terms
    keyboard::kCatchUpRows,  // for the instrument
    keyboard::kActionRows,   // the same, of actions without a hammer
    core::kStringRows,       // tuning and voicing
    audio::kSoundRows,       // the rest of the sound, for the instrument
    keyboard::kHapticRows,   // motorised keys, for the instrument
    keyboard::kFigureRows,   // measured on a key, which is what screws are turned for; no profile holds them
};
/// What may be asked for.
inline constexpr storage::RowTables kRegulateRows = kRegulateTables;
/// What a profile holds.
inline constexpr storage::RowTables kProfileRows = kRegulateRows.first(std::size(kRegulateTables) - 1);

/// No id may stand in two tables; in one it stands once (core::table_is_sound).
constexpr bool rows_are_unique() {
    for (std::size_t a = 0; a < std::size(kRegulateTables); ++a) {
        for (std::size_t b = a + 1; b < std::size(kRegulateTables); ++b) {
            for (const core::Row& row : kRegulateTables[a]) {
                for (const core::Row& other : kRegulateTables[b]) {
                    if (other.id == row.id) return false;
                }
            }
        }
    }
    return true;
}
static_assert(rows_are_unique());

}  // namespace letoff::ui
