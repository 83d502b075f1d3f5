#include "core/param/row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <string>

namespace letoff::core {

namespace {

std::string what_is_accepted(const Row& row) {
    if (!row.choices.empty()) return fmt::format("it must be one of {}", fmt::join(row.choices, ", "));
    const std::string_view space = row.unit.empty() ? "" : " ";
    if (row.minimum == row.maximum) return fmt::format("it must be {}{}{}", row.minimum, space, row.unit);
    return fmt::format("it must be between {} and {}{}{}", row.minimum, row.maximum, space, row.unit);
}

}  // namespace

Result<double> validate(const Row& row, double value) {
    const bool fits = row.choices.empty() || value == std::floor(value);
    if (fits && value >= row.minimum && value <= row.maximum) return value;  // false for a NaN
    return Error{fmt::format("{} is {}, {}.", row.id, value, what_is_accepted(row))};
}

Result<double> validate(const Row& row, std::string_view text) {
    for (std::size_t i = 0; i < row.choices.size(); ++i) {
        if (row.choices[i] == text) return static_cast<double>(i);
    }
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stopped_at == end) return validate(row, value);
    const bool too_large = error == std::errc::result_out_of_range && stopped_at == end;
    if (!row.choices.empty() && !too_large)
        return Error{fmt::format("{} is '{}', {}.", row.id, text, what_is_accepted(row))};
    return Error{fmt::format("{} is '{}', {}; {}.", row.id, text,
                             too_large ? "a number too large or too small to hold" : "not a number",
                             what_is_accepted(row))};
}

std::string value_text(const Row& row, double value) {
    const bool is_choice = value >= 0 && value < static_cast<double>(row.choices.size()) && value == std::floor(value);
    return is_choice ? std::string(row.choices[static_cast<std::size_t>(value)]) : fmt::format("{}", value);
}

const Row* find(std::span<const Row> rows, std::string_view id) noexcept {
    for (const Row& row : rows) {
        if (row.id == id) return &row;
    }
    return nullptr;
}

const Row* find(std::span<const std::span<const Row>> tables, std::string_view id) noexcept {
    for (const std::span<const Row> rows : tables) {
        if (const Row* row = find(rows, id)) return row;
    }
    return nullptr;
}

}  // namespace letoff::core
