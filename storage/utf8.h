// Text that may be shown: whole UTF-8 (RFC 3629: no surrogates, no overlong forms, up to U+10FFFF). Internal to
// storage.
#pragma once

#include <cstddef>
#include <string_view>

namespace letoff::storage {

enum class TextShape { kOneLine, kLines };

/// Control characters are refused; line feeds and tabs only where it may have several lines.
inline bool is_clean_text(std::string_view text, TextShape shape) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        if (lead < 0x80) {
            const bool line_break = shape == TextShape::kLines && (lead == '\n' || lead == '\t');
            if ((lead < 0x20 && !line_break) || lead == 0x7F) return false;
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return false;
        unsigned point = lead & (0x7FU >> length);
        for (std::size_t k = 1; k < length; ++k) {
            if ((byte(i + k) & 0xC0U) != 0x80U) return false;
            point = point << 6U | (byte(i + k) & 0x3FU);
        }
        const unsigned least = length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U;
        const bool surrogate = point >= 0xD800U && point < 0xE000U;
        const bool upper_control = point < 0xA0U;  // U+0080 to U+009F
        if (point < least || point > 0x10FFFFU || surrogate || upper_control) return false;
        i += length;
    }
    return true;
}

}  // namespace letoff::storage
