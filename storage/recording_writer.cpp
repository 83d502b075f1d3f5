#include "storage/recording_writer.h"

#include <fmt/format.h>

#include <utility>

namespace letoff::storage {

core::Result<std::unique_ptr<RecordingWriter>> RecordingWriter::start(RecordingStore store, const RecordingHead& head,
                                                                      core::FaultCounters& faults) {
    const auto id = store.begin(head);
    if (!id) return core::Error{id.error()};
    auto writer = std::unique_ptr<RecordingWriter>(new RecordingWriter(std::move(store), id.value(), faults));
    writer->thread_ = std::thread([self = writer.get()] { self->run(); });
    return writer;
}

RecordingWriter::~RecordingWriter() {
    (void)stop();
}

void RecordingWriter::add_touch(std::uint64_t version, const std::string& profile_json) {
    const std::lock_guard lock(mutex_);
    touches_.push_back({version, profile_json});
}

void RecordingWriter::flush() {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = ++flushes_asked_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return flushes_done_ >= mine || stop_; });
}

std::string RecordingWriter::take_sentence() {
    const std::lock_guard lock(mutex_);
    if (failure_.empty() || std::exchange(failure_told_, true)) return {};
    return failure_;
}

void RecordingWriter::note_failure(const std::string& sentence) {
    faults_.raise(core::Fault::kStorageWriteFailed);
    const std::lock_guard lock(mutex_);
    failure_ = sentence;
}

void RecordingWriter::run() {
    for (bool stop = false; !stop;) {
        std::uint64_t flushes = 0;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, kEvery, [&] { return stop_ || flushes_done_ != flushes_asked_; });
            stop = stop_;
            flushes = flushes_asked_;
        }
        drain();
        const std::lock_guard lock(mutex_);
        flushes_done_ = flushes;
        changed_.notify_all();
    }
}

void RecordingWriter::drain() {
    std::vector<RecordedTouch> touches;
    {
        const std::lock_guard lock(mutex_);
        touches = std::exchange(touches_, {});
    }
    for (const RecordedTouch& touch : touches) {
        if (auto done = store_.add_touch(id_, touch); !done) note_failure(done.error());
    }
    core::TakeEvent event;
    while (tap_.pop(event)) {
        if (waiting_.size() < kMostWaiting) {
            waiting_.push_back(event);
        } else {
            ++lost_;
            faults_.raise(core::Fault::kStorageQueueFull);
        }
    }
    if (auto done = store_.append(id_, waiting_); done) {
        waiting_.clear();
    } else {
        note_failure(done.error());
    }
}

Done RecordingWriter::stop() {
    if (!thread_.joinable()) return std::monostate{};
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    thread_.join();
    const auto lost = lost_ + static_cast<std::int64_t>(tap_.lost()) + static_cast<std::int64_t>(waiting_.size());
    if (auto done = store_.end(id_, lost); !done) return done;
    if (!waiting_.empty()) return core::Error{fmt::format("{} events were not kept: {}", waiting_.size(), failure_)};
    if (lost > 0) return core::Error{fmt::format("{} events of the recording were lost", lost)};
    return std::monostate{};
}

}  // namespace letoff::storage
