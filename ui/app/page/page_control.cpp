#include "ui/app/page/page_control.h"

#include <fmt/format.h>

#include <utility>

#include "ui/app/doctor/examine.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kMostMessages = 100;

std::string late_ticks_csv(const std::vector<core::TickRecord>& ticks) {
    if (ticks.empty()) return {};
    std::string csv = "tick,lateness_us,execution_us,cpu_us\n";
    for (const core::TickRecord& t : ticks) {
        csv += fmt::format("{},{:.2f},{:.2f},{:.2f}\n", t.tick, t.lateness_s * 1e6, t.execution_s * 1e6, t.cpu_s * 1e6);
    }
    return csv;
}

}  // namespace

PageControl::PageControl(const Instrument& instrument, PagePort& port, TakeDesk& takes, const FoundProfile& profile,
                         std::string db, std::string recordings)
    : instrument_(instrument),
      port_(port),
      db_(std::move(db)),
      recordings_(std::move(recordings)),
      recorder_(instrument, port, takes, recordings_, [this] { return playing(); }),
      content_(profile.content),
      saved_(profile.content),
      head_(profile.head),
      by_number_(profile.by_number) {
    state_.profile = profile.content.name;
    state_.saved_revision = profile.revision;
    if (head_) (void)library(ProfileLibrary::Missing::kIsEmpty);  // to follow what others save
}

/// The profile whose touch plays, saved or not.
FoundProfile PageControl::playing() {
    const std::lock_guard lock(work_);
    const core::DraftState state = draft();
    return {state.plays_saved ? saved_ : content_, head_, state.saved_revision, by_number_};
}

bool PageControl::if_free(const std::function<void()>& deed) {
    const std::unique_lock lock(work_, std::try_to_lock);
    if (lock) deed();
    return lock.owns_lock();
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
    if_free([&] { look_elsewhere(live, say); });
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
    return examine(db_, recordings_, WhilePlaying::kYes);
}

core::Result<std::string> PageControl::black_box() {
    const std::lock_guard lock(state_mutex_);
    if (black_box_.empty()) return core::Error{"no tick was late since the black box was last fetched"};
    return std::exchange(black_box_, {});
}

/// What another program saves plays at once, but never over what is not saved here.
void PageControl::look_elsewhere(LivePlay& live, const LivePlay::Say& say) {
    if (!head_ || by_number_ || !library_ || library_->store() == nullptr) return;
    storage::ProfileStore& store = *library_->store();
    storage::ProfileHead& playing = *head_;
    const auto found = newest_.look(store, playing);
    if (!found) return say(fmt::format("'{}': {}", playing.name, found.error()));
    const std::optional<storage::ProfileHead>& head = found.value();
    if (!head) return;
    say(fmt::format("'{}', revision {}: {}", head->name, head->newest, take_revision(live, store, playing, *head)));
}

std::string PageControl::take_revision(LivePlay& live, storage::ProfileStore& store, storage::ProfileHead& playing,
                                       const storage::ProfileHead& head) {
    if (draft().unsaved && !head.deleted) {
        const std::lock_guard state(state_mutex_);
        const bool told = std::exchange(state_.elsewhere, true);
        return told ? "another one" : "saved by another program; what was changed on the settings page plays on";
    }
    auto revision = playable_revision(store, head);
    if (!revision) {
        playing.newest = head.newest;
        return revision.error();
    }
    const Touch& touch = revision.value().touch;
    take_profile({std::move(revision.value().profile), head, head.newest});
    changed("saved by another program");
    {
        const std::lock_guard state(state_mutex_);
        wanted_.reset();
    }
    std::string sentence = live.take_touch(touch, content_);
    for (const std::string& warning : touch.warnings) sentence += "; " + warning;
    return sentence;
}

}  // namespace letoff::ui
