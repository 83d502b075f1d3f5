// A parameter as a row of data: what it is called, its unit, its default, its limits, who may change it while the
// instrument plays, and one sentence that says what it does. The same rows feed clamping, the database, --help, the
// settings page and the reference. Each folder exports one explicit table, `std::span<const Row>`, and checks it:
// static_assert(table_is_sound(kRows)).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::core {

/// Who may change a parameter while the instrument plays. The one after may change only what is marked for him or for
/// those below.
enum class Live : std::uint8_t {
    kNobody,      // only when the instrument is built: it shapes tables and sizes
    kTechnician,  // regulation, from the page or the command line
    kPlayer,      // anyone at the page or by MIDI
};

struct Row {
    std::string_view id;    // stable: the database and scripts know it; ends with the unit, as in let_off_mm
    std::string_view unit;  // "mm", "g", "" for a plain number
    double default_value = 0;
    double minimum = 0;
    double maximum = 0;
    Live live = Live::kNobody;
    std::string_view sentence;
    std::span<const std::string_view> choices{};  // names of 0, 1, 2 ... where the value is one of several things
};

/// The nearest value that the row allows; the default for a NaN. Safe on a real-time thread.
constexpr double clamp_to(const Row& row, double value) noexcept {
    if (value != value) return row.default_value;
    if (value < row.minimum) return row.minimum;
    if (value > row.maximum) return row.maximum;
    return value;
}

/// The value, or the sentence for the user.
Result<double> validate(const Row& row, double value);
/// The same for a value as the user wrote it: the whole text must be one number, or the name of a choice.
Result<double> validate(const Row& row, std::string_view text);

/// For people: a choice by its name, else the number.
std::string value_text(const Row& row, double value);

/// Null if there is none.
const Row* find(std::span<const Row> rows, std::string_view id) noexcept;
/// The same over the tables of several folders.
const Row* find(std::span<const std::span<const Row>> tables, std::string_view id) noexcept;

/// Place of a row in its table; an id that is not there does not compile.
consteval std::size_t index_of_row(std::span<const Row> rows, std::string_view id) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].id == id) return i;
    }
    throw "no such row";
}
/// One value for each row of a table.
template <std::size_t Rows>
constexpr std::array<double, Rows> defaults_of(const Row (&rows)[Rows]) {
    std::array<double, Rows> values{};
    for (std::size_t i = 0; i < Rows; ++i) values[i] = rows[i].default_value;
    return values;
}

/// Ids present and unique, limits finite and in order, the default within them, a sentence that ends in a full stop,
/// limits that are those of the choices.
constexpr bool table_is_sound(std::span<const Row> rows) noexcept {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (row.id.empty() || row.sentence.empty() || row.sentence.back() != '.') return false;
        if (!(row.minimum > -kInfinity && row.maximum < kInfinity)) return false;
        if (!(row.minimum <= row.default_value && row.default_value <= row.maximum)) return false;
        const double last = static_cast<double>(row.choices.size()) - 1;
        if (!row.choices.empty() && !(row.minimum == 0 && row.maximum == last)) return false;
        for (std::size_t j = 0; j < i; ++j) {
            if (rows[j].id == row.id) return false;
        }
    }
    return true;
}

}  // namespace letoff::core
