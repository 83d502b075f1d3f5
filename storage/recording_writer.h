// Keeps what is played while it is played: empties the ring that the keybed's thread fills, a few times a second, on a
// thread of its own, into one recording. A program that is killed loses what was played in the last kEvery.
//
// A chunk that cannot be written is tried again with the next one; what no longer fits into kMostWaiting is lost and
// counted, and the recording says so.
//
// Threads: everything on the control thread; the tap is the keybed's. Errors: Fault::kStorageWriteFailed,
// kStorageQueueFull.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/event/take_tap.h"
#include "core/fault/fault.h"
#include "core/result.h"
#include "storage/recording_store.h"

namespace letoff::storage {

class RecordingWriter {
  public:
    static constexpr auto kEvery = std::chrono::milliseconds(250);
    static constexpr std::size_t kMostWaiting = 1 << 20;  // events, 50 MB

    /// Begins the recording; `faults` must outlive it. Error: a sentence.
    static core::Result<std::unique_ptr<RecordingWriter>> start(RecordingStore store, const RecordingHead& head,
                                                                core::FaultCounters& faults);
    /// As stop().
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    core::TakeTap& tap() { return tap_; }
    /// The profile of a touch that the keys may turn into from now on; before it is given to them.
    void add_touch(std::uint64_t version, const std::string& profile_json);
    /// Waits until the ring is empty: for play that is faster than time.
    void flush();
    /// A failure that was not told yet; "" if there is none.
    std::string take_sentence();
    /// Writes what is left; nothing may be pushed any more. The error says what was lost.
    Done stop();

  private:
    RecordingWriter(RecordingStore store, std::int64_t id, core::FaultCounters& faults)
        : store_(std::move(store)), id_(id), faults_(faults), tap_(faults) {}
    void run();
    void drain();
    void note_failure(const std::string& sentence);

    RecordingStore store_;
    const std::int64_t id_;
    core::FaultCounters& faults_;
    core::TakeTap tap_;
    std::vector<core::TakeEvent> waiting_;  // the thread's
    std::int64_t lost_ = 0;

    std::mutex mutex_;  // what follows
    std::condition_variable changed_;
    std::vector<RecordedTouch> touches_;
    std::string failure_;
    bool failure_told_ = false, stop_ = false;
    std::uint64_t flushes_asked_ = 0, flushes_done_ = 0;
    std::thread thread_;
};

}  // namespace letoff::storage
