// Keeps what is played while it is played: empties the ring that the keybed's thread fills, on a thread of its own,
// into the recordings' database. A program that is killed loses what was played in the last kEvery.
//
// The tap (core/event/take_tap.h) is switched on for as long as it is kept; what it tells from its `begin` to its `end`
// is the recording. A captured one (RecordingHead::captured) is made only when something is played; it is ended and
// another one begun where it has grown to a quarter of kCapturedMost_bytes, and the oldest captured ones are deleted so
// that all together have no more than that: some two hundred hours of dense playing by MIDI, three quarters of an hour
// of playing on motorised keys.
//
// A chunk that cannot be written is tried again kTryAgain later; what no longer fits into kMostWaiting is lost and
// counted, and the recording says so.
//
// Threads: everything on the control thread, add_touch() on any; the tap is the keybed's. Errors:
// Fault::kStorageWriteFailed, kStorageQueueFull.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
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
    static constexpr auto kTryAgain = std::chrono::seconds(5);
    static constexpr std::size_t kMostWaiting = 1 << 20;  // events, 50 MB
    static constexpr std::int64_t kCapturedMost_bytes = 512 << 20;
    static constexpr double kLead_s = 0.25;  // before the first that is played, with From::kFirstPlayed

    /// Where the recording's time 0 is.
    enum class From { kNow, kFirstPlayed };

    /// Begins the recording and switches the tap on; `tap` and `faults` must outlive it. Error: a sentence.
    static core::Result<std::unique_ptr<RecordingWriter>> start(RecordingStore store, const RecordingHead& head,
                                                                core::TakeTap& tap, core::FaultCounters& faults,
                                                                From from = From::kNow,
                                                                std::int64_t captured_most_bytes = kCapturedMost_bytes);
    /// As stop().
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    /// The profile of a touch that the keys may turn into from now on; before it is given to them.
    void add_touch(std::uint64_t version, const std::string& profile_json);
    /// Waits until the ring is empty: for play that is faster than time.
    void flush();
    /// A failure that was not told yet; "" if there is none.
    std::string take_sentence();
    /// Switches the tap off and writes what is left. The error says what was lost.
    Done stop();

  private:
    RecordingWriter(RecordingStore store, const RecordingHead& head, core::TakeTap& tap, core::FaultCounters& faults,
                    From from, std::int64_t captured_most_bytes);
    void run();
    void pop();
    void take(const core::TakeEvent& event);
    bool write();
    bool write_touches();
    Done begin_captured();
    Done end();
    void note_failure(const std::string& sentence);

    enum class State { kAwaited, kTold, kEnded };  // of the telling: its begin has not come yet, and so on
    using Clock = std::chrono::steady_clock;

    // The thread's, and of whoever has joined it.
    RecordingStore store_;
    RecordingHead head_;
    core::TakeTap& tap_;
    core::FaultCounters& faults_;
    const From from_;
    const std::int64_t captured_most_bytes_;
    std::optional<std::int64_t> id_;
    State state_ = State::kAwaited;
    std::uint32_t telling_ = 0;
    bool played_ = false;                     // something was
    bool next_asked_ = false;                 // this telling ends, another begins
    std::optional<double> begin_s_;           // still to be kept
    std::vector<core::TakeEvent> waiting_;    // of this recording
    std::vector<RecordedTouch> new_touches_;  // likewise
    std::int64_t bytes_ = 0;                  // that it has
    std::int64_t lost_ = 0, tap_lost_ = 0;    // tap_lost_: of earlier tellings
    Clock::time_point next_write_{};

    std::mutex mutex_;  // what follows
    std::condition_variable changed_;
    std::vector<RecordedTouch> touches_;
    std::string failure_;
    bool failure_told_ = false, stop_ = false;
    std::uint64_t flushes_asked_ = 0, flushes_done_ = 0;
    std::thread thread_;
};

}  // namespace letoff::storage
