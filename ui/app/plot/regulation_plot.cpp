#include "ui/app/plot/regulation_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/app/plot/svg.h"

namespace letoff::ui {
namespace {

constexpr double kFirstKey = 1, kLastKey = 88;

struct Line {
    std::string_view colour;
    std::vector<PlotPoint> points;
};
struct Chart {
    std::string title;
    std::vector<Line> lines;
    double least_span = 1;  // a difference smaller than this should not look like one
};

std::vector<Chart> charts_of(const RegulationReport& report) {
    std::vector<Chart> charts;
    const bool weighed = !report.measured.empty() && report.measured.front().after.touchweight.down_weight_g > 0;
    for (const keyboard::Figure& figure : keyboard::kFigures) {
        if (report.measured.empty() || (figure.weights && !weighed)) continue;
        Chart chart{fmt::format("{}, {}", figure.row.id, figure.row.unit), {}, 20 * figure.accepted};
        Line before{ink::kSoft, {}}, after{ink::kBlue, {}};
        for (const keyboard::RegulatedKey& key : report.measured) {
            before.points.push_back({key.key_index + 1.0, figure.read(key.before)});
            after.points.push_back({key.key_index + 1.0, figure.read(key.after)});
        }
        chart.lines = {before, after};
        charts.push_back(std::move(chart));
    }
    for (const TurnedRow& turned : report.turned) {
        if (turned.key == storage::kWholeInstrument) continue;
        const std::string title = fmt::format("{}: {}", turned.row->id, turned.row->unit);
        auto chart = std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.title == title; });
        if (chart == charts.end()) {
            const double span = 0.002 * (turned.row->maximum - turned.row->minimum);
            charts.push_back({title, {{ink::kSoft, {}}, {ink::kOrange, {}}}, span});
            chart = charts.end() - 1;
        }
        chart->lines[0].points.push_back({1.0 * turned.key, turned.before});
        chart->lines[1].points.push_back({1.0 * turned.key, turned.after});
    }
    return charts;
}

void draw(Figure& figure, Panel::Place place, const Chart& chart) {
    double low = chart.lines.front().points.front().y, high = low;
    for (const Line& line : chart.lines) {
        for (const PlotPoint& p : line.points) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
    }
    const double middle = 0.5 * (low + high), half = 0.56 * std::max(high - low, chart.least_span);
    Panel panel(figure, place, {kFirstKey - 1, kLastKey + 1}, {middle - half, middle + half});
    panel.axes("key", chart.title, 8, 4);
    for (const Line& line : chart.lines) {
        if (line.points.size() > 1) {
            panel.line(line.points, line.colour, 1.7);
        } else {
            panel.dot(line.points.front(), line.colour);
        }
    }
}

}  // namespace

std::string regulation_svg(const RegulationReport& report, std::string_view title) {
    constexpr double kColumn = 430, kRow = 215, kLeft = 60, kTop = 100;
    const std::vector<Chart> charts = charts_of(report);
    const double rows = std::ceil(static_cast<double>(charts.size()) / 3);
    Figure figure(kLeft + 3 * kColumn, kTop + rows * kRow);
    figure.title(26, 34, title, "grey: before; blue: after, as measured; orange: where the screws and weights are now");
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const double left = kLeft + kColumn * static_cast<double>(i % 3),
                     top = kTop + kRow * static_cast<double>(i / 3);
        draw(figure, {left, top, kColumn - 70, kRow - 70}, charts[i]);
    }
    return figure.finish();
}

}  // namespace letoff::ui
