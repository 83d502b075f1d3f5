#include "ui/app/profiles/fit_profile.h"

#include <fmt/format.h>

#include <cmath>

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

core::Result<storage::Profile> fitted(const storage::Profile& profile, std::span<const int> key_indices,
                                      std::span<const keyboard::CurvePoint> points, FitReport& report) {
    storage::Profile content = profile;
    const auto before = touch_of(profile);
    if (!before) return core::Error{before.error()};
    const core::StringSet strings = core::design_strings(string_design_of(before.value(), before.value().strings));
    report = {};
    report.key_index = key_indices[key_indices.size() / 2];
    report.fit = keyboard::fit_curve(before.value().grand, report.key_index, points, strings);
    if (!report.fit.refused.empty()) return core::Error{report.fit.refused};
    for (const int key : key_indices) {
        for (const keyboard::Turn& turn : report.fit.turns) {
            apply({core::find(kProfileRows, turn.row), RowChange::Kind::kTurn, turn.by}, key + 1, content.values);
        }
    }
    const auto after = touch_of(content);
    if (!after) return core::Error{after.error()};
    const auto executor = core::make_executor("inline", 1);
    auto measured = keyboard::regulate_keys({before.value().grand, after.value().grand, {}, strings, true},
                                            {&report.key_index, 1}, *executor.value());
    if (!measured) return core::Error{measured.error()};
    report.regulation.measured = std::move(measured.value());
    for (const keyboard::Turn& turn : report.fit.turns) {
        report.regulation.turned.push_back({report.key_index + 1, core::find(kProfileRows, turn.row),
                                            value_at(before.value(), report.key_index, turn.row).value_or(0),
                                            value_at(after.value(), report.key_index, turn.row).value_or(0)});
    }
    return content;
}

core::Result<storage::Saved> fit_profile(storage::ProfileStore& store, const storage::ProfileHead& head,
                                         std::span<const int> key_indices, std::span<const keyboard::CurvePoint> points,
                                         std::string_view note, FitReport& report) {
    const auto content = store.load(head);
    if (!content) return core::Error{content.error()};
    const auto made = fitted(content.value(), key_indices, points, report);
    if (!made) return core::Error{made.error()};
    return store.save(head, made.value(), note, "regulated");
}

}  // namespace letoff::ui
