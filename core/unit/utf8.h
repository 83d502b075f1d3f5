// UTF-8 that may be shown (RFC 3629: no surrogates, no overlong forms, up to U+10FFFF; no control characters, so that
// nothing moves a terminal's cursor).
//
// Threads: any; real-time safe.
#pragma once

#include <cstddef>
#include <string_view>

namespace letoff::core {

/// Bytes of the whole character that `text` begins with; 0: it begins with none that may be shown.
constexpr std::size_t shown_utf8_bytes(std::string_view text) noexcept {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return lead < 0x20 || lead == 0x7F ? 0 : 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return 0;
    unsigned point = lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(k) & 0xC0U) != 0x80U) return 0;
        point = point << 6U | (byte(k) & 0x3FU);
    }
    const unsigned least = length == 4 ? 0x10000U : length == 3 ? 0x800U : 0xA0U;  // below are U+0080 to U+009F
    const bool surrogate = point >= 0xD800U && point < 0xE000U;
    return point < least || point > 0x10FFFFU || surrogate ? 0 : length;
}

}  // namespace letoff::core
