// Bytes of the keybed protocol (PROTOCOL.md) to values and back. Pure: no USB, no clock, no allocation, so all of it
// may be called on any thread. Decoding checks everything that the document says about a message before it gives out
// one value; encoding is for values that are within the document's limits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "hw/protocol/messages.h"

namespace letoff::hw {

/// CRC-32/ISO-HDLC, as in Ethernet and zlib.
std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept;

/// Why bytes were not taken; the first that applies.
enum class Refused : std::uint8_t { kNo, kLength, kMagic, kVersion, kCrc, kReserved, kKeys, kSamples, kRate, kValue };
inline constexpr int kRefusedKinds = 10;
std::string_view sentence(Refused refused) noexcept;
std::string_view sentence(WriteRefusal refusal) noexcept;

std::string_view name(DeviceState state) noexcept;
/// "dead sensor", "motor without current"; "fault without a name" for a number of a newer version.
std::string_view key_fault_name(std::uint8_t key_fault) noexcept;
std::string_view device_fault_name(std::uint8_t device_fault) noexcept;

// ---- control messages

inline constexpr std::size_t kIdentityBytes = 96, kStatusBytes = 64, kCommandBytes = 20, kSetKeyRowBytes = 32;
constexpr std::size_t key_rows_bytes(std::size_t keys) noexcept {
    return 8 + 24 * keys;
}

std::array<std::uint8_t, kIdentityBytes> encode(const Identity& identity) noexcept;
std::array<std::uint8_t, kStatusBytes> encode(const Status& status) noexcept;
std::array<std::uint8_t, kCommandBytes> encode(const Command& command) noexcept;
std::array<std::uint8_t, kSetKeyRowBytes> encode_set_key_row(const KeyRow& row) noexcept;
/// How many bytes were written; 0: `out` is shorter than key_rows_bytes(rows.size()).
std::size_t encode_key_rows(std::span<const KeyRow> rows, std::span<std::uint8_t> out) noexcept;

Refused decode(std::span<const std::uint8_t> bytes, Identity& identity) noexcept;
Refused decode(std::span<const std::uint8_t> bytes, Status& status) noexcept;
/// An op outside the table is given out as it is: who obeys commands refuses it.
Refused decode(std::span<const std::uint8_t> bytes, Command& command) noexcept;
Refused decode_set_key_row(std::span<const std::uint8_t> bytes, KeyRow& row) noexcept;
/// `rows` has as many as the device has keys.
Refused decode_key_rows(std::span<const std::uint8_t> bytes, std::span<KeyRow> rows) noexcept;

// ---- frames

constexpr std::size_t sampled_fields(std::uint16_t fields) noexcept {
    std::size_t n = 0;
    for (int i = 0; i < kSampledFields; ++i) n += fields >> i & 1U;
    return n;
}
constexpr std::size_t with_padding(std::size_t bytes) noexcept {
    return bytes % kPaddedMultiple == 0 ? bytes + kPadBytes : bytes;
}
inline constexpr std::size_t kMotionHeaderBytes = 36, kForceHeaderBytes = 32, kCrcBytes = 4;
constexpr std::size_t motion_frame_bytes(std::size_t keys, const Stream& stream) noexcept {
    const std::size_t temperature = (stream.fields & bit(Field::kTemperature)) != 0 ? 2 * keys : 0;
    return with_padding(kMotionHeaderBytes + 2 * keys * stream.samples * sampled_fields(stream.fields) + temperature +
                        keys + keys % 2 + kCrcBytes);
}
constexpr std::size_t force_frame_bytes(std::size_t keys, std::size_t samples) noexcept {
    return with_padding(kForceHeaderBytes + 2 * keys * samples + kCrcBytes);
}
inline constexpr std::size_t kMostMotionBytes = motion_frame_bytes(kMostKeys, {8, kMostSamples, kAllFields});
inline constexpr std::size_t kMostForceBytes = force_frame_bytes(kMostKeys, kMostSamples);
static_assert(kMostMotionBytes <= 9600 && kMostForceBytes <= 1584, "the document's buffers");
/// More than this a second does not fit the endpoint; the device refuses such a stream.
inline constexpr std::size_t kMostMotionBytesPerSecond = 7'000'000;
bool stream_fits(std::size_t keys, const Stream& stream) noexcept;

/// A MOTION frame in place: a view of bytes that decode() found right and that must stay while it is used.
class MotionView {
  public:
    MotionHeader header;

    bool has(Field field) const noexcept { return (header.stream.fields & bit(field)) != 0; }
    /// The 16 bits as they came; the field must be there, and be no temperature.
    std::uint16_t raw(int sample, Field field, int key) const noexcept;
    std::int16_t value(int sample, Field field, int key) const noexcept {
        return static_cast<std::int16_t>(raw(sample, field, key));
    }
    std::int16_t temperature(int key) const noexcept;
    std::uint8_t key_status(int key) const noexcept;

  private:
    friend Refused decode(std::span<const std::uint8_t> bytes, MotionView& view) noexcept;
    std::span<const std::uint8_t> bytes_;
};
Refused decode(std::span<const std::uint8_t> bytes, MotionView& view) noexcept;

/// A FORCE frame in place.
class ForceView {
  public:
    ForceHeader header;

    std::int16_t force(int sample, int key) const noexcept;

  private:
    friend Refused decode(std::span<const std::uint8_t> bytes, ForceView& view) noexcept;
    std::span<const std::uint8_t> bytes_;
};
Refused decode(std::span<const std::uint8_t> bytes, ForceView& view) noexcept;

/// values: samples x fields x keys as in the frame, temperatures: one a key or empty, key_status: one a key. How many
/// bytes were written; 0: a span has the wrong size or `out` is too short.
std::size_t encode_motion(const MotionHeader& header, std::span<const std::uint16_t> values,
                          std::span<const std::int16_t> temperatures, std::span<const std::uint8_t> key_status,
                          std::span<std::uint8_t> out) noexcept;
/// forces: samples x keys.
std::size_t encode_force(const ForceHeader& header, std::span<const std::int16_t> forces,
                         std::span<std::uint8_t> out) noexcept;

}  // namespace letoff::hw
