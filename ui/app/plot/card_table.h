// The tables of a piano card: every figure of a few keys, and how even it is over all that were measured.
#pragma once

#include <span>

#include "ui/app/plot/measured_key.h"
#include "ui/app/plot/svg.h"

namespace letoff::ui {

/// Two tables side by side with their left upper corner there; the height they take is returned.
double draw_card_tables(Figure& figure, double left, double top, double width, std::span<const MeasuredKey> keys);

}  // namespace letoff::ui
