// The messages between Letoff and a motorised keyboard as plain values: PROTOCOL.md tells what each means, codec.h
// makes bytes of them. Values are in the units of the wire; the scales below lead to SI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/versions.h"

namespace letoff::hw {

inline constexpr std::uint8_t kInterfaceClass = 0xFF, kInterfaceSubClass = 0x4B;
inline constexpr std::uint8_t kInterfaceProtocol = core::kKeybedProtocolVersion;
inline constexpr std::uint8_t kEndpointIn = 0x81, kEndpointOut = 0x01;
inline constexpr std::uint8_t kRequestTypeIn = 0xC1, kRequestTypeOut = 0x41;

inline constexpr int kFewestKeys = 8, kMostKeys = 96, kMostSamples = 8, kMostDevices = 8;
inline constexpr int kMostFrame_ms = 2;            // of motion or force in one frame
inline constexpr std::uint8_t kStreamSetting = 1;  // the alternate setting with the endpoints
inline constexpr std::size_t kPaddedMultiple = 512, kPadBytes = 4;

// Units of the wire.
inline constexpr double kPositionUnit_m = 0.5e-6;
inline constexpr double kVelocityUnit_mps = 1e-4;
inline constexpr double kForceUnit_N = 2e-3;
inline constexpr double kTemperatureUnit_C = 0.1;
inline constexpr double kHallUnit_V = 1e-4;
inline constexpr double kCoilUnit_V = 50e-6;

/// Fixed by the protocol, section 7.
inline constexpr std::int64_t kWatchdogHold_us = 5'000, kWatchdogZero_us = 10'000;
inline constexpr std::int64_t kSoftStart_us = 200'000;

enum class Request : std::uint8_t { kIdentity = 1, kKeyRows, kStatus, kCommand, kSetKeyRow };
enum class DeviceState : std::uint8_t { kDisabled, kCalibrated, kArmed, kEnabled, kFault };
inline constexpr int kDeviceStates = 5;
enum class Op : std::uint8_t {
    kCalibrate = 1,
    kArm,
    kEnable,
    kDisarm,
    kDisable,
    kClearFault,
    kEmergencyStop,
    kStream,
};
enum class WriteRefusal : std::uint8_t {
    kNone,
    kBadLength,
    kBadCrc,
    kBadVersion,
    kUnknownOp,
    kFaultActive,
    kWrongState,
    kStaleToken,
    kNoFrames,
    kNotCalibrated,
    kBadArgument,
};
enum class KeyKind : std::uint8_t { kWoodenKey, kLightLever };

/// What is sensed, as bit numbers of `senses` and `fields`.
enum class Field : std::uint8_t { kPosition, kVelocity, kCurrent, kHallFront, kHallRear, kCoil, kTemperature };
inline constexpr int kSampledFields = 6;  // all but the temperature come with every sample
constexpr std::uint16_t bit(Field field) noexcept {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(field));
}
inline constexpr std::uint16_t kAllFields = 0x7F;
/// A device whose position the host can know.
constexpr bool senses_suffice(std::uint16_t senses) noexcept {
    constexpr std::uint16_t kHallPair = bit(Field::kHallFront) | bit(Field::kHallRear);
    return (senses & bit(Field::kPosition)) != 0 || (senses & kHallPair) == kHallPair;
}

struct Identity {
    std::uint8_t minor = 0;
    std::uint16_t firmware_major = 0, firmware_minor = 0;
    std::array<char, 17> serial{};  // ends in a zero
    std::array<char, 33> name{};
    std::int16_t first_key = 1;  // of the piano, A0 = 1
    std::uint8_t keys = 0;
    KeyKind kind = KeyKind::kWoodenKey;
    bool front_rail = false, back_rail = false;
    std::uint8_t rates = 0;  // bit n: 2^n kHz
    std::uint8_t max_samples = 1;
    bool self_calibrated = false, has_stop_switch = false;
    std::uint16_t senses = 0;
    std::uint16_t sense_delay_us = 0, act_delay_us = 0;
    std::uint32_t calibration_id = 0;

    std::string_view serial_text() const noexcept { return serial.data(); }
    std::string_view name_text() const noexcept { return name.data(); }
    bool has_rate(int rate_kHz) const noexcept {
        for (unsigned n = 0; n < 4; ++n) {
            if (rate_kHz == 1 << n) return (rates >> n & 1) != 0;
        }
        return false;
    }
    bool operator==(const Identity&) const = default;
};

struct KeyRow {
    std::uint16_t key = 0;
    std::uint16_t travel = 0;       // position units
    std::uint16_t moving_mass = 0;  // 10 mg
    std::uint16_t friction = 0;     // force units, as the four below
    std::uint16_t peak_force = 0;
    std::uint16_t peak_ms = 0;
    std::uint16_t second_force = 0;
    std::uint16_t continuous_force = 0;
    std::uint16_t slew = 0;  // force units a ms
    std::uint16_t current_limit_mA = 0;
    std::int16_t temperature_limit = 0;
    std::uint16_t energy_limit_mJ = 0;
    bool operator==(const KeyRow&) const = default;
};
inline constexpr std::uint16_t kAllKeys = 0xFFFF;
/// No device may promise more; section 5.
inline constexpr std::uint16_t kMostPeakForce = 30000, kMostPeak_ms = 20, kMostSecondForce = 7500;
inline constexpr std::uint16_t kMostContinuousForce = 2500, kMostSlew = 2500;
inline constexpr double kMostRawForce_N = 5;  // of a device that does not know its keys' positions; section 4

struct Command {
    Op op = Op::kDisable;
    std::uint32_t token = 0, a = 0, b = 0;
    bool operator==(const Command&) const = default;
};

struct Stream {
    std::uint8_t rate_kHz = 0, samples = 0;
    std::uint16_t fields = 0;
    bool operator==(const Stream&) const = default;
};
constexpr Command stream_command(const Stream& s) noexcept {
    return {Op::kStream, 0, s.samples | static_cast<std::uint32_t>(s.rate_kHz) << 8, s.fields};
}

struct Status {
    DeviceState state = DeviceState::kDisabled;
    std::uint32_t token = 0;
    std::uint64_t time_us = 0;
    std::uint8_t device_fault = 0, last_op = 0;
    WriteRefusal last_refusal = WriteRefusal::kNone;
    Stream stream;
    std::uint8_t keys_off = 0;
    std::uint32_t frames_valid = 0, frames_bad = 0, frames_stale = 0, frames_early = 0;
    std::uint32_t watchdog_trips = 0, force_sequence = 0, calibration_id = 0;
    bool operator==(const Status&) const = default;
};

struct MotionHeader {
    std::uint8_t keys = 0;
    DeviceState state = DeviceState::kDisabled;
    std::uint32_t sequence = 0, token = 0;
    std::uint64_t time_us = 0;
    Stream stream;
    std::uint8_t device_fault = 0;
    std::uint32_t force_sequence = 0;
    std::uint16_t frames_refused = 0;
    std::uint8_t last_refusal = 0, watchdog_trips = 0;
    bool operator==(const MotionHeader&) const = default;
};
inline constexpr std::uint8_t kKeyFaultMask = 0x3F, kKeyLimitedBit = 0x40;

struct ForceHeader {
    std::uint8_t keys = 0, samples = 0, rate_kHz = 0;
    bool emergency_stop = false;
    std::uint32_t sequence = 0, token = 0;
    std::uint64_t start_us = 0;
    std::uint32_t motion_sequence = 0;
    bool operator==(const ForceHeader&) const = default;
};

/// (new - last) mod 2^32 is 1 to 2^31 - 1.
constexpr bool is_newer(std::uint32_t sequence, std::uint32_t last) noexcept {
    const std::uint32_t ahead = sequence - last;
    return ahead != 0 && ahead < 0x80000000U;
}

}  // namespace letoff::hw
