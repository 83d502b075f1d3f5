#include "ui/app/profiles/touch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

using keyboard::GrandValues;
using keyboard::kGrandRows;
using storage::kWholeInstrument;
using storage::ProfilePlace;
using storage::ProfileValue;

std::optional<std::size_t> grand_row_named(std::string_view id) {
    const core::Row* row = core::find(kGrandRows, id);
    if (row == nullptr) return std::nullopt;
    return static_cast<std::size_t>(row - kGrandRows);
}

core::Result<double> applied(const core::Row& row, const ProfileValue& value, double without) {
    return core::validate(row, value.relative ? without + value.value : value.value);
}

core::Error refused(const storage::Profile& profile, int key, std::string why) {
    if (why.ends_with('.')) why.pop_back();
    return {fmt::format("profile '{}', {}: {}", profile.name, storage::place_name(key), why)};
}

}  // namespace

bool knows_action(std::string_view action) {
    return action == "grand";
}

core::Result<Touch> touch_of(const storage::Profile& profile) {
    if (!knows_action(profile.action)) {
        return core::Error{
            fmt::format("profile '{}' is for the action '{}'; this version has: grand", profile.name, profile.action)};
    }
    Touch touch;
    std::set<std::string> unknown;
    int key_of_registers = kWholeInstrument;
    GrandValues registers{};
    // In the order of keys, the whole instrument first: what the keys' registers make depends on it.
    for (const auto& [place, value] : profile.values) {
        if (const auto row = grand_row_named(place.row)) {
            if (place.key == kWholeInstrument) {
                const auto whole = applied(kGrandRows[*row], value, touch.grand.base[*row]);
                if (!whole) return refused(profile, place.key, whole.error());
                touch.grand.base[*row] = whole.value();
                continue;
            }
            if (key_of_registers != place.key) {
                registers = keyboard::grand_values(place.key - 1, touch.grand.base);
                key_of_registers = place.key;
            }
            const auto own = applied(kGrandRows[*row], value, registers[*row]);
            if (!own) return refused(profile, place.key, own.error());
            touch.grand.keys.push_back({place.key - 1, *row, value.value, value.relative});
        } else if (place.row == keyboard::kCatchUpRows[0].id) {
            if (place.key != kWholeInstrument) {
                return refused(profile, place.key, fmt::format("{} is for the whole instrument", place.row));
            }
            const auto percent = applied(keyboard::kCatchUpRows[0], value, touch.catch_up_percent);
            if (!percent) return refused(profile, place.key, percent.error());
            touch.catch_up_percent = percent.value();
        } else {
            // A technician's terms (let-off, drop, dip) will be rows of keyboard/regulation; what they come to in the
            // action's rows is added here, after the action's own.
            unknown.insert(place.row);
        }
    }
    if (!unknown.empty()) {
        touch.warnings.push_back(
            fmt::format("profile '{}' has values that this version does not know and leaves as "
                        "they are: {}",
                        profile.name, fmt::join(unknown, ", ")));
    }
    return touch;
}

std::optional<double> value_at(const Touch& touch, int key_index, std::string_view row) {
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return keyboard::grand_values(key_index, touch.grand)[*index];
}

std::optional<double> whole_value(const Touch& touch, std::string_view row) {
    if (row == keyboard::kCatchUpRows[0].id) return touch.catch_up_percent;
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return touch.grand.base[*index];
}

}  // namespace letoff::ui
