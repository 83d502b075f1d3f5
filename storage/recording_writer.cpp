#include "storage/recording_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "storage/recording_events.h"

namespace letoff::storage {
namespace {

using namespace std::chrono_literals;

constexpr auto kPop = 50ms;       // a ring of motorised keys, all moving, is full after five times as long
constexpr auto kEndComesIn = 1s;  // the keybed's thread ends a telling within a tick, if it runs
constexpr int kSegments = 4;      // into so many recordings what is captured is cut where it is long

bool is_played(core::TakeKind kind) {
    using core::TakeKind;
    return kind == TakeKind::message || kind == TakeKind::strike || kind == TakeKind::live_keys;
}

}  // namespace

RecordingWriter::RecordingWriter(RecordingStore store, const RecordingHead& head, core::TakeTap& tap,
                                 core::FaultCounters& faults, From from, std::int64_t captured_most_bytes)
    : store_(std::move(store)),
      head_(head),
      tap_(tap),
      faults_(faults),
      from_(from),
      captured_most_bytes_(captured_most_bytes),
      tap_lost_(static_cast<std::int64_t>(tap.lost())) {}

core::Result<std::unique_ptr<RecordingWriter>> RecordingWriter::start(RecordingStore store, const RecordingHead& head,
                                                                      core::TakeTap& tap, core::FaultCounters& faults,
                                                                      From from, std::int64_t captured_most_bytes) {
    auto writer = std::unique_ptr<RecordingWriter>(
        new RecordingWriter(std::move(store), head, tap, faults, from, captured_most_bytes));
    if (!head.captured) {
        const auto id = writer->store_.begin(head);
        if (!id) return core::Error{id.error()};
        writer->id_ = id.value();
    }
    writer->telling_ = tap.switch_on();
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
    std::optional<Clock::time_point> stop_by;
    for (;;) {
        std::uint64_t flushes = 0;
        bool asked = false;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, stop_by ? kPop / 10 : kPop,
                              [&] { return (stop_ && !stop_by) || flushes_done_ != flushes_asked_; });
            if (stop_ && !stop_by) stop_by = Clock::now() + kEndComesIn;
            flushes = flushes_asked_;
            asked = flushes != flushes_done_;
        }
        pop();
        const auto now = Clock::now();
        if (stop_by && (state_ != State::kTold || now > *stop_by)) break;
        if (asked || now >= next_write_) next_write_ = now + (write() ? Clock::duration(kEvery) : kTryAgain);
        const std::lock_guard lock(mutex_);
        flushes_done_ = flushes;
        changed_.notify_all();
    }
    (void)write();
}

void RecordingWriter::pop() {
    for (core::TakeEvent event; tap_.pop(event);) take(event);
}

void RecordingWriter::take(const core::TakeEvent& event) {
    if (event.kind == core::TakeKind::begin) {
        // Of a telling before this one: nothing in it is ours.
        if (static_cast<std::uint32_t>(event.value) != telling_) return;
        if (state_ == State::kEnded) {  // one recording is long enough, here begins the next
            (void)write();
            (void)end();
            waiting_.clear();
        }
        state_ = State::kTold;
        played_ = next_asked_ = false;
        begin_s_ = event.time_s;
    }
    if (state_ != State::kTold) return;
    if (from_ == From::kFirstPlayed && !played_ && event.kind == core::TakeKind::gap) return;
    if (!played_ && is_played(event.kind)) {
        played_ = true;
        if (from_ == From::kFirstPlayed) begin_s_ = std::max(*begin_s_, event.time_s - kLead_s);
    }
    if (event.kind == core::TakeKind::end) state_ = State::kEnded;
    if (waiting_.size() < kMostWaiting) {
        waiting_.push_back(event);
    } else {
        ++lost_;
        faults_.raise(core::Fault::kStorageQueueFull);
    }
}

Done RecordingWriter::begin_captured() {
    head_.begin_s = *begin_s_;
    const auto id = store_.begin(head_);
    if (!id) return core::Error{id.error()};
    id_ = id.value();
    bytes_ = 0;
    return store_.bound_captured(captured_most_bytes_ - captured_most_bytes_ / kSegments, *id_);
}

bool RecordingWriter::write_touches() {
    {
        const std::lock_guard lock(mutex_);
        for (RecordedTouch& touch : touches_) new_touches_.push_back(std::move(touch));
        touches_.clear();
    }
    while (id_ && !new_touches_.empty()) {
        if (auto done = store_.add_touch(*id_, new_touches_.front()); !done) {
            note_failure(done.error());
            return false;
        }
        head_.profile_json = new_touches_.front().profile_json;  // what a next recording begins with
        new_touches_.erase(new_touches_.begin());
    }
    return true;
}

/// False: something could not be written.
bool RecordingWriter::write() {
    const auto failed = [&](const std::string& sentence) {
        note_failure(sentence);
        return false;
    };
    if (!id_ && !played_) return write_touches();
    if (!id_) {
        if (auto done = begin_captured(); !done) return failed(done.error());
    } else if (begin_s_ && *begin_s_ != head_.begin_s) {
        if (auto done = store_.begins_at(*id_, *begin_s_); !done) return failed(done.error());
        head_.begin_s = *begin_s_;
    }
    if (!write_touches()) return false;
    if (auto done = store_.append(*id_, waiting_); !done) return failed(done.error());
    bytes_ += static_cast<std::int64_t>(packed_take(waiting_).size());
    waiting_.clear();
    if (head_.captured && state_ == State::kTold && !next_asked_ && bytes_ > captured_most_bytes_ / kSegments) {
        next_asked_ = true;
        telling_ = tap_.switch_on();
    }
    return true;
}

Done RecordingWriter::end() {
    if (!id_) return std::monostate{};
    const auto in_tap = static_cast<std::int64_t>(tap_.lost());
    const auto lost = lost_ + in_tap - tap_lost_ + static_cast<std::int64_t>(waiting_.size());
    lost_ = 0;
    tap_lost_ = in_tap;
    auto done = store_.end(*id_, lost);
    id_.reset();
    if (!done) return done;
    if (!waiting_.empty()) return core::Error{fmt::format("{} events were not kept: {}", waiting_.size(), failure_)};
    if (lost > 0) return core::Error{fmt::format("{} events of the recording were lost", lost)};
    return std::monostate{};
}

Done RecordingWriter::stop() {
    if (!thread_.joinable()) return std::monostate{};
    tap_.switch_off();
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    thread_.join();
    if (!id_ && played_) return core::Error{fmt::format("{} events were not kept: {}", waiting_.size(), failure_)};
    return end();
}

}  // namespace letoff::storage
