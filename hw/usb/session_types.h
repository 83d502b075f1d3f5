// What goes into a session with one device and what is counted of it (hw/usb/device_session.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "hw/protocol/codec.h"

namespace letoff::hw {

struct SessionOptions {
    std::uint8_t rate_kHz = 4;
    std::uint8_t samples = 1;               // a frame; fewer frames for a computer that cannot take 4000 a second
    std::optional<KeyRow> lower_limits;     // key = kAllKeys
    std::uint32_t host_calibration_id = 0;  // of a device that senses raw voltages only
};

/// How often each thing happened since the session began.
struct LinkCounts {
    std::uint64_t frames = 0;  // good ones
    std::uint64_t missing = 0, repeated = 0, reordered = 0;
    std::uint64_t late = 0;                              // came more than 2 ms after they were ready
    std::uint64_t wrong = 0;                             // good, but of another stream or number of keys, or too early
    std::array<std::uint64_t, kRefusedKinds> refused{};  // by Refused: kCrc corrupt, kLength short
    std::uint64_t forces = 0, zeroed = 0;                // force frames; of them faded to zero by age
    std::uint64_t limited = 0;                           // key-samples that core::ForceLimits cut
    std::uint64_t falls = 0;
    std::uint64_t corrupt() const noexcept {
        std::uint64_t sum = wrong;
        for (const std::uint64_t n : refused) sum += n;
        return sum;
    }
};

struct ControlRequest {
    Request request = Request::kIdentity;
    bool in = true;
    std::uint16_t length = 0;                          // to read, or of `data`
    std::array<std::uint8_t, kSetKeyRowBytes> data{};  // what is written
    std::span<const std::uint8_t> out() const noexcept { return std::span(data).first(in ? 0 : length); }
};
enum class Reply { kDone, kStalled };

}  // namespace letoff::hw
