// Recording, as the settings page has it: what is kept, what is being recorded, played again or written as a file.
// Beside core/port/instrument_control.h, whose thread rules hold: every call may wait and comes on one work thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace letoff::core {

struct RecordingEntry {
    std::string name, profile;
    int profile_revision = 0;  // 0: a factory profile
    std::int64_t created_unix_s = 0;
    double length_s = 0;
    std::int64_t strikes = 0, lost = 0;
    bool ended = false;  // false: it goes on, or the program was killed
};

struct RecorderState {
    std::vector<RecordingEntry> recordings;  // oldest first
    std::vector<RecordingEntry> captured;    // likewise, what nobody asked for
    std::string recording;                   // the name; "": nothing is being recorded
    double recorded_s = 0;                   // since it began
    std::string replaying;                   // likewise
    double replayed_s = 0, replay_length_s = 0;
    std::string exporting;    // likewise
    double export_share = 0;  // 0 .. 1
    std::string export_file;  // a file that is ready to be read; "": none
    std::int64_t export_bytes = 0;
    std::string export_error;  // why the last one failed
};

enum class ExportForm : std::uint8_t { kMidi88, kMidiXp, kMidi7, kHammers, kWav, kFlac };

class RecorderControl {
  public:
    virtual ~RecorderControl() = default;

    virtual Result<RecorderState> state() = 0;
    /// From now on; time 0 is a quarter of a second before what is played first. A sentence.
    virtual Result<std::string> start(std::string_view name) = 0;
    virtual Result<std::string> stop() = 0;
    /// What came in then comes in again: through the mechanics with the touch that plays now.
    virtual Result<std::string> replay(std::string_view name) = 0;
    virtual Result<std::string> stop_replay() = 0;
    virtual Result<std::string> remove(std::string_view name) = 0;
    /// What was captured gets a name of its own and stays.
    virtual Result<std::string> keep(std::string_view captured, std::string_view new_name) = 0;
    /// One at a time, in the background; it replaces the file of the one before.
    virtual Result<std::string> begin_export(std::string_view name, ExportForm form) = 0;
    /// Bytes of the file that is ready, at most `most`; none beyond its end.
    virtual Result<std::string> export_part(std::int64_t offset, std::size_t most) = 0;
};

}  // namespace letoff::core
