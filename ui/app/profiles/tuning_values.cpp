#include "ui/app/profiles/tuning_values.h"

#include <string>

#include "ui/app/profiles/row_change.h"

namespace letoff::ui {
namespace {

using storage::kWholeInstrument;

bool same(const core::StringValues& a, const core::StringValues& b, std::size_t row) {
    if (a.whole[row] != b.whole[row]) return false;
    for (std::size_t k = 0; k < a.keys.size(); ++k) {
        if (a.keys[k][row] != b.keys[k][row]) return false;
    }
    return row != core::string_row("a4_hz") || a.a4_is_asked_for == b.a4_is_asked_for;
}

}  // namespace

void store_strings(const core::StringValues& before, const core::StringValues& after, storage::ProfileValues& values) {
    for (std::size_t row = 0; row < core::kStringRowCount; ++row) {
        if (same(before, after, row)) continue;
        const std::string id(core::kStringRows[row].id);
        const double whole = without_binary_dust(after.whole[row]);
        const bool asked_for = row == core::string_row("a4_hz") && after.a4_is_asked_for;
        if (asked_for || whole != core::kStringRows[row].default_value) {
            values[{kWholeInstrument, id}] = {whole, false};
        } else {
            values.erase({kWholeInstrument, id});
        }
        for (int key = 1; key <= core::kKeyCount && row >= core::kFirstKeyRow; ++key) {
            const double own = without_binary_dust(after.keys[static_cast<std::size_t>(key - 1)][row]);
            if (own != whole) {
                values[{key, id}] = {own, false};
            } else {
                values.erase({key, id});
            }
        }
    }
}

}  // namespace letoff::ui
