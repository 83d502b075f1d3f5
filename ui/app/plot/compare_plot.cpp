#include "ui/app/plot/compare_plot.h"

#include <algorithm>
#include <array>
#include <vector>

#include "ui/app/plot/svg.h"

namespace letoff::ui {
namespace {

constexpr double kMilli = 1e3;
constexpr std::array<std::string_view, 9> kColours{ink::kBlue, ink::kOrange, ink::kGreen, ink::kPurple, ink::kRed,
                                                   ink::kSky,  "#6b5a00",    "#444c56",   "#b0568f"};
constexpr double kShown_N = 2.5;  // the key bottom goes on to 3 N and says nothing

}  // namespace

std::string compared_curves_svg(std::span<const NamedCurve> curves, std::string_view title) {
    constexpr double kWidth = 860, kHeight = 560, kLegendLine = 18;
    Figure figure(kWidth, kHeight);
    figure.title(26, 34, title, "key driven at 10 mm/s down (full) and up (dashed); dip 13 mm behind the front edge");
    double deepest = 10.0, most = 1.0;
    for (const NamedCurve& c : curves) {
        for (std::size_t i = 0; i < c.curve.dip_m.size(); ++i) {
            deepest = std::max(deepest, c.curve.dip_m[i] * kMilli);
            most = std::max(most, std::min(c.curve.down_N[i], kShown_N));
        }
    }
    Panel panel(figure, {66, 80, 760, 420}, {0, deepest + 0.2}, {0, 1.05 * most});
    panel.axes("key dip from rest, mm", "force on the finger, N", 10, 8);
    double legend_y = 100;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const std::string_view colour = kColours[c % kColours.size()];
        std::vector<PlotPoint> down, up;
        for (std::size_t i = 0; i < curves[c].curve.dip_m.size(); ++i) {
            const double dip_mm = curves[c].curve.dip_m[i] * kMilli;
            down.push_back({dip_mm, curves[c].curve.down_N[i]});
            up.push_back({dip_mm, curves[c].curve.up_N[i]});
        }
        panel.line(up, colour, 1.0, "4 3");
        panel.line(down, colour, 2.0);
        figure.text(82, legend_y, curves[c].name, colour, 12, "start", true);
        legend_y += kLegendLine;
    }
    return figure.finish();
}

}  // namespace letoff::ui
