// The rows that a touch profile may set: the tables of all folders, each exported where its numbers are used, put
// together here and nowhere else.
#pragma once

#include "keyboard/action/grand_rows.h"
#include "keyboard/gesture/catch_up.h"
#include "keyboard/regulation/figures.h"
#include "keyboard/regulation/parts.h"
#include "storage/profile.h"

namespace letoff::ui {

inline constexpr std::span<const core::Row> kRegulateTables[] = {
    keyboard::kGrandRows,    // for the instrument or a key
    keyboard::kPartRows,     // the same, in a technician's terms
    keyboard::kCatchUpRows,  // for the instrument
    keyboard::kFigureRows,   // measured on a key, which is what screws are turned for; no profile holds them
};
/// What may be asked for.
inline constexpr storage::RowTables kRegulateRows = kRegulateTables;
/// What a profile holds.
inline constexpr storage::RowTables kProfileRows = kRegulateRows.first(std::size(kRegulateTables) - 1);

/// No id may stand in two tables.
constexpr bool rows_are_unique() {
    for (const auto& table : kRegulateTables) {
        for (const core::Row& row : table) {
            int count = 0;
            for (const auto& other_table : kRegulateTables) {
                for (const core::Row& other : other_table) count += other.id == row.id ? 1 : 0;
            }
            if (count != 1) return false;
        }
    }
    return true;
}
static_assert(rows_are_unique());

}  // namespace letoff::ui
