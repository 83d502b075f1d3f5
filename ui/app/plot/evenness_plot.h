// Figures of many keys side by side: how even a keyboard is, from A0 to C8.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/app/plot/measured_key.h"
#include "ui/app/plot/svg.h"

namespace letoff::ui {

inline constexpr int kEvennessPanels = 12;

/// Draws panel 0 .. kEvennessPanels - 1 at a place; axes and names lie outside it (18 px above, 14 below, 30 left).
void draw_evenness(Figure& figure, int panel, Panel::Place place, std::span<const MeasuredKey> keys);

/// All of them on one page.
std::string evenness_svg(std::span<const MeasuredKey> keys, std::string_view title);

}  // namespace letoff::ui
