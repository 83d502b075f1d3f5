#include "ui/app/page/page_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "storage/profile_json.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {
namespace {

constexpr std::int64_t kAhead_ns = 150'000'000;  // three polls
constexpr std::int64_t kLead_ns = 300'000'000;   // before the first note of a replay

double seconds(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

}  // namespace

PageRecorder::PageRecorder(const Instrument& instrument, PagePort& port, std::string file,
                           std::function<FoundProfile()> playing)
    : instrument_(instrument), port_(port), file_(std::move(file)), playing_(std::move(playing)) {}

PageRecorder::~PageRecorder() {
    ask_to_stop();
    if (export_thread_.joinable()) export_thread_.join();
    const std::lock_guard lock(mutex_);
    port_.record(false);
    drain();
    if (writer_) (void)writer_->stop();
}

/// Moves the event to where it would be had the instrument just been started.
void PageRecorder::keep(core::TakeEvent event) {
    const int hz = instrument_.setting().tick_hz;
    const std::int64_t first = port_.first_tick();
    const double first_s = static_cast<double>(first) / hz;
    if (zero_tick_ < 0) {
        zero_tick_ = std::max<std::int64_t>(0, event.tick - hz / 4);
        first_ns_ = core::monotonic_now_ns();
        const auto decided = [&](core::TakeEvent from_the_start) {
            from_the_start.tick = first;
            from_the_start.time_s = first_s;
            writer_->tap().push(from_the_start);
        };
        decided({.value = catch_up_percent_, .kind = core::TakeKind::catch_up});
        if (catch_up_percent_ > 0) decided({.kind = core::TakeKind::tables, .key = 1});
        if (touches_ > 0) decided({.bits = touches_, .kind = core::TakeKind::touch});
    }
    event.time_s += first_s - static_cast<double>(zero_tick_) / hz;
    event.tick = std::max(last_tick_, event.tick - zero_tick_ + first);
    last_tick_ = event.tick;
    writer_->tap().push(event);
}

/// What the keybed's thread does not tell, at this moment of what is recorded; something was played already.
void PageRecorder::keep_now(core::TakeEvent event) {
    const int hz = instrument_.setting().tick_hz;
    event.tick = zero_tick_ + hz / 4 + static_cast<std::int64_t>(seconds(core::monotonic_now_ns() - first_ns_) * hz);
    event.time_s = static_cast<double>(event.tick) / hz;
    keep(event);
}

void PageRecorder::drain() {
    core::TakeEvent event;
    while (port_.take_event(event)) {
        if (writer_) keep(event);
    }
    lost_ += port_.take_lost();
}

void PageRecorder::poll(const LivePlay::Say& say) {
    std::string sentence;
    {
        const std::lock_guard lock(mutex_);
        drain();
        if (writer_) sentence = writer_->take_sentence();
        feed_replay();
    }
    if (!sentence.empty()) say(sentence);
}

void PageRecorder::touch_changed(const storage::Profile& content) {
    const std::lock_guard lock(mutex_);
    if (!writer_) return;
    drain();
    writer_->add_touch(++touches_, storage::profile_json(content));
    if (zero_tick_ < 0) return;  // told with the first that is played
    keep_now({.bits = touches_, .kind = core::TakeKind::touch});
}

core::Result<core::RecorderState> PageRecorder::state() {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    auto all = store.value().list();
    if (!all) return core::Error{all.error()};
    core::RecorderState state;
    for (const storage::RecordingInfo& r : all.value())
        state.recordings.push_back(
            {r.name, r.profile_name, r.profile_revision, r.created_unix_s, r.length_s, r.strikes, r.lost, r.ended});
    const std::lock_guard lock(mutex_);
    const std::int64_t now_ns = core::monotonic_now_ns();
    state.recording = recording_;
    if (writer_) state.recorded_s = seconds(now_ns - began_ns_);
    state.replaying = replaying_;
    if (!replaying_.empty()) {
        state.replay_length_s = again_.empty() ? 0 : seconds(again_.back().time_ns);
        state.replayed_s = std::clamp(seconds(now_ns - again_zero_ns_), 0.0, state.replay_length_s);
    }
    state.exporting = exporting_;
    state.export_share = export_share_.load(std::memory_order_relaxed);
    state.export_file = export_file_;
    state.export_bytes = export_bytes_;
    state.export_error = export_error_;
    return state;
}

core::Result<std::string> PageRecorder::start(std::string_view name) {
    const FoundProfile profile = playing_();
    const auto touch = touch_of(profile.content);
    if (!touch) return core::Error{touch.error()};
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    storage::RecordingHead head = recording_head(std::string(name), profile, touch.value().strings, instrument_);
    head.begin_s = static_cast<double>(port_.first_tick()) / instrument_.setting().tick_hz;
    const std::lock_guard lock(mutex_);
    if (writer_) return core::Error{fmt::format("'{}' is being recorded: stop it first", recording_)};
    auto writer = storage::RecordingWriter::start(std::move(store.value()), head, faults_);
    if (!writer) return core::Error{writer.error()};
    drain();  // what is left of before
    writer_ = std::move(writer.value());
    recording_ = name;
    catch_up_percent_ = touch.value().catch_up_percent;
    zero_tick_ = -1;
    last_tick_ = 0;
    touches_ = 0;
    lost_ = 0;
    began_ns_ = core::monotonic_now_ns();
    port_.record(true);
    return fmt::format("'{}' is being recorded", name);
}

core::Result<std::string> PageRecorder::stop() {
    const std::lock_guard lock(mutex_);
    if (!writer_) return core::Error{"nothing is being recorded"};
    port_.record(false);
    drain();
    if (zero_tick_ >= 0) keep_now({.kind = core::TakeKind::release_all});  // keys that are held leave as it ends
    const auto kept = writer_->stop();
    writer_.reset();
    const std::string name = std::exchange(recording_, "");
    if (!kept) return core::Error{kept.error()};
    if (lost_ > 0) return fmt::format("'{}' is kept, but {} events were lost", name, lost_);
    return fmt::format("'{}' is kept", name);
}

core::Result<std::string> PageRecorder::replay(std::string_view name) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    auto recording = store.value().load(name);
    if (!recording) return core::Error{recording.error()};
    std::vector<PlayedOnPage> messages;
    std::int64_t gap_ns = 0;
    for (const core::TakeEvent& event : recording.value().events) {
        if (event.kind == core::TakeKind::gap) gap_ns += static_cast<std::int64_t>(1e9 * event.value);
        if (event.kind != core::TakeKind::message) continue;
        std::int64_t at_ns = gap_ns + static_cast<std::int64_t>(1e9 * event.time_s);
        if (!messages.empty()) at_ns = std::max(at_ns, messages.back().time_ns);
        messages.push_back({at_ns, event.message});
    }
    if (messages.empty()) return core::Error{fmt::format("in '{}' nothing is played", name)};
    const std::int64_t zero_ns = messages.front().time_ns;
    for (PlayedOnPage& message : messages) message.time_ns -= zero_ns;
    const std::lock_guard lock(mutex_);
    if (!replaying_.empty()) port_.release_all();
    replaying_ = name;
    again_ = std::move(messages);
    next_again_ = 0;
    again_zero_ns_ = core::monotonic_now_ns() + kLead_ns;
    return fmt::format("'{}' plays", name);
}

void PageRecorder::feed_replay() {
    if (replaying_.empty()) return;
    const std::int64_t now_ns = core::monotonic_now_ns();
    for (; next_again_ < again_.size(); ++next_again_) {
        const PlayedOnPage& next = again_[next_again_];
        const std::int64_t at_ns = again_zero_ns_ + next.time_ns;
        if (at_ns > now_ns + kAhead_ns || !port_.play_again({at_ns, next.message})) return;
    }
    if (now_ns < again_zero_ns_ + again_.back().time_ns + kAhead_ns) return;
    replaying_.clear();
    again_.clear();
    port_.release_all();
}

core::Result<std::string> PageRecorder::stop_replay() {
    const std::lock_guard lock(mutex_);
    if (replaying_.empty()) return core::Error{"nothing is being played again"};
    const std::string name = std::exchange(replaying_, "");
    again_.clear();
    port_.stop_again();
    port_.release_all();
    return fmt::format("'{}' stopped", name);
}

core::Result<std::string> PageRecorder::remove(std::string_view name) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    {
        const std::lock_guard lock(mutex_);
        if (writer_ && name == recording_)
            return core::Error{fmt::format("'{}' is being recorded: stop it first", name)};
    }
    if (const auto done = store.value().remove(name); !done) return core::Error{done.error()};
    return fmt::format("'{}' is deleted", name);
}

}  // namespace letoff::ui
