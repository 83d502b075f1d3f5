// Little-endian numbers in a span, and what every message shares: its magic, its version and its CRC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw/protocol/codec.h"

namespace letoff::hw::wire {

using Bytes = std::span<const std::uint8_t>;
using Out = std::span<std::uint8_t>;

inline std::uint16_t u16(Bytes b, std::size_t at) noexcept {
    return static_cast<std::uint16_t>(b[at] | b[at + 1] << 8);
}
inline std::int16_t i16(Bytes b, std::size_t at) noexcept {
    return static_cast<std::int16_t>(u16(b, at));
}
inline std::uint32_t u32(Bytes b, std::size_t at) noexcept {
    return u16(b, at) | static_cast<std::uint32_t>(u16(b, at + 2)) << 16;
}
inline void put16(Out b, std::size_t at, std::uint16_t v) noexcept {
    b[at] = static_cast<std::uint8_t>(v & 0xFF);
    b[at + 1] = static_cast<std::uint8_t>(v >> 8);
}
inline void put16(Out b, std::size_t at, std::int16_t v) noexcept {
    put16(b, at, static_cast<std::uint16_t>(v));
}
inline void put32(Out b, std::size_t at, std::uint32_t v) noexcept {
    put16(b, at, static_cast<std::uint16_t>(v & 0xFFFF));
    put16(b, at + 2, static_cast<std::uint16_t>(v >> 16));
}

// A message's fields with their offsets are written down once, as a template that is given one of these and the value:
// Put writes each field, Take reads it. Numbers and enumerations of any size.
class Put {
  public:
    explicit Put(Out b) noexcept : b_(b) {}
    template <typename T>
    void operator()(std::size_t at, const T& field) const noexcept {
        const auto bits = static_cast<std::uint64_t>(field);
        for (std::size_t i = 0; i < sizeof(T); ++i) b_[at + i] = static_cast<std::uint8_t>(bits >> 8 * i);
    }

  private:
    Out b_;
};
class Take {
  public:
    explicit Take(Bytes b) noexcept : b_(b) {}
    template <typename T>
    void operator()(std::size_t at, T& field) const noexcept {
        std::uint64_t bits = 0;
        for (std::size_t i = sizeof(T); i-- > 0;) bits = bits << 8 | b_[at + i];
        field = static_cast<T>(bits);
    }

  private:
    Bytes b_;
};

/// 'L', the kind of the message, the version.
inline void put_start(Out b, char kind) noexcept {
    b[0] = 'L';
    b[1] = static_cast<std::uint8_t>(kind);
    b[2] = static_cast<std::uint8_t>(core::kKeybedProtocolVersion);
}
inline void put_crc(Out whole) noexcept {
    put32(whole, whole.size() - kCrcBytes, crc32(whole.first(whole.size() - kCrcBytes)));
}
/// The length is right already.
inline Refused check(Bytes whole, char kind) noexcept {
    if (whole[0] != 'L' || whole[1] != static_cast<std::uint8_t>(kind)) return Refused::kMagic;
    if (whole[2] != core::kKeybedProtocolVersion) return Refused::kVersion;
    const std::size_t covered = whole.size() - kCrcBytes;
    return crc32(whole.first(covered)) == u32(whole, covered) ? Refused::kNo : Refused::kCrc;
}

}  // namespace letoff::hw::wire
