#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/app/bench/report.h"
#include "ui/app/plot/svg.h"

namespace letoff::ui {
namespace {

constexpr double kWidth = 1000, kHeight = 700;
constexpr double kLeft = 66, kRight = 560, kTop = 96, kBottom = 430, kPanelWidth = 390, kPanelHeight = 230;
constexpr double kMustAt4kHz = 25, kMustAt8kHz = 50;  // percent of one core: design, section 7

double highest(const std::vector<ScalingPoint>& points, auto&& value) {
    double top = 1e-9;
    for (const ScalingPoint& point : points) top = std::max(top, value(point));
    return top;
}

/// Something above the highest value that the axis ends on a tick with.
double axis_end(double top) {
    const double step = round_ticks(0, 1.08 * top, 5)[1];
    return step * std::ceil(1.08 * top / step);
}

std::vector<PlotPoint> dotted(Panel& panel, const std::vector<ScalingPoint>& points, std::string_view colour) {
    std::vector<PlotPoint> line;
    for (const ScalingPoint& point : points) line.push_back({static_cast<double>(point.of.keys), point.cpu_us});
    panel.line(line, colour, 2);
    for (const PlotPoint& at : line) panel.dot(at, colour);
    return line;
}

void draw_keys(Figure& figure, const Scaling& scaling) {
    const auto cpu = [](const ScalingPoint& point) { return point.cpu_us; };
    const double end_us = axis_end(std::max(highest(scaling.filled, cpu), highest(scaling.spread, cpu)));
    Panel panel(figure, {kLeft, kTop, kPanelWidth, kPanelHeight}, {0, 88}, {0, end_us});
    panel.axes("keys played", "us of processor time a tick (4 kHz)");
    const double all_us = scaling.filled.back().cpu_us;
    panel.line(std::vector<PlotPoint>{{0, 0}, {88, all_us}}, ink::kFrame, 1.2, "5 4");
    dotted(panel, scaling.spread, ink::kOrange);
    dotted(panel, scaling.filled, ink::kBlue);
    figure.text(kLeft + 12, kTop + 18, "spread over the blocks", ink::kOrange, 12);
    figure.text(kLeft + kPanelWidth - 8, kTop + kPanelHeight - 14, "filling blocks of 8 keys; dashed: in proportion",
                ink::kBlue, 12, "end");
}

void draw_rates(Figure& figure, const Scaling& scaling) {
    const auto percent = [](const ScalingPoint& point) { return 100 * point.share(); };
    const double end = axis_end(std::max(kMustAt8kHz, highest(scaling.tick_rates, percent)));
    Panel panel(figure, {kRight, kTop, kPanelWidth, kPanelHeight}, {0, 8.4}, {0, end});
    panel.axes("tick rate, kHz", "88 keys: % of one core");
    std::vector<PlotPoint> line;
    for (const ScalingPoint& point : scaling.tick_rates) line.push_back({1e-3 * point.of.tick_hz, percent(point)});
    panel.line(line, ink::kBlue, 2);
    for (const PlotPoint& at : line) {
        panel.dot(at, ink::kBlue);
        panel.name(at, fmt::format("{:.1f}", at.y), ink::kBlue, "middle", 0, 18);
    }
    for (const PlotPoint& must : {PlotPoint{4, kMustAt4kHz}, PlotPoint{8, kMustAt8kHz}}) {
        panel.line(std::vector<PlotPoint>{{must.x - 0.35, must.y}, {must.x + 0.35, must.y}}, ink::kRed, 2);
        panel.name(must, "must", ink::kRed, "middle", 0, -7);
    }
}

struct Bar {
    std::string name;
    double value;
    std::string_view colour;
};

/// Columns side by side with their values above; names below, two lines of them at "\n".
void draw_bars(Figure& figure, Panel::Place place, std::string_view label,
               const std::vector<std::vector<Bar>>& groups) {
    double top = 0;
    for (const auto& group : groups)
        for (const Bar& bar : group) top = std::max(top, bar.value);
    Panel panel(figure, place, {0, 1}, {0, axis_end(std::max(top, 1e-9))});
    panel.axes("", label, 1);
    const double step = place.width / static_cast<double>(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const double middle = place.left + (static_cast<double>(g) + 0.5) * step;
        const double width = std::min(46.0, 0.8 * step / static_cast<double>(groups[g].size()));
        double left = middle - 0.5 * width * static_cast<double>(groups[g].size());
        for (const Bar& bar : groups[g]) {
            const double y = panel.py(bar.value);
            figure.raw(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                                   left + 1, y, width - 2, place.top + place.height - y, bar.colour));
            figure.text(left + 0.5 * width, y - 5, fmt::format("{:.0f}", bar.value), bar.colour, 10.5, "middle");
            left += width;
        }
        const std::string& name = groups[g].front().name;
        const auto cut = name.find('\n');
        const double below = place.top + place.height;
        figure.text(middle, below + 16, name.substr(0, cut), ink::kText, 11, "middle");
        if (cut != std::string::npos) figure.text(middle, below + 30, name.substr(cut + 1), ink::kSoft, 11, "middle");
    }
}

}  // namespace

std::string scaling_svg(const BenchMachine& machine, const Scaling& scaling) {
    Figure figure(kWidth, kHeight);
    figure.title(kLeft - 30, 36, "What a tick of the keybed costs",
                 fmt::format("{}, {} cores, {}, {}; strokes four times a second on every played key, strings included",
                             machine.processor, machine.cores, machine.simd, machine.compiler));
    draw_keys(figure, scaling);
    draw_rates(figure, scaling);

    std::vector<std::vector<Bar>> executors, targets;
    for (const ScalingPoint& point : scaling.executors) {
        const std::string name = fmt::format("{}\n{}", point.of.executor, point.of.threads);
        executors.push_back({{name, point.wall_us, ink::kGreen}, {name, point.cpu_us, ink::kBlue}});
    }
    draw_bars(figure, {kLeft, kBottom, kPanelWidth, kPanelHeight - 20}, "88 keys: us a tick, by executor", executors);
    figure.text(kLeft + kPanelWidth - 100, kBottom - 8, "wall time", ink::kGreen, 12, "end");
    figure.text(kLeft + kPanelWidth, kBottom - 8, "processor time", ink::kBlue, 12, "end");
    for (const ScalingPoint& point : scaling.simd) targets.push_back({{point.simd, point.cpu_us, ink::kBlue}});
    draw_bars(figure, {kRight, kBottom, kPanelWidth, kPanelHeight - 20},
              "88 keys: us of processor time a tick, by SIMD target", targets);
    return figure.finish();
}

}  // namespace letoff::ui
