#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "keyboard/regulation/fit.h"

namespace letoff::keyboard {
namespace {

constexpr double kDeepest_mm = 20, kStrongest_N = 100;  // beyond any key and any hand on it
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

core::Result<std::vector<CurvePoint>> parse_force_curve(std::string_view text, std::string_view file) {
    std::vector<CurvePoint> points;
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
        const auto dip_mm = three ? number(line.substr(0, comma)) : std::nullopt;
        const auto force_N = three ? number(line.substr(comma + 1, second - comma - 1)) : std::nullopt;
        const std::string_view branch = three ? trimmed(line.substr(second + 1)) : std::string_view();
        const bool header = may_be_header && three && trimmed(line.substr(0, comma)) == "dip_mm";
        may_be_header = false;
        if (header) continue;
        if (!dip_mm || !force_N || (branch != "down" && branch != "up"))
            return wrong(fmt::format("'{}' is not dip_mm,force_N,down or dip_mm,force_N,up", line.substr(0, kShown)));
        if (!(*dip_mm >= -1 && *dip_mm <= kDeepest_mm))
            return wrong(fmt::format("a dip of {} mm: -1 to {} mm from rest are possible", *dip_mm, kDeepest_mm));
        if (!(*force_N >= -kStrongest_N && *force_N <= kStrongest_N))
            return wrong(
                fmt::format("a force of {} N: -{} to {} N are possible", *force_N, kStrongest_N, kStrongest_N));
        if (points.size() == kMostPoints) return wrong(fmt::format("more than {} points", kMostPoints));
        points.push_back({*dip_mm * 1e-3, *force_N, branch == "down"});
    }
    return points;
}

}  // namespace letoff::keyboard
