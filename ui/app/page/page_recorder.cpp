#include "ui/app/page/page_recorder.h"

#include <fmt/format.h>

#include <utility>

#include "storage/same_name.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {

PageRecorder::PageRecorder(const Instrument& instrument, PagePort& port, TakeDesk& takes, std::string file,
                           std::function<FoundProfile()> playing)
    : instrument_(instrument), takes_(takes), file_(std::move(file)), playing_(std::move(playing)), replay_(port) {}

PageRecorder::~PageRecorder() {
    ask_to_stop();
    if (export_thread_.joinable()) export_thread_.join();
}

void PageRecorder::poll() {
    const std::lock_guard lock(mutex_);
    replay_.poll();
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
    state.replaying = replay_.name();
    state.replay_length_s = replay_.length_s();
    state.replayed_s = replay_.played_s();
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
    const std::lock_guard lock(mutex_);
    return replay_.start(name, recording.value());
}

core::Result<std::string> PageRecorder::stop_replay() {
    const std::lock_guard lock(mutex_);
    return replay_.stop();
}

core::Result<std::string> PageRecorder::remove(std::string_view name) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    if (!name.empty() && storage::same_name(name, takes_.recording()))
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
