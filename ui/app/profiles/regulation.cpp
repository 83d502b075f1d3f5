#include "ui/app/profiles/regulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <tuple>

#include "core/string/string_design.h"
#include "core/unit/key_set.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

using storage::kWholeInstrument;
using storage::ProfileValues;

constexpr std::size_t kMeasuredAnyway = 8;  // keys whose figures are shown where only their parts were changed

bool is_part(const core::Row& row) {
    return core::find(keyboard::kPartRows, row.id) != nullptr;
}

double value_of(const Touch& touch, int key, const core::Row& row) {
    const auto value = key == kWholeInstrument ? whole_value(touch, row.id) : value_at(touch, key - 1, row.id);
    return value.value_or(row.default_value);
}

std::vector<int> own_values(const ProfileValues& values, std::span<const RowChange> changes) {
    std::vector<int> own;
    for (const auto& [place, value] : values) {
        if (place.key == kWholeInstrument || value.relative) continue;
        const auto of_row = [&](const RowChange& change) { return change.row->id == place.row; };
        if (std::none_of(changes.begin(), changes.end(), of_row)) continue;
        if (own.empty() || own.back() != place.key - 1) own.push_back(place.key - 1);
    }
    return own;
}

core::Error refused(std::span<const keyboard::RegulatedKey> keys) {
    std::vector<int> all;
    const keyboard::RegulatedKey* first = nullptr;
    for (const keyboard::RegulatedKey& key : keys) {
        if (key.refused.empty()) continue;
        if (first == nullptr) first = &key;
        all.push_back(key.key_index);
    }
    if (all.size() == 1) return {first->refused};
    return {fmt::format("{} keys cannot have it ({}): {}", all.size(), core::key_list(all), first->refused)};
}

}  // namespace

const keyboard::Figure* figure_of(const core::Row& row) {
    const core::Row* figure = core::find(keyboard::kFigureRows, row.id);
    return figure == nullptr ? nullptr : &keyboard::kFigures[figure - keyboard::kFigureRows.data()];
}

Regulator::Regulator(std::vector<int> keys, std::vector<RowChange> changes) : keys_(std::move(keys)) {
    for (RowChange& change : changes) {
        if (const keyboard::Figure* figure = figure_of(*change.row)) {
            wanted_.push_back({static_cast<std::size_t>(figure - keyboard::kFigures), change.value,
                               change.kind == RowChange::Kind::kTurn});
        } else {
            parts_ |= is_part(*change.row);
            changes_.push_back(change);
        }
    }
    // In the technician's order, so that a figure with a choice of screws leaves the others theirs.
    std::sort(wanted_.begin(), wanted_.end(),
              [](const keyboard::Wanted& a, const keyboard::Wanted& b) { return a.figure < b.figure; });
}

std::vector<int> Regulator::key_indices() const {
    std::vector<int> all(core::kKeyCount);
    std::iota(all.begin(), all.end(), 0);
    if (keys_ == std::vector{kWholeInstrument}) return all;
    all.clear();
    for (const int key : keys_) all.push_back(key - 1);
    return all;
}

core::Result<bool> Regulator::turn_screws(const storage::Profile& before, storage::Profile& content) {
    const auto touch_before = touch_of(before), start = touch_of(content);
    if (!touch_before) return core::Error{touch_before.error()};
    if (!start) return core::Error{start.error()};
    const core::StringSet strings = core::design_strings(string_design_of(start.value(), start.value().strings));
    const int machine = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const auto executor = core::make_executor("tbb", std::min(machine, core::kMaxExecutorThreads));
    if (!executor) return core::Error{executor.error()};
    const keyboard::RegulateTask task{touch_before.value().grand, start.value().grand, wanted_, strings, parts_};
    const std::vector<int> keys = key_indices();
    // Some keys at a time, so that it shows how far it is.
    const std::size_t at_once = core::kLanes * static_cast<std::size_t>(executor.value()->threads());
    for (std::size_t first = 0; first < keys.size(); first += at_once) {
        if (progress) progress(static_cast<double>(first) / static_cast<double>(keys.size()));
        if (stop && stop()) return core::Error{"it was broken off: nothing was changed"};
        const std::size_t count = std::min(at_once, keys.size() - first);
        auto some = keyboard::regulate_keys(task, std::span(keys).subspan(first, count), *executor.value());
        if (!some) return core::Error{some.error()};
        for (keyboard::RegulatedKey& key : some.value()) report_.measured.push_back(std::move(key));
    }
    const auto cannot = [](const keyboard::RegulatedKey& key) { return !key.refused.empty(); };
    if (std::any_of(report_.measured.begin(), report_.measured.end(), cannot)) return refused(report_.measured);
    for (const keyboard::RegulatedKey& key : report_.measured) {
        for (const keyboard::Turn& turn : key.turns)
            apply({core::find(kProfileRows, turn.row), RowChange::Kind::kTurn, turn.by}, key.key_index + 1,
                  content.values);
    }
    return true;
}

core::Result<storage::Profile> Regulator::applied_to(const storage::Profile& before) {
    report_ = {};
    storage::Profile content = before;
    const auto touch_before = touch_of(before);
    if (!touch_before) return core::Error{touch_before.error()};
    for (const int key : keys_) {
        for (const RowChange& change : changes_) apply(change, key, content.values);
    }
    const bool whole = keys_ == std::vector{kWholeInstrument};
    if (!wanted_.empty() || (measure_parts && parts_ && !whole && keys_.size() <= kMeasuredAnyway)) {
        const auto done = turn_screws(before, content);
        if (!done) return core::Error{done.error()};
    }
    const auto touch_after = touch_of(content);
    if (!touch_after) return core::Error{touch_after.error()};
    const auto add_turned = [&](int key, const core::Row* row) {
        report_.turned.push_back(
            {key, row, value_of(touch_before.value(), key, *row), value_of(touch_after.value(), key, *row)});
    };
    for (const int key : keys_) {
        for (const RowChange& change : changes_) add_turned(key, change.row);
    }
    for (const keyboard::RegulatedKey& key : report_.measured) {
        for (const keyboard::Turn& turn : key.turns) add_turned(key.key_index + 1, core::find(kProfileRows, turn.row));
    }
    if (whole) report_.keys_with_own_values = own_values(content.values, changes_);
    return content;
}

core::Result<storage::Saved> Regulator::apply_to(storage::ProfileStore& store, const storage::ProfileHead& head,
                                                 std::string_view note) {
    const auto before = store.load(head);
    if (!before) return core::Error{before.error()};
    const auto content = applied_to(before.value());
    if (!content) return core::Error{content.error()};
    if (content.value().values == before.value().values)
        return core::Error{fmt::format("'{}' has these values already: nothing was saved", head.name)};
    return store.save(head, content.value(), note, "regulated");
}

}  // namespace letoff::ui
