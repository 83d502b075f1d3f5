#include "ui/app/page/page_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "core/unit/key_set.h"
#include "ui/app/doctor/examine.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kMostSteps = 200;
constexpr std::size_t kMostMessages = 100;
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

std::string late_ticks_csv(const std::vector<core::TickRecord>& ticks) {
    if (ticks.empty()) return {};
    std::string csv = "tick,lateness_us,execution_us,cpu_us\n";
    for (const core::TickRecord& t : ticks) {
        csv += fmt::format("{},{:.2f},{:.2f},{:.2f}\n", t.tick, t.lateness_s * 1e6, t.execution_s * 1e6, t.cpu_s * 1e6);
    }
    return csv;
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

PageControl::PageControl(const Instrument& instrument, PagePort& port, TakeDesk& takes, const FoundProfile& profile,
                         std::string db, std::string recordings)
    : instrument_(instrument),
      port_(port),
      db_(std::move(db)),
      recorder_(instrument, port, takes, std::move(recordings), [this] { return playing(); }),
      content_(profile.content),
      saved_(profile.content),
      head_(profile.head) {
    state_.profile = profile.content.name;
    state_.saved_revision = profile.revision;
    if (head_) (void)library(ProfileLibrary::Missing::kIsEmpty);  // to follow what others save
}

/// The profile whose touch plays, saved or not.
FoundProfile PageControl::playing() {
    const std::lock_guard lock(work_);
    const core::DraftState state = draft();
    return {state.plays_saved ? saved_ : content_, head_, state.saved_revision};
}

core::DraftState PageControl::draft() const {
    const std::lock_guard lock(state_mutex_);
    return state_;
}

core::Health PageControl::health() const {
    const std::lock_guard lock(state_mutex_);
    core::Health health = health_;
    health.messages = messages_;
    return health;
}

void PageControl::heard(const std::string& sentence) {
    const std::lock_guard lock(state_mutex_);
    if (messages_.size() >= kMostMessages) messages_.erase(messages_.begin());
    messages_.push_back(sentence);
}

std::span<const std::span<const core::Row>> PageControl::rows() const {
    return kRegulateRows;
}

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

void PageControl::poll(LivePlay& live, const LivePlay::Say& say) {
    std::optional<Wanted> wanted;
    {
        const std::lock_guard lock(state_mutex_);
        wanted = std::exchange(wanted_, std::nullopt);
    }
    recorder_.poll();
    devices_.poll(live);
    if (wanted) {
        heard(live.take_touch(wanted->touch, wanted->content));
    }
    look_elsewhere(live, say);
    take_health(live);
}

void PageControl::take_health(LivePlay& live) {
    const LiveReport r = live.report();
    core::Health h;
    h.played_s = r.played_s;
    h.ticks = r.keybed.ticks;
    h.late_ours = r.late_ours;
    h.late_hosts = r.late_hosts;
    h.skipped_ticks = r.skipped_ticks;
    h.tick_us = 1e6 / instrument_.setting().tick_hz;
    h.tick_p50_us = r.tick_p50_us;
    h.tick_p999_us = r.tick_p999_us;
    h.tick_max_us = r.tick_max_us;
    h.tick_times = r.tick_times;
    h.audio = audio::name_of(r.audio.way);
    h.audio_device = r.audio.device;
    h.rate_hz = r.audio.rate_hz;
    h.frames = r.audio.frames;
    h.xruns = r.xruns;
    h.delay_ms = 1e3 * r.sound.delay_s;
    h.notes = r.keybed.player.notes;
    h.strikes = r.keybed.player.strikes;
    h.silent = r.keybed.player.silent;
    h.sleeping_keys = r.keybed.sleeping_keys;
    for (const core::FaultRow& row : core::fault_table()) {
        if (const auto count = live.faults().count(row.fault); count > 0)
            h.faults.emplace_back(row.name, static_cast<std::int64_t>(count));
    }
    const std::lock_guard lock(state_mutex_);
    // The first late tick's evidence stays until somebody has taken it.
    if (black_box_.empty()) black_box_ = late_ticks_csv(live.take_late_ticks());
    h.black_box = !black_box_.empty();
    health_ = std::move(h);
}

core::Findings PageControl::findings() {
    return examine(db_, WhilePlaying::kYes);
}

core::Result<std::string> PageControl::black_box() {
    const std::lock_guard lock(state_mutex_);
    if (black_box_.empty()) return core::Error{"no tick was late since the black box was last fetched"};
    return std::exchange(black_box_, {});
}

/// What another program saves plays at once, but never over what is not saved here.
void PageControl::look_elsewhere(LivePlay& live, const LivePlay::Say& say) {
    const std::unique_lock lock(work_, std::try_to_lock);
    if (!lock || !head_ || !library_ || library_->store() == nullptr) return;
    // The count is taken before the profile: what is saved between the two is seen at the next look.
    const auto count = library_->store()->change_count();
    if (count && count.value() == change_count_) return;
    const auto now = count ? library_->store()->find(head_->id) : core::Error{count.error()};
    if (!now) {  // another program may be writing: the next look tries again
        if (std::exchange(failure_, now.error()) != failure_)
            say(fmt::format("'{}': {}; the touch stays as it is", head_->name, failure_));
        return;
    }
    failure_.clear();
    change_count_ = count.value();
    if (!now.value() || now.value()->newest == head_->newest) return;
    const storage::ProfileHead& head = *now.value();
    say(fmt::format("'{}', revision {}: {}", head.name, head.newest, take_revision(live, head)));
}

std::string PageControl::take_revision(LivePlay& live, const storage::ProfileHead& head) {
    if (head.deleted) {
        head_->newest = head.newest;
        return "it was deleted; the touch stays as it is";
    }
    if (draft().unsaved) {
        const std::lock_guard state(state_mutex_);
        const bool told = std::exchange(state_.elsewhere, true);
        return told ? "another one" : "saved by another program; what was changed on the settings page plays on";
    }
    auto content = library_->store()->load(head);
    const auto touch = content ? touch_of(content.value()) : core::Error{content.error()};
    if (!touch) {
        head_->newest = head.newest;
        return touch.error() + "; the touch stays as it is";
    }
    take_profile({std::move(content.value()), head, head.newest});
    changed("saved by another program");
    {
        const std::lock_guard state(state_mutex_);
        wanted_.reset();
    }
    std::string sentence = live.take_touch(touch.value(), content_);
    for (const std::string& warning : touch.value().warnings) sentence += "; " + warning;
    return sentence;
}

}  // namespace letoff::ui
