// What a regulation did to the keys: each figure that changed or was asked for, before and after, over the keyboard,
// and the screws that were turned for it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/app/profiles/regulation.h"

namespace letoff::ui {

/// Where nothing was measured and only the whole instrument was turned there is nothing to draw but the title.
std::string regulation_svg(const RegulationReport& report, std::string_view title);

}  // namespace letoff::ui
