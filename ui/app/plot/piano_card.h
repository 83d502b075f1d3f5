// The piano card: what was measured on a profile, on one page: evenness over the keys, curves of a few keys, tables.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/app/plot/measured_key.h"

namespace letoff::ui {

/// At least one key. A3 landscape.
std::string piano_card_svg(std::span<const MeasuredKey> keys, std::string_view profile);

}  // namespace letoff::ui
