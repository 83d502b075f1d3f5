#include "keyboard/regulation/branch_csv.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace letoff::keyboard {
namespace {

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

core::Result<bool> read_branches(std::string_view text, std::string_view file, const BranchColumns& columns,
                                 const std::function<std::string(double x, double y, bool forward)>& take) {
    std::size_t line_number = 0, points = 0;
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
        const auto x = three ? number(line.substr(0, comma)) : std::nullopt;
        const auto y = three ? number(line.substr(comma + 1, second - comma - 1)) : std::nullopt;
        const std::string_view branch = three ? trimmed(line.substr(second + 1)) : std::string_view();
        const bool header = may_be_header && three && trimmed(line.substr(0, comma)) == columns.x;
        may_be_header = false;
        if (header) continue;
        if (!x || !y || (branch != columns.forward && branch != columns.backward))
            return wrong(fmt::format("'{0}' is not {1},{2},{3} or {1},{2},{4}", line.substr(0, kShown), columns.x,
                                     columns.y, columns.forward, columns.backward));
        const std::string problem = take(*x, *y, branch == columns.forward);
        if (!problem.empty()) return wrong(problem);
        if (points++ == kMostPoints) return wrong(fmt::format("more than {} points", kMostPoints));
    }
    return true;
}

}  // namespace letoff::keyboard
