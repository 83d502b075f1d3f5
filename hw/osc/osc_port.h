// The number of a UDP port as it is written. Internal to hw/osc.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace letoff::hw {

/// 0 to 65535.
inline std::optional<std::uint16_t> osc_port(std::string_view digits) {
    std::uint16_t port = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, port);
    return error == std::errc() && end == last ? std::optional(port) : std::nullopt;
}

}  // namespace letoff::hw
