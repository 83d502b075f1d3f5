#include "ui/app/profiles/touch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <span>
#include <type_traits>

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

std::optional<std::size_t> index_in(std::span<const core::Row> rows, std::string_view id) {
    const core::Row* row = core::find(rows, id);
    if (row == nullptr) return std::nullopt;
    return static_cast<std::size_t>(row - rows.data());
}

std::optional<std::size_t> grand_row_named(std::string_view id) {
    return index_in(kGrandRows, id);
}

std::optional<std::size_t> string_row_named(std::string_view id) {
    return index_in(core::kStringRows, id);
}

std::optional<std::size_t> part_named(std::string_view id) {
    return index_in(kPartRows, id);
}

/// A table whose rows the whole instrument has once, and its values.
template <typename Value>
struct WholeTable {
    std::span<const core::Row> rows;
    Value* values;
};

/// Of one of the tables that have no values of single keys; null for another row.
template <typename AnyTouch>
auto* value_of_the_whole(AnyTouch& touch, std::string_view id) {
    using Value = std::conditional_t<std::is_const_v<AnyTouch>, const double, double>;
    const WholeTable<Value> tables[] = {{keyboard::kCatchUpRows, &touch.catch_up_percent},
                                        {keyboard::kActionRows, &touch.grand.velocity_out},
                                        {audio::kSoundRows, touch.sound.of.data()},
                                        {keyboard::kHapticRows, touch.haptics.data()}};
    Value* found = nullptr;
    for (const auto& table : tables) {
        if (const auto row = index_in(table.rows, id)) found = table.values + *row;
    }
    return found;
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

std::string for_the_whole(std::string_view row) {
    return fmt::format("{} is for the whole instrument", row);
}

/// Takes over a value of the strings'; "" or why not.
std::string take(core::StringValues& strings, const ProfilePlace& place, const ProfileValue& value, std::size_t row) {
    const bool whole = place.key == kWholeInstrument;
    if (!whole && row < core::kFirstKeyRow) return for_the_whole(place.row);
    const auto result = applied(core::kStringRows[row], value, strings.whole[row]);
    if (!result) return result.error();
    if (whole) {
        strings.set_whole(row, result.value());
    } else {
        strings.keys[static_cast<std::size_t>(place.key - 1)][row] = result.value();
    }
    return {};
}

}  // namespace

core::StringDesign string_design_of(const Touch& touch, const core::StringValues& strings) {
    core::StringDesign design = core::string_design(strings);
    design.stringing = touch.grand.action->stringing;
    return design;
}

audio::Engine engine_of(const keyboard::Action& action, audio::Engine asked) {
    return action.speaks == keyboard::Speaks::by_pallet ? audio::Engine::kSample : asked;
}

std::string_view without_samples(const keyboard::Action& action) {
    if (action.speaks == keyboard::Speaks::by_pallet) return "; an organ has no other sound and is silent";
    return "; the strings play";
}

bool knows_action(std::string_view action) {
    return keyboard::find_action(action) != nullptr;
}

core::Result<Touch> touch_of(const storage::Profile& profile) {
    if (!knows_action(profile.action)) {
        return core::Error{fmt::format("profile '{}' is for the action '{}'; this version has: {}", profile.name,
                                       profile.action, keyboard::action_names())};
    }
    Touch touch;
    touch.grand.action = keyboard::find_action(profile.action);
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
        } else if (double* const whole = value_of_the_whole(touch, place.row)) {
            if (place.key != kWholeInstrument) return refused(profile, place.key, for_the_whole(place.row));
            const auto asked = applied(*core::find(kProfileRows, place.row), value, *whole);
            if (!asked) return refused(profile, place.key, asked.error());
            *whole = asked.value();
        } else if (const auto string_row = string_row_named(place.row)) {
            if (const std::string why = take(touch.strings, place, value, *string_row); !why.empty())
                return refused(profile, place.key, why);
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
    if (const auto string_row = string_row_named(row); string_row && *string_row >= core::kFirstKeyRow)
        return touch.strings.keys[static_cast<std::size_t>(key_index)][*string_row];
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return keyboard::grand_values(key_index, touch.grand)[*index];
}

std::optional<double> whole_value(const Touch& touch, std::string_view row) {
    if (const auto part = part_named(row)) return parts_at(touch, PartOfKey::kEveryKey)[*part];
    if (const double* const value = value_of_the_whole(touch, row)) return *value;
    if (const auto string_row = string_row_named(row)) return touch.strings.whole[*string_row];
    const auto index = grand_row_named(row);
    if (!index) return std::nullopt;
    return touch.grand.base[*index];
}

}  // namespace letoff::ui
