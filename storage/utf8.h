// Text that may be shown: whole UTF-8 (core/unit/utf8.h), of one line or several. Internal to storage.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/unit/utf8.h"

namespace letoff::storage {

enum class TextShape { kOneLine, kLines };

/// Control characters are refused; line feeds and tabs only where it may have several lines.
inline bool is_clean_text(std::string_view text, TextShape shape) {
    while (!text.empty()) {
        const bool line_break = shape == TextShape::kLines && (text[0] == '\n' || text[0] == '\t');
        const std::size_t bytes = line_break ? 1 : core::shown_utf8_bytes(text);
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

}  // namespace letoff::storage
