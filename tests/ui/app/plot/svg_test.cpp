#include "ui/app/plot/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace letoff::ui {
namespace {

/// A line through these points, on axes on which one unit is one pixel; its path as SVG has it.
std::string path_of(const std::vector<PlotPoint>& points) {
    Figure figure(1000, 1000);
    Panel panel(figure, {0, 0, 1000, 1000}, {0, 1000}, {1000, 0});
    panel.line(points, ink::kBlue);
    const std::string svg = figure.finish();
    const std::size_t at = svg.rfind("<path d=\"");
    return svg.substr(at + 9, svg.find('"', at + 9) - at - 9);
}

TEST(SvgLine, LeavesOutWhatLiesOnTheWayAndKeepsCorners) {
    std::vector<PlotPoint> points;
    for (int i = 0; i <= 1000; ++i) points.push_back({0.1 * i, i <= 500 ? 0.2 * i : 100 - 0.2 * (i - 500)});
    EXPECT_EQ(path_of(points), "M0.00 0.00L50.00 100.00L100.00 0.00");
}

TEST(SvgLine, NoPointThatIsLeftOutIsFartherThanATwentiethOfAPixel) {
    std::vector<PlotPoint> circle;
    for (int i = 0; i <= 10000; ++i)
        circle.push_back({500 + 400 * std::cos(i * 6.2831853e-4), 500 + 400 * std::sin(i * 6.2831853e-4)});
    const std::string path = path_of(circle);
    // A chord of a circle of radius r lies r (1 - cos(a/2)) inside: 0.05 px at 400 px is an angle of 0.0316, 199
    // chords.
    const auto corners = std::count(path.begin(), path.end(), 'L');
    EXPECT_GE(corners, 199);
    EXPECT_LE(corners, 2 * 199);
}

TEST(SvgLine, AClosedWayIsDrawnThoughItEndsWhereItBegan) {
    EXPECT_EQ(path_of({{10, 10}, {20, 10}, {20, 20}, {10, 10}}), "M10.00 10.00L20.00 10.00L20.00 20.00L10.00 10.00");
}

TEST(SvgLine, WhatIsNoNumberIsPassedOver) {
    EXPECT_EQ(path_of({{10, 10}, {15, std::numeric_limits<double>::quiet_NaN()}, {20, 10}}),
              "M10.00 10.00L20.00 10.00");
}

}  // namespace
}  // namespace letoff::ui
