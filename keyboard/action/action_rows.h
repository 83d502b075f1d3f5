// What a profile may say of an action beside its mechanics (grand_rows.h), for the whole instrument.
#pragma once

#include "core/param/row.h"

namespace letoff::keyboard {

inline constexpr core::Row kActionRows[] = {
    {"velocity_out", "", 64, 0, 127, core::Live::kNobody,
     "MIDI velocity that harpsichord and organ send for every note, whose loudness the touch hardly decides; 0: as "
     "fast as the key went. Samples are played by it too."},
};
static_assert(core::table_is_sound(kActionRows));

consteval std::size_t action_row(std::string_view id) {
    return core::index_of_row(kActionRows, id);
}
constexpr auto action_defaults() {
    return core::defaults_of(kActionRows);
}

}  // namespace letoff::keyboard
