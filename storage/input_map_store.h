// What was learnt of foreign keyboards (core/midi/input_map.h), by the names of their ports, in the database of
// recordings (recording_schema.h); and the JSON it is kept as:
//
//   {"format": "letoff-keyboard", "version": 1, "channels": "omni"|"one"|"split", "channel": 1, "upper_channel": 2,
//    "split_note": 60, "black_offset": 0, "sustain": [0, 127], "sostenuto": [0, 127], "soft": [0, 127],
//    "sustain_controller": 64, "fine_velocity": true, "curve": [1, ..., 127]}
//
// The curve is 127 numbers, of velocities 1 to 127, and may be missing.
// Channels count from 1. All or nothing: what cannot be is refused with a sentence. ALSA writes the numbers of client
// and port behind a name, and those shift: they are left out of the name it is kept under.
//
// One object is used by one thread at a time; several processes may share the file. All calls may block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/midi/input_map.h"
#include "core/result.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

class RecordingDatabase;

std::string input_map_json(const core::InputMap& map);
/// `where` begins the sentence.
core::Result<core::InputMap> parse_input_map(std::string_view text, std::string_view where);

/// "Keystation:Keystation MIDI 1 20:0" is "Keystation:Keystation MIDI 1".
std::string_view lasting_port_name(std::string_view name);

struct KnownKeyboard {
    std::string name;
    std::int64_t saved_unix_s = 0;
    core::InputMap map;
};

class InputMapStore {
  public:
    static core::Result<InputMapStore> open(const std::string& file, std::function<std::int64_t()> now_unix_s = {});
    ~InputMapStore();
    InputMapStore(InputMapStore&&) noexcept;
    InputMapStore& operator=(InputMapStore&&) noexcept;

    core::Result<std::vector<KnownKeyboard>> list();
    core::Result<std::optional<core::InputMap>> find(std::string_view port_name);
    Done save(std::string_view port_name, const core::InputMap& map);
    /// An unknown name says which there are.
    Done remove(std::string_view port_name);

  private:
    explicit InputMapStore(std::unique_ptr<RecordingDatabase> database);
    std::unique_ptr<RecordingDatabase> database_;
};

}  // namespace letoff::storage
