// Sound, MIDI and motorised keys, as the settings page has them: what there is, how it is, why a thing cannot be used,
// and another one chosen while the instrument plays. Beside core/port/instrument_control.h, whose thread rules hold:
// every call may wait and comes on one work thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace letoff::core {

enum class DeviceKind : std::uint8_t { kSound, kMidiIn, kMidiOut };

struct DeviceEntry {
    DeviceKind kind = DeviceKind::kSound;
    std::string choice;   // what use() takes for it
    std::string name;     // for people
    std::string says;     // what is known of it
    std::string why_not;  // a sentence; "" where it can be used
    bool used = false;
};

/// A motorised keyboard that is plugged in, or simulated.
struct MotorKeyboard {
    std::string serial;
    std::string state;       // what it does now, in words
    std::string why;         // it fell, or is refused: a sentence; else ""
    std::string calibrated;  // what is kept of its sensors and motors, in words
    bool fallen = false;
    int first_key = 0, keys = 0;
    std::vector<std::string> keys_out, drifting;  // by name: taken out; whose sensor wanders
    double round_trip_ms = 0, clock_ppm = 0;      // 0: not known yet
    std::int64_t frames = 0, missing = 0, corrupt = 0, late = 0, falls = 0;
    double warmest_C = 0;
};

struct DeviceState {
    std::vector<DeviceEntry> entries;
    std::string sound, midi_in, midi_out;  // what was chosen, as use() takes it; "" where that cannot be said so
    std::vector<MotorKeyboard> motors;
    std::string motors_say;  // where there are none: why, and what to do
};

class DeviceControl {
  public:
    virtual ~DeviceControl() = default;

    virtual Result<DeviceState> devices() = 0;
    /// The instrument plays on; where the new one cannot be had the old one is taken again and the error says so.
    virtual Result<std::string> use(DeviceKind kind, std::string_view choice) = 0;
    /// Motors that fell may push again: somebody has looked.
    virtual Result<std::string> rearm() = 0;
};

}  // namespace letoff::core
