#include "ui/app/profiles/touch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "core/unit/keys.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

using keyboard::GrandValues;
using keyboard::kGrandRows;
using keyboard::kPartRows;
using keyboard::PartOfKey;
using storage::kWholeInstrument;
using storage::ProfilePlace;
using storage::ProfileValue;

std::optional<std::size_t> grand_row_named(std::string_view id) {
    const core::Row* row = core::find(kGrandRows, id);
    if (row == nullptr) return std::nullopt;
    return static_cast<std::size_t>(row - kGrandRows);
}

std::optional<std::size_t> part_named(std::string_view id) {
    const core::Row* row = core::find(kPartRows, id);
    if (row == nullptr) return std::nullopt;
    return static_cast<std::size_t>(row - kPartRows.data());
}

/// Of all parts, at a key (0..87), or at A4 by what is asked for the whole instrument.
std::array<double, keyboard::kPartCount> parts_at(const Touch& touch, int key_index) {
    const GrandValues before = key_index == PartOfKey::kEveryKey
                                   ? touch.grand.base
                                   : keyboard::grand_values_before_parts(key_index, touch.grand);
    std::array<double, keyboard::kPartCount> found{};
    with_parts(before, key_index, touch.grand.parts, nullptr, &found);
    return found;
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
        } else if (const auto part = part_named(place.row)) {
            const int of = place.key == kWholeInstrument ? PartOfKey::kEveryKey : place.key - 1;
            touch.grand.parts.push_back({of, *part, value.value, value.relative});
        } else {
            unknown.insert(place.row);
        }
    }
    for (int k = 0; k < core::kKeyCount && !touch.grand.parts.empty(); ++k) {
        std::string why;
        with_parts(keyboard::grand_values_before_parts(k, touch.grand), k, touch.grand.parts, &why);
        if (!why.empty()) return refused(profile, k + 1, why);
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
    if (const auto part = part_named(row)) return parts_at(touch, key_index)[*part];
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return keyboard::grand_values(key_index, touch.grand)[*index];
}

std::optional<double> whole_value(const Touch& touch, std::string_view row) {
    if (const auto part = part_named(row)) return parts_at(touch, PartOfKey::kEveryKey)[*part];
    if (row == keyboard::kCatchUpRows[0].id) return touch.catch_up_percent;
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return touch.grand.base[*index];
}

}  // namespace letoff::ui
