// The rows that a touch profile may set: the tables of all folders, each exported where its numbers are used, put
// together here and nowhere else.
#pragma once

#include "keyboard/action/grand_rows.h"
#include "keyboard/gesture/catch_up.h"
#include "storage/profile.h"

namespace letoff::ui {

inline constexpr std::span<const core::Row> kProfileTables[] = {
    keyboard::kGrandRows,    // for the instrument or a key
    keyboard::kCatchUpRows,  // for the instrument
};
inline constexpr storage::RowTables kProfileRows = kProfileTables;

/// No id may stand in two tables.
constexpr bool rows_are_unique() {
    for (const auto& table : kProfileTables) {
        for (const core::Row& row : table) {
            int count = 0;
            for (const auto& other_table : kProfileTables) {
                for (const core::Row& other : other_table) count += other.id == row.id ? 1 : 0;
            }
            if (count != 1) return false;
        }
    }
    return true;
}
static_assert(rows_are_unique());

}  // namespace letoff::ui
