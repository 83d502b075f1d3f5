// Line charts as SVG text, drawn to be read on white paper: thin grid, few ticks, names beside their lines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::ui {

struct PlotPoint {
    double x = 0, y = 0;
};

/// Colours that stay apart in print and for colour-blind readers (after Okabe & Ito 2008, darkened for lines on white).
namespace ink {
inline constexpr std::string_view kBlue = "#1f5fa8", kOrange = "#c8580a", kGreen = "#0b7a5b", kPurple = "#8a4a8f",
                                  kSky = "#3d93c4", kRed = "#b3202c", kText = "#2b2f36", kSoft = "#6c737d",
                                  kGrid = "#e8eaed", kFrame = "#b9bec6";
}  // namespace ink

class Figure {
  public:
    Figure(double width, double height);
    void title(double x, double y, std::string_view text, std::string_view subtitle = {});
    void text(double x, double y, std::string_view text, std::string_view colour = ink::kSoft, double size = 11,
              std::string_view anchor = "start", bool bold = false);
    void grid_line(double x1, double y1, double x2, double y2);
    void raw(std::string_view element) { body_ += element; }
    std::string finish() const;

  private:
    double width_, height_;
    std::string body_;
};

/// One pair of axes in a figure.
class Panel {
  public:
    struct Place {
        double left, top, width, height;
    };
    struct Range {
        double from, to;  // to < from draws the axis the other way round
    };
    Panel(Figure& figure, Place place, Range x, Range y);

    /// Grid and numbers at round values; an empty label draws no numbers on the x axis.
    void axes(std::string_view x_label, std::string_view y_label, int x_ticks = 8, int y_ticks = 5);
    void line(std::span<const PlotPoint> points, std::string_view colour, double width = 1.6,
              std::string_view dash = {});
    void vertical(double x, std::string_view colour, std::string_view name = {},
                  double name_y = 0);  // name_y: pixels below the top
    void horizontal(double y, std::string_view colour, std::string_view name = {}, std::string_view dash = "5 4");
    void dot(PlotPoint at, std::string_view colour);
    void name(PlotPoint at, std::string_view text, std::string_view colour, std::string_view anchor = "start",
              double dx = 6, double dy = -6);
    double px(double x) const { return place_.left + (x - x_.from) / (x_.to - x_.from) * place_.width; }
    double py(double y) const { return place_.top + (y_.to - y) / (y_.to - y_.from) * place_.height; }
    const Place& place() const { return place_; }

  private:
    Figure& figure_;
    Place place_;
    Range x_, y_;
    std::string clip_;
};

/// Round steps that give about `count` ticks between the two ends.
std::vector<double> round_ticks(double from, double to, int count);

}  // namespace letoff::ui
