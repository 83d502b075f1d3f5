// The bytes of the keybed protocol as a device writes and reads them (hw/protocol/PROTOCOL.md, section numbers below).
// Written from that document alone and sharing nothing with the host's codec, so that the two check each other.
// Everything is little endian and in the document's units; the structures hold what the document's tables name.
// Readers take any bytes at all and say what is wrong with them. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace letoff::hw::firmware {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

inline constexpr std::uint8_t kMajor = 1, kMinor = 0;
inline constexpr int kLeastKeys = 8, kMostKeys = 96, kMostSamples = 8, kMostFrame_ms = 2;
inline constexpr std::uint16_t kMostRawForce = 2500;  // of a device without position, section 4
inline constexpr std::size_t kCommandBytes = 20, kSetKeyRowBytes = 32, kForceBuffer = 1584;

/// CRC-32/ISO-HDLC (section 8); of "123456789" it is 0xCBF43926.
std::uint32_t crc32(ByteSpan bytes) noexcept;

enum class DeviceState : std::uint8_t { disabled, calibrated, armed, enabled, fault };  // section 6
enum class Request : std::uint8_t {                                                     // section 3
    get_identity = 1,
    get_key_rows,
    get_status,
    command,
    set_key_row
};
enum class Op : std::uint8_t {  // section 6.1
    none,
    calibrate,
    arm,
    enable,
    disarm,
    disable,
    clear_fault,
    emergency_stop,
    stream
};
enum class Refusal : std::uint8_t {  // section 6.2
    none,
    bad_length,
    bad_crc,
    bad_version,
    unknown_op,
    fault_active,
    wrong_state,
    stale_token,
    no_frames,
    not_calibrated,
    bad_argument
};
enum class KeyFault : std::uint8_t {  // section 9
    none,
    over_temperature,
    over_current,
    over_energy,
    sensor_dead,
    sensor_stuck,
    motor_open,
    motor_short,
    amplifier,
    over_speed,
    out_of_travel
};
enum class DeviceFault : std::uint8_t {
    none,
    emergency_stop,
    supply_low,
    supply_high,
    over_temperature,
    internal,
    calibration_lost,
    too_many_keys
};

// Bits of `senses` and of a stream's `fields` (section 4), of `flags` (section 4), and of a FORCE frame's flags (8.2).
inline constexpr unsigned kPosition = 1, kVelocity = 2, kCurrent = 4, kHallFront = 8, kHallRear = 16, kCoil = 32,
                          kTemperature = 64, kAllSenses = 127;
inline constexpr std::uint8_t kSelfCalibrated = 1, kHasSwitch = 2, kStopBit = 1;
inline constexpr std::uint8_t kLimitedBit = 0x40;  // of key_status

struct Identity {  // section 4
    std::uint16_t firmware_major = 1, firmware_minor = 0;
    std::string serial, name;
    std::int16_t first_key = 1;
    std::uint8_t keys = kLeastKeys, kind = 0, stops = 0, rates = 1, max_samples = 1, flags = 0;
    std::uint16_t senses = kPosition, sense_delay_us = 0, act_delay_us = 0;
    std::uint32_t calibration_id = 0;
};

struct KeyRow {  // section 5
    std::uint16_t key = 0, travel = 0, moving_mass = 0, friction = 0;
    std::uint16_t peak_force = 0, peak_ms = 0, second_force = 0, continuous_force = 0, slew = 0, current_limit = 0;
    std::int16_t temperature_limit = 0;
    std::uint16_t energy_limit = 0;
    bool operator==(const KeyRow&) const = default;
};

struct Status {  // section 6.3
    DeviceState state = DeviceState::disabled;
    std::uint32_t token = 0;
    std::uint64_t time_us = 0;
    DeviceFault device_fault = DeviceFault::none;
    std::uint8_t last_op = 0;
    Refusal last_refusal = Refusal::none;
    std::uint8_t rate_kHz = 0, samples = 0, keys_off = 0;
    std::uint16_t fields = 0;
    std::uint32_t frames_valid = 0, frames_bad = 0, frames_stale = 0, frames_early = 0, watchdog_trips = 0;
    std::uint32_t force_sequence = 0, calibration_id = 0;
};

struct Motion {  // section 8.1
    std::uint8_t samples = 1;
    DeviceState state = DeviceState::disabled;
    std::uint32_t sequence = 0, token = 0;
    std::uint64_t time_us = 0;
    std::uint16_t fields = kPosition;
    std::uint8_t rate_kHz = 1;
    DeviceFault device_fault = DeviceFault::none;
    std::uint32_t force_sequence = 0, frames_refused = 0;
    Refusal last_refusal = Refusal::none;
    std::uint32_t watchdog_trips = 0;
    std::vector<std::uint16_t> values;       // as sent: sample by sample, field by field, key by key
    std::vector<std::int16_t> temperatures;  // one a key, sent if asked for
    std::vector<std::uint8_t> key_status;    // one a key: its number is K
};

struct Command {  // section 6.1
    Op op = Op::none;
    std::uint32_t token = 0, a = 0, b = 0;
};

struct Force {  // section 8.2
    std::uint8_t samples = 0, flags = 0, rate_kHz = 1;
    std::uint32_t sequence = 0, token = 0, motion_sequence = 0;
    std::uint64_t start_us = 0;
    std::array<std::int16_t, static_cast<std::size_t>(kMostKeys* kMostSamples)>
        force{};  // sample by sample, key by key
};

Bytes encode(const Identity& identity);
Bytes encode(std::span<const KeyRow> rows);
Bytes encode(const Status& status);
Bytes encode(const Motion& motion);
/// Length of a MOTION frame with padding and CRC.
std::size_t motion_bytes(std::size_t keys, std::size_t samples, unsigned fields) noexcept;
std::size_t force_bytes(std::size_t keys, std::size_t samples) noexcept;

/// The first cause of section 6.2 that the bytes alone show; only with Refusal::none is the result to be used.
Refusal read_command(ByteSpan bytes, Command& command) noexcept;
Refusal read_set_key_row(ByteSpan bytes, KeyRow& row) noexcept;

/// Whether a frame passes (a) of section 8.2, but for its start time, which only a clock can judge.
bool read_force(ByteSpan bytes, int keys, int most_samples, Force& force) noexcept;

/// What a device's hello says (section 2): device, then configuration with both settings of the interface and the
/// endpoints.
Bytes device_descriptor();
Bytes configuration_descriptor(std::uint16_t max_packet);
/// String descriptor of USB: UTF-16 of ASCII text; others become '?'.
Bytes string_descriptor(const std::string& text);

}  // namespace letoff::hw::firmware
