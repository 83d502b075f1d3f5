#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "keyboard/regulation/felt_fit.h"

namespace letoff::keyboard {
namespace {

constexpr double kHardest_Pa = 1e9;  // beyond wool itself
constexpr std::size_t kMostPoints = 1'000'000;
constexpr std::size_t kShown = 40;  // of a line, in a sentence

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> number(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

}  // namespace

core::Result<std::vector<FeltPoint>> parse_felt_test(std::string_view text, std::string_view file) {
    std::vector<FeltPoint> points;
    std::size_t line_number = 0;
    bool may_be_header = true;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        ++line_number;
        if (line.empty() || line.front() == '#') continue;
        const auto wrong = [&](std::string_view what) {
            return core::Error{fmt::format("'{}' line {}: {}", file, line_number, what)};
        };
        const std::size_t comma = line.find(','), second = line.find(',', comma + 1);
        const bool three = comma != std::string_view::npos && second != std::string_view::npos;
        const auto strain = three ? number(line.substr(0, comma)) : std::nullopt;
        const auto stress_Pa = three ? number(line.substr(comma + 1, second - comma - 1)) : std::nullopt;
        const std::string_view branch = three ? trimmed(line.substr(second + 1)) : std::string_view();
        const bool header = may_be_header && three && trimmed(line.substr(0, comma)) == "strain";
        may_be_header = false;
        if (header) continue;
        if (!strain || !stress_Pa || (branch != "loading" && branch != "unloading")) {
            return wrong(fmt::format("'{}' is not strain,stress_Pa,loading or strain,stress_Pa,unloading",
                                     line.substr(0, kShown)));
        }
        if (!(*strain >= 0 && *strain < 1))
            return wrong(fmt::format("a strain of {}: 0 to less than 1 of the thickness is possible", *strain));
        if (!(*stress_Pa >= 0 && *stress_Pa <= kHardest_Pa))
            return wrong(fmt::format("a stress of {} Pa: 0 to {} Pa are possible", *stress_Pa, kHardest_Pa));
        if (points.size() == kMostPoints) return wrong(fmt::format("more than {} points", kMostPoints));
        points.push_back({*strain, *stress_Pa, branch == "loading"});
    }
    return points;
}

}  // namespace letoff::keyboard
