// What `letoff measure` tells: as JSON (names stable, design section 4), and as tables for reading.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "ui/app/plot/measured_key.h"

namespace letoff::ui {

nlohmann::ordered_json measured_key_json(const MeasuredKey& key);

/// Regulation, touch, Stanwood's weights, technicians' tests; the strokes too where there is one key only.
void print_measured(std::span<const MeasuredKey> keys);

}  // namespace letoff::ui
