// Standard MIDI Files built byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::test {

using Bytes = std::vector<std::uint8_t>;

inline const Bytes kEndOfTrack{0x00, 0xFF, 0x2F, 0x00};

inline Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline Bytes number(std::uint64_t value, int size) {
    Bytes bytes;
    for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    return bytes;
}

inline Bytes text(std::string_view letters) {
    return {letters.begin(), letters.end()};
}

inline Bytes header(int format, int tracks, int division, std::uint32_t length = 6) {
    return text("MThd") + number(length, 4) + number(static_cast<std::uint64_t>(format), 2) +
           number(static_cast<std::uint64_t>(tracks), 2) + number(static_cast<std::uint64_t>(division), 2);
}

inline Bytes track_claiming(std::uint32_t length, const Bytes& events) {
    return text("MTrk") + number(length, 4) + events;
}
inline Bytes track(const Bytes& events) {
    return track_claiming(static_cast<std::uint32_t>(events.size()), events);
}

/// One note 60, on at tick 0, off after `ticks` < 128.
inline Bytes one_note(std::uint8_t ticks) {
    return {0x00, 0x90, 60, 64, ticks, 60, 0};
}

}  // namespace letoff::test
