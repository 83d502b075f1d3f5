#include "storage/stretch_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/unit/key_name.h"
#include "storage/text_lines.h"

namespace letoff::storage {

core::Result<core::OfKeys> parse_stretch(std::string_view text, std::string_view name) {
    core::OfKeys curve{};
    int last_key = -1;
    double last_cents = 0;
    TextLines lines(text, '#');
    while (const auto next = lines.next()) {
        const std::string_view line = trimmed(*next);
        if (line.empty()) continue;
        const auto wrong = [&](std::string_view what) {
            return core::Error{fmt::format("'{}' line {}: {}", name, lines.number(), what)};
        };
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos) return wrong(fmt::format("'{}' is not key,cents", shown(line)));
        const std::string_view key_text = trimmed(line.substr(0, comma)), number = trimmed(line.substr(comma + 1));
        const auto key = core::parse_key(shown(key_text));
        if (!key) return wrong(key.error());
        double cents = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), cents);
        const bool is_number = error == std::errc() && end == number.data() + number.size() && !number.empty();
        if (!is_number || !(std::abs(cents) <= kMostStretch_cents)) {
            return wrong(fmt::format("'{}' is no stretch, -{} to {} cents", shown(number), kMostStretch_cents,
                                     kMostStretch_cents));
        }
        if (key.value() <= last_key) {
            return wrong(fmt::format("{} comes after {}; keys must rise", core::key_name(key.value()),
                                     core::key_name(last_key)));
        }
        for (int k = last_key + 1; k <= key.value(); ++k) {
            const double share = last_key < 0 ? 1.0 : static_cast<double>(k - last_key) / (key.value() - last_key);
            curve[static_cast<std::size_t>(k)] = last_cents + share * (cents - last_cents);
        }
        last_key = key.value();
        last_cents = cents;
    }
    if (last_key < 0) return core::Error{fmt::format("'{}' has no line key,cents", name)};
    for (int k = last_key + 1; k < core::kKeyCount; ++k) curve[static_cast<std::size_t>(k)] = last_cents;
    return curve;
}

core::Result<core::OfKeys> read_stretch(const std::filesystem::path& path) {
    const auto text = read_text_file(path);
    if (!text) return core::Error{text.error()};
    return parse_stretch(text.value(), path.string());
}

}  // namespace letoff::storage
