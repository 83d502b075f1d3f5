#include "ui/app/profiles/blend.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ui/app/profiles/row_change.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using storage::ProfilePlace;
using storage::ProfileValue;
using storage::ProfileValues;

bool known(const ProfilePlace& place) {
    return core::find(kProfileRows, place.row) != nullptr;
}

std::optional<ProfileValue> own_value(const ProfileValues& values, const ProfilePlace& place) {
    const auto found = values.find(place);
    if (found == values.end()) return std::nullopt;
    return found->second;
}

/// Between the two and never beyond.
double between(double a, double b, double share) {
    return std::clamp(without_binary_dust(a + share * (b - a)), std::min(a, b), std::max(a, b));
}

/// What a place comes to.
double reached(const Touch& touch, const ProfilePlace& place) {
    const auto value = place.key == storage::kWholeInstrument ? whole_value(touch, place.row)
                                                              : value_at(touch, place.key - 1, place.row);
    return value.value_or(core::find(kProfileRows, place.row)->default_value);
}

}  // namespace

core::Result<Blend> blend(const storage::Profile& a, const storage::Profile& b, double share) {
    if (a.action != b.action) {
        return core::Error{
            fmt::format("'{}' is for the action '{}' and '{}' for '{}': only profiles of one action can "
                        "be blended",
                        a.name, a.action, b.name, b.action)};
    }
    const auto touch_a = touch_of(a), touch_b = touch_of(b);
    for (const auto* touch : {&touch_a, &touch_b}) {
        if (!*touch) return core::Error{touch->error()};
    }
    Blend result{a, {}};
    std::set<ProfilePlace> places;
    std::set<std::string> kept;
    for (const ProfileValues* values : {&a.values, &b.values}) {
        for (const auto& [place, value] : *values) {
            if (known(place)) {
                places.insert(place);
            } else {
                kept.insert(place.row);
            }
        }
    }
    for (const ProfilePlace& place : places) {
        const auto of_a = own_value(a.values, place), of_b = own_value(b.values, place);
        std::optional<ProfileValue> blended;
        if (share <= 0 || share >= 1) {
            blended = share <= 0 ? of_a : of_b;
        } else if ((!of_a || of_a->relative) && (!of_b || of_b->relative)) {
            blended = ProfileValue{between(of_a ? of_a->value : 0, of_b ? of_b->value : 0, share), true};
        } else {
            blended = ProfileValue{between(reached(touch_a.value(), place), reached(touch_b.value(), place), share)};
        }
        if (blended) {
            result.profile.values[place] = *blended;
        } else {
            result.profile.values.erase(place);
        }
    }
    result.kept.assign(kept.begin(), kept.end());
    if (auto touch = touch_of(result.profile); !touch) return core::Error{touch.error()};
    return result;
}

}  // namespace letoff::ui
