// What `letoff regulate` tells: rows that were set or turned, and what was measured before and after.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "ui/app/profiles/regulation.h"

namespace letoff::ui {

/// `changes`: what was asked; on many keys the figures among them are told as a range.
void print_regulation(std::string_view name, int revision, const RegulationReport& report,
                      std::span<const RowChange> changes);

nlohmann::ordered_json regulation_json(std::string_view name, int revision, const RegulationReport& report);

}  // namespace letoff::ui
