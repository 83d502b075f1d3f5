// The page's side of the bench: what PageControl measures.
#include <fmt/format.h>

#include "core/unit/key_name.h"
#include "core/unit/key_set.h"
#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/measure.h"
#include "keyboard/bench/stanwood.h"
#include "keyboard/keybed/grand_keys.h"
#include "keyboard/regulation/fit.h"
#include "keyboard/regulation/solve.h"
#include "ui/app/page/action_drawing.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/fit_profile.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

/// Why a key has no such figure; "" where it has.
std::string why_not(const keyboard::Figure& figure, const keyboard::KeyBuild& build, const keyboard::Measured& m) {
    const std::string_view id = figure.row.id;
    if (id == "damper_pick_up_mm" && !build.damped) return "this key has no damper";
    if (keyboard::needs_let_off(id) && !keyboard::has_let_off(build, m.regulation)) return "this action has no let-off";
    if (id == "check_distance_mm" && !m.stroke.held) return "no backcheck held the hammer after a medium stroke";
    return {};
}

constexpr std::string_view kOfTheGrand = "it is a weight of the grand's parts, which this action does not have";

core::MeasuredKeyFigures figures_of(int key, const keyboard::KeyBuild& build, const keyboard::Measured& m, bool alone) {
    core::MeasuredKeyFigures to{key, {}, {}};
    for (const keyboard::Figure& figure : keyboard::kFigures)
        to.figures.push_back(
            {std::string(figure.row.id), std::string(figure.row.unit), figure.read(m), why_not(figure, build, m)});
    const bool is_grand = build.action->step == nullptr;
    if (is_grand) to.fault = keyboard::fault_of(m);
    if (!alone) return to;
    keyboard::StanwoodWeights w;
    std::string why;
    if (!is_grand) {
        why = kOfTheGrand;
    } else if (!to.fault.empty()) {
        why = to.fault;
    } else {
        w = keyboard::measure_stanwood(keyboard::settle_test_key(build), m.regulation, m.touchweight);
    }
    to.figures.push_back({"front_weight_g", "g", w.front_weight_g, why});
    to.figures.push_back({"strike_weight_g", "g", w.strike_weight_g, why});
    to.figures.push_back({"strike_weight_ratio", "", w.strike_weight_ratio, why});
    to.figures.push_back({"wippen_balance_weight_g", "g", why.empty() ? w.wippen_balance_weight_g() : 0, why});
    return to;
}

}  // namespace

core::Result<Touch> PageControl::touch(core::Which of) const {
    switch (of) {
        case core::Which::kDraft:
            return touch_of(content_);
        case core::Which::kSaved:
            return touch_of(saved_);
        case core::Which::kFactory:
            return touch_of(*factory_profile(kDefaultProfile));
    }
    return touch_of(content_);
}

core::Result<std::vector<keyboard::KeyBuild>> PageControl::builds(std::span<const int> keys, core::Which of) const {
    const auto wanted = touch(of);
    if (!wanted) return core::Error{wanted.error()};
    std::vector<keyboard::KeyBuild> all;
    for (const int key : keys)
        all.push_back(keyboard::grand_keys(instrument_.strings(), key - 1, 1, wanted.value().grand).front());
    return all;
}

std::vector<core::RowValue> PageControl::values(int key) {
    const std::lock_guard lock(work_);
    const auto now = touch(core::Which::kDraft), saved = touch(core::Which::kSaved),
               factory = touch(core::Which::kFactory);
    if (!now || !saved || !factory) return {};
    const auto value = [&](const Touch& of, std::string_view row) {
        return key == storage::kWholeInstrument ? whole_value(of, row) : value_at(of, key - 1, row);
    };
    std::vector<core::RowValue> all;
    for (const auto& table : kProfileRows) {
        for (const core::Row& row : table) {
            const auto here = value(now.value(), row.id);
            if (!here) continue;
            all.push_back({&row, *here, value(saved.value(), row.id).value_or(*here),
                           value(factory.value(), row.id).value_or(*here),
                           content_.values.contains({key, std::string(row.id)})});
        }
    }
    return all;
}

core::Result<std::vector<core::MeasuredKeyFigures>> PageControl::measure(std::span<const int> keys, core::Which of) {
    const std::lock_guard lock(work_);
    const auto all = builds(keys, of);
    if (!all) return core::Error{all.error()};
    const bool alone = keys.size() == 1;  // then there is time for the parts' weights
    std::vector<core::MeasuredKeyFigures> figures;
    std::vector<keyboard::KeyBuild> unknown;
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto known = measured_.find({keys[i], alone, of});
        const bool same = known != measured_.end() && known->second.action == all.value()[i].action &&
                          known->second.values == all.value()[i].values;
        figures.push_back(same ? known->second.figures : core::MeasuredKeyFigures{keys[i], {}, {}});
        if (same) continue;
        unknown.push_back(all.value()[i]);
        place.push_back(i);
    }
    if (unknown.empty()) return figures;
    const std::vector<keyboard::Measured> measured = keyboard::measure_keys(unknown, {.weights = true});
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        core::MeasuredKeyFigures& to = figures[place[i]];
        to = figures_of(to.key, unknown[i], measured[i], alone);
        measured_[{to.key, alone, of}] = {unknown[i].action, unknown[i].values, to};
    }
    return figures;
}

core::Result<core::MeasuredCurve> PageControl::force_curve(int key, core::Which of) {
    const std::lock_guard lock(work_);
    const auto build = builds(std::span(&key, 1), of);
    if (!build) return core::Error{build.error()};
    Curve& known = curves_[{key, of}];
    const keyboard::KeyBuild& of_key = build.value().front();
    if (!known.curve.dip_m.empty() && known.action == of_key.action && known.values == of_key.values)
        return known.curve;
    const keyboard::TestKey settled = keyboard::settle_test_key(of_key);
    const keyboard::ForceCurve curve = keyboard::measure_force(settled, keyboard::measure_regulation(settled)).curve;
    known = {of_key.action, of_key.values, {curve.dip_m, curve.down_N, curve.up_N}};
    return known.curve;
}

core::Result<core::MeasuredCurve> PageControl::read_curve(std::string_view csv, std::string_view file) {
    const auto points = keyboard::parse_force_curve(csv, file);
    if (!points) return core::Error{points.error()};
    const keyboard::ForceCurve curve = keyboard::gridded(points.value());
    if (curve.dip_m.empty())
        return core::Error{fmt::format("'{}': there is no dip at which it has forces down and up", file)};
    return core::MeasuredCurve{curve.dip_m, curve.down_N, curve.up_N};
}

core::Result<core::DraftResult> PageControl::make_alike(std::int64_t revision, std::span<const int> keys,
                                                        std::string_view csv, std::string_view file) {
    const std::lock_guard lock(work_);
    if (revision != draft().revision) return conflict();
    const auto points = keyboard::parse_force_curve(csv, file);
    if (!points) return core::Error{points.error()};
    std::vector<int> indices(keys.begin(), keys.end());
    for (int& key : indices) --key;
    FitReport fit;
    auto content = fitted(content_, indices, points.value(), fit);
    if (!content) return core::Error{fmt::format("'{}': {}", file, content.error())};
    coalesced_.clear();
    const std::string what =
        fmt::format("{} like '{}'", indices.size() == core::kKeyCount ? "all keys" : core::key_list(indices), file);
    core::DraftResult result = take_change(std::move(content.value()), what, false);
    result.sentence = fmt::format("{}; left over {:.3f} N of {:.3f} N before (root mean square, {})", what,
                                  fit.fit.rms_after_N, fit.fit.rms_before_N, core::key_name(fit.key_index));
    return result;
}

core::Result<core::Range> PageControl::range(int key, std::string_view id) {
    const std::lock_guard lock(work_);
    const core::Row* row = core::find(keyboard::kFigureRows, id);
    if (row == nullptr)
        return core::Error{
            fmt::format("{} is no figure that screws are turned for", id.substr(0, storage::kLongestRowId_bytes))};
    const auto figure = static_cast<std::size_t>(row - keyboard::kFigureRows.data());
    const auto screws = keyboard::screws_for(std::span(&figure, 1));
    if (!screws) return core::Error{screws.error()};
    const auto now = touch(core::Which::kDraft);
    if (!now) return core::Error{now.error()};
    const keyboard::FigureRange r =
        keyboard::range_that_works(now.value().grand, key - 1, figure, screws.value().front(), instrument_.strings());
    return core::Range{r.low, r.high, std::string(r.below), std::string(r.above)};
}

core::Result<core::ActionDrawing> PageControl::drawing(int key) {
    const std::lock_guard lock(work_);
    const auto build = builds(std::span(&key, 1), core::Which::kDraft);
    if (!build) return core::Error{build.error()};
    return draw_action(build.value().front());
}

}  // namespace letoff::ui
