// Changes to values as a technician writes them: ROW=1.6 sets a value, ROW=+3 and ROW=-3 turn it by so much from where
// it is, ROW:=-3 sets a negative one, ROW=base takes the change away.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "storage/profile.h"

namespace letoff::ui {

struct RowChange {
    enum class Kind { kSet, kTurn, kBase };
    const core::Row* row = nullptr;
    Kind kind = Kind::kSet;
    double value = 0;
};

/// Values that are made by turning are what people typed, added up: 0.1 and 0.2 are 0.3. Twelve digits are finer than
/// any screw.
double without_binary_dust(double value);

/// "44.5", "+0.2": a value as it is kept, without its unit, a choice by its name. The row may be of another build.
std::string number_text(std::string_view row, const storage::ProfileValue& value);

/// The row must be known, a number to be set within its limits.
core::Result<RowChange> parse_row_change(std::string_view text, storage::RowTables rows);

/// At a key (1..88) or storage::kWholeInstrument. A value that is there is turned as it is, absolute or relative; else
/// the turn itself is kept, relative. A turn back to nothing leaves nothing.
void apply(const RowChange& change, int key, storage::ProfileValues& values);

}  // namespace letoff::ui
