// The page's side of the bench: what PageControl measures.
#include <fmt/format.h>

#include "core/unit/key_name.h"
#include "keyboard/bench/force_curve.h"
#include "keyboard/bench/stanwood.h"
#include "keyboard/keybed/grand_keys.h"
#include "keyboard/regulation/solve.h"
#include "ui/app/page/action_drawing.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {

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
        const bool same = known != measured_.end() && known->second.values == all.value()[i].values;
        figures.push_back(same ? known->second.figures : core::MeasuredKeyFigures{keys[i], {}, {}});
        if (same) continue;
        unknown.push_back(all.value()[i]);
        place.push_back(i);
    }
    if (unknown.empty()) return figures;
    const std::vector<keyboard::Measured> measured = keyboard::measure_keys(unknown, {.weights = true});
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        const keyboard::Measured& m = measured[i];
        core::MeasuredKeyFigures& to = figures[place[i]];
        for (const keyboard::Figure& figure : keyboard::kFigures)
            to.figures.push_back({std::string(figure.row.id), std::string(figure.row.unit), figure.read(m)});
        to.fault = keyboard::fault_of(m);
        if (alone && to.fault.empty()) {
            const keyboard::TestKey key = keyboard::settle_test_key(unknown[i]);
            const keyboard::StanwoodWeights w = keyboard::measure_stanwood(key, m.regulation, m.touchweight);
            to.figures.push_back({"front_weight_g", "g", w.front_weight_g});
            to.figures.push_back({"strike_weight_g", "g", w.strike_weight_g});
            to.figures.push_back({"strike_weight_ratio", "", w.strike_weight_ratio});
            to.figures.push_back({"wippen_balance_weight_g", "g", w.wippen_balance_weight_g()});
        }
        measured_[{to.key, alone, of}] = {unknown[i].values, to};
    }
    return figures;
}

core::Result<core::MeasuredCurve> PageControl::force_curve(int key, core::Which of) {
    const std::lock_guard lock(work_);
    const auto build = builds(std::span(&key, 1), of);
    if (!build) return core::Error{build.error()};
    Curve& known = curves_[{key, of}];
    if (!known.curve.dip_m.empty() && known.values == build.value().front().values) return known.curve;
    const keyboard::TestKey settled = keyboard::settle_test_key(build.value().front());
    const keyboard::ForceCurve curve = keyboard::measure_force(settled, keyboard::measure_regulation(settled)).curve;
    known = {build.value().front().values, {curve.dip_m, curve.down_N, curve.up_N}};
    return known.curve;
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
