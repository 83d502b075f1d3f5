// The draft of the touch that plays: changes, undo and redo, and which of draft and saved touch is heard.
#include <fmt/format.h>

#include <utility>

#include "core/rt/monotonic_clock.h"
#include "core/unit/key_set.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kMostSteps = 200;
constexpr std::int64_t kOneTurn_ns = 1'500'000'000;  // a slider that is moved on within this is one change

std::string places(std::span<const int> keys) {
    if (keys.front() == storage::kWholeInstrument) return "all keys";
    std::vector<int> indices;
    for (const int key : keys) indices.push_back(key - 1);
    return core::key_list(indices);
}

RowChange::Kind kind_of(core::ValueChange::Kind kind) {
    using From = core::ValueChange::Kind;
    return kind == From::kSet    ? RowChange::Kind::kSet
           : kind == From::kTurn ? RowChange::Kind::kTurn
                                 : RowChange::Kind::kBase;
}

core::Result<std::vector<RowChange>> row_changes(std::span<const core::ValueChange> changes) {
    std::vector<RowChange> all;
    for (const core::ValueChange& change : changes) {
        const core::Row* row = core::find(kRegulateRows, change.row);
        if (row == nullptr)
            return core::Error{fmt::format("there is no row {}", change.row.substr(0, storage::kLongestRowId_bytes))};
        const RowChange::Kind kind = kind_of(change.kind);
        if (kind == RowChange::Kind::kBase && figure_of(*row) != nullptr)
            return core::Error{fmt::format("{} is measured and has no base: undo takes a change back", row->id)};
        if (kind == RowChange::Kind::kSet) {
            if (const auto valid = core::validate(*row, change.value); !valid) return core::Error{valid.error()};
        }
        all.push_back({row, kind, change.value});
    }
    return all;
}

std::string told(std::span<const int> keys, std::span<const RowChange> changes) {
    std::string what = places(keys) + ":";
    for (const RowChange& change : changes) {
        switch (change.kind) {
            case RowChange::Kind::kSet:
                what += fmt::format(" {} {}", change.row->id, core::value_text(*change.row, change.value));
                break;
            case RowChange::Kind::kTurn:
                what += fmt::format(" {} {:+}", change.row->id, change.value);
                break;
            case RowChange::Kind::kBase:
                what += fmt::format(" {} as built", change.row->id);
                break;
        }
    }
    return what.substr(0, storage::kLongestNote_bytes);
}

}  // namespace

core::DraftResult PageControl::conflict() const {
    return {draft(), true, "another page has changed it meanwhile: nothing was done"};
}

core::DraftResult PageControl::done(std::string sentence) {
    return {draft(), false, std::move(sentence)};
}

/// Plays from the next poll() on, if it can be played.
void PageControl::want(const storage::Profile& content, bool saved) {
    auto touch = touch_of(content);
    const std::lock_guard lock(state_mutex_);
    if (touch) wanted_ = {std::move(touch.value()), content};
    state_.plays_saved = saved;
}

void PageControl::play_draft() {
    want(content_, false);
}

/// The draft is another one now.
void PageControl::changed(std::string what) {
    play_draft();
    const std::lock_guard lock(state_mutex_);
    ++state_.revision;
    state_.unsaved = content_.values != saved_.values;
    state_.undoable = static_cast<int>(undo_.size());
    state_.redoable = static_cast<int>(redo_.size());
    state_.last = std::move(what);
}

core::Result<core::DraftResult> PageControl::edit(std::int64_t revision, std::span<const int> keys,
                                                  std::span<const core::ValueChange> changes) {
    const std::lock_guard lock(work_);
    if (revision != draft().revision) return conflict();
    const auto rows = row_changes(changes);
    if (!rows) return core::Error{rows.error()};
    Regulator regulator({keys.begin(), keys.end()}, rows.value());
    regulator.measure_parts = false;
    regulator.stop = [this] { return stop_.load(std::memory_order_acquire); };
    auto content = regulator.applied_to(content_);
    if (!content) return core::Error{content.error()};
    const std::string what = told(keys, rows.value());
    if (content.value().values == content_.values) return done(what);
    const std::string place = what.substr(0, what.rfind(' '));
    const std::int64_t now = core::monotonic_now_ns();
    const bool goes_on =
        changes.size() == 1 && place == coalesced_ && now - coalesced_ns_ < kOneTurn_ns && !undo_.empty();
    coalesced_ = place;
    coalesced_ns_ = now;
    return take_change(std::move(content.value()), what, goes_on);
}

core::DraftResult PageControl::take_change(storage::Profile content, const std::string& what, bool goes_on) {
    if (!goes_on) undo_.push_back({content_.values, what});
    if (goes_on) undo_.back().what = what;
    if (undo_.size() > kMostSteps) undo_.erase(undo_.begin());
    redo_.clear();
    content_ = std::move(content);
    changed(what);
    return done(what);
}

core::DraftResult PageControl::step(std::int64_t revision, std::vector<Step>& from, std::vector<Step>& to,
                                    const char* none) {
    if (revision != draft().revision) return conflict();
    if (from.empty()) return done(none);
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({std::exchange(content_.values, std::move(step.values)), step.what});
    coalesced_.clear();
    changed(step.what);
    return done(step.what);
}

core::DraftResult PageControl::undo(std::int64_t revision) {
    const std::lock_guard lock(work_);
    return step(revision, undo_, redo_, "there is nothing to undo");
}

core::DraftResult PageControl::redo(std::int64_t revision) {
    const std::lock_guard lock(work_);
    return step(revision, redo_, undo_, "there is nothing to do again");
}

core::DraftResult PageControl::play_saved(bool saved) {
    const std::lock_guard lock(work_);
    if (!saved) {
        play_draft();
        return done("the draft plays");
    }
    want(saved_, true);
    return done("what is saved plays");
}

}  // namespace letoff::ui
