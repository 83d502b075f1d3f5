#include "ui/app/profiles/row_change.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

constexpr std::string_view kBase = "base";

}  // namespace

double without_binary_dust(double value) {
    const std::string text = fmt::format("{:.12g}", value);
    double rounded = value;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    return rounded + 0.0;  // no negative zero
}

std::string number_text(std::string_view row, const storage::ProfileValue& value) {
    if (value.relative) return fmt::format("{:+}", value.value);
    const core::Row* known = core::find(kProfileRows, row);
    return known != nullptr ? core::value_text(*known, value.value) : fmt::format("{}", value.value);
}

core::Result<RowChange> parse_row_change(std::string_view text, storage::RowTables rows) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return core::Error{
            fmt::format("'{}' is no change; write ROW=1.6, ROW=+3, ROW=-3, ROW:=-3 or ROW={}", text, kBase)};
    }
    const bool set_signed = text[equals - 1] == ':';
    const std::string_view id = text.substr(0, set_signed ? equals - 1 : equals);
    std::string_view number = text.substr(equals + 1);
    RowChange change{.row = core::find(rows, id)};
    if (change.row == nullptr) {
        return core::Error{fmt::format("there is no value '{}'; `letoff profile rows` lists them", id)};
    }
    if (number == kBase && !set_signed) {
        change.kind = RowChange::Kind::kBase;
        return change;
    }
    const bool turn = !set_signed && (number.starts_with('+') || number.starts_with('-'));
    if (number.starts_with('+')) number.remove_prefix(1);  // std::from_chars takes no plus
    if (!turn) {
        const auto value = core::validate(*change.row, number);
        if (!value) return core::Error{value.error()};
        change.value = value.value();
        return change;
    }
    change.kind = RowChange::Kind::kTurn;
    const double range = change.row->maximum - change.row->minimum;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), change.value);
    const bool is_number = error == std::errc() && end == number.data() + number.size() && !number.empty();
    if (!is_number || !(std::abs(change.value) <= range)) {
        return core::Error{fmt::format("{} is turned by '{}'; a number of at most {}{}{} either way is needed", id,
                                       number, range, change.row->unit.empty() ? "" : " ", change.row->unit)};
    }
    return change;
}

void apply(const RowChange& change, int key, storage::ProfileValues& values) {
    const storage::ProfilePlace place{key, std::string(change.row->id)};
    switch (change.kind) {
        case RowChange::Kind::kSet:
            values[place] = {change.value, false};
            return;
        case RowChange::Kind::kBase:
            values.erase(place);
            return;
        case RowChange::Kind::kTurn: {
            storage::ProfileValue& value = values.try_emplace(place, storage::ProfileValue{0, true}).first->second;
            value.value = without_binary_dust(value.value + change.value);
            if (value.relative && value.value == 0) values.erase(place);
        }
    }
}

}  // namespace letoff::ui
