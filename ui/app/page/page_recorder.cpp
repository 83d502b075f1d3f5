#include "ui/app/page/page_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"
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

PageRecorder::PageRecorder(const Instrument& instrument, PagePort& port, TakeDesk& takes, std::string file,
                           std::function<FoundProfile()> playing)
    : instrument_(instrument), port_(port), takes_(takes), file_(std::move(file)), playing_(std::move(playing)) {}

PageRecorder::~PageRecorder() {
    ask_to_stop();
    if (export_thread_.joinable()) export_thread_.join();
}

void PageRecorder::poll() {
    const std::lock_guard lock(mutex_);
    feed_replay();
}

core::Result<core::RecorderState> PageRecorder::state() {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    auto all = store.value().list();
    if (!all) return core::Error{all.error()};
    core::RecorderState state;
    for (const storage::RecordingInfo& r : all.value()) {
        (r.captured ? state.captured : state.recordings)
            .push_back(
                {r.name, r.profile_name, r.profile_revision, r.created_unix_s, r.length_s, r.strikes, r.lost, r.ended});
    }
    state.recording = takes_.recording();
    state.recorded_s = takes_.recorded_s();
    const std::lock_guard lock(mutex_);
    const std::int64_t now_ns = core::monotonic_now_ns();
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
    const storage::RecordingHead head = recording_head(std::string(name), profile, touch.value().strings, instrument_);
    const auto begun = takes_.record(std::move(store.value()), head, storage::RecordingWriter::From::kFirstPlayed);
    if (!begun) return core::Error{begun.error()};
    return fmt::format("'{}' is being recorded", name);
}

core::Result<std::string> PageRecorder::stop() {
    return takes_.stop_recording();
}

core::Result<std::string> PageRecorder::replay(std::string_view name) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    auto recording = store.value().load(name);
    if (!recording) return core::Error{recording.error()};
    std::vector<core::ArrivedMessage> messages;
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
    for (core::ArrivedMessage& message : messages) message.time_ns -= zero_ns;
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
        const core::ArrivedMessage& next = again_[next_again_];
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
    if (!name.empty() && name == takes_.recording())
        return core::Error{fmt::format("'{}' is being recorded: stop it first", name)};
    if (const auto done = store.value().remove(name); !done) return core::Error{done.error()};
    return fmt::format("'{}' is deleted", name);
}

core::Result<std::string> PageRecorder::keep(std::string_view captured, std::string_view new_name) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    if (const auto done = store.value().keep(captured, std::string(new_name)); !done) return core::Error{done.error()};
    return fmt::format("'{}' is kept", new_name);
}

}  // namespace letoff::ui
