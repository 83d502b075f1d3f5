// Recordings of live play, in SQLite (tables: recording_schema.h): what was played, by tick, with the touch profile,
// its revision and the build it was played with.
//
// Events are kept in chunks as they come; a chunk is on the disk when append() returns (write-ahead log, synchronous
// full), so a program that is killed loses what it had not yet appended. A chunk whose check sum is wrong ends its
// recording there, with a warning. Names are unique, upper and lower case alike; a captured recording whose name is
// taken gets a number behind it.
//
// One object is used by one thread at a time; several processes may share the file. All calls may block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/event/take_event.h"
#include "core/result.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

class RecordingDatabase;

/// How and on what it was played.
struct RecordingHead {
    std::string name;
    std::string build;  // of the program; replay is to the bit with the same one
    std::string profile_name;
    int profile_revision = 0;       // 0: a factory profile
    std::string profile_json;       // its content, so that it can be replayed when the profile is gone
    std::vector<double> strings{};  // tuning and voicing as the instrument had them, in the order of this build's rows
    int tick_hz = 4000;
    double begin_s = 0;               // the keybed's clock as the recording began
    bool captured = false;            // nobody asked for it: it goes when the bound is reached
    std::int64_t created_unix_s = 0;  // filled in by begin()
};

struct RecordingInfo {
    std::int64_t id = 0;
    std::string name, build, profile_name;
    int profile_revision = 0, tick_hz = 0;
    std::int64_t created_unix_s = 0;
    double length_s = 0;
    std::int64_t events = 0, strikes = 0, lost = 0;
    bool ended = false;  // false: it is still going on, or the program was killed
    bool captured = false;
};

/// A touch that the instrument turned into while it was played.
struct RecordedTouch {
    std::uint64_t version = 0;
    std::string profile_json;
};

struct Recording {
    RecordingHead head;
    std::vector<core::TakeEvent> events;  // as they came
    std::vector<RecordedTouch> touches;   // by version
    std::int64_t lost = 0;                // events that could not be kept: then a replay differs
    std::vector<std::string> warnings;

    /// To its last event.
    double length_s() const {
        return events.empty() ? 0 : static_cast<double>(events.back().tick) / head.tick_hz - head.begin_s;
    }
};

class RecordingStore {
  public:
    /// `file` is a path whose folder exists, or ":memory:". now_unix_s: empty is the system's clock.
    static core::Result<RecordingStore> open(const std::string& file, std::function<std::int64_t()> now_unix_s = {});

    ~RecordingStore();
    RecordingStore(RecordingStore&&) noexcept;
    RecordingStore& operator=(RecordingStore&&) noexcept;

    /// Refuses a name that is taken. The number of the new recording.
    core::Result<std::int64_t> begin(const RecordingHead& head);
    Done append(std::int64_t id, std::span<const core::TakeEvent> events);
    Done add_touch(std::int64_t id, const RecordedTouch& touch);
    Done end(std::int64_t id, std::int64_t lost);
    /// It begins later than begin() was told: RecordingHead::begin_s.
    Done begins_at(std::int64_t id, double begin_s);
    /// Deletes the oldest captured recordings until what is left of them has at most so many bytes; `keep` stays.
    Done bound_captured(std::int64_t most_bytes, std::int64_t keep);

    core::Result<std::vector<RecordingInfo>> list();
    /// An unknown name says which there are.
    core::Result<Recording> load(std::string_view name);
    Done remove(std::string_view name);
    /// Gives it another name, and no bound holds for it any more. Refuses a name that is taken.
    Done keep(std::string_view name, const std::string& new_name);

  private:
    explicit RecordingStore(std::unique_ptr<RecordingDatabase> database);
    core::Result<std::int64_t> id_of(std::string_view name);
    bool is_taken(const std::string& name);

    std::unique_ptr<RecordingDatabase> database_;
};

}  // namespace letoff::storage
