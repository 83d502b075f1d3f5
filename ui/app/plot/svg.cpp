#include "ui/app/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace letoff::ui {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else {
            out += c;
        }
    }
    return out;
}

/// A tick's number without digits that its step does not need.
std::string tick_text(double value, double step) {
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
    if (std::abs(value) < 1e-9 * step) value = 0;
    return fmt::format("{:.{}f}", value, digits);
}

/// Of each stretch of a line the point that lies farthest from its chord, if that is farther than anybody sees; its
/// first and last point always (Ramer 1972, Douglas and Peucker 1973).
std::vector<PlotPoint> seen_points(const std::vector<PlotPoint>& line) {
    constexpr double kUnseen_px = 0.05;
    std::vector<bool> kept(line.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> stretches;
    if (!line.empty()) {
        kept.front() = kept.back() = true;
        stretches.emplace_back(0, line.size() - 1);
    }
    while (!stretches.empty()) {
        const auto [first, last] = stretches.back();
        stretches.pop_back();
        const PlotPoint a = line[first];
        const double dx = line[last].x - a.x, dy = line[last].y - a.y, length = std::hypot(dx, dy);
        std::size_t farthest = first;
        double farthest_px = kUnseen_px;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double x = line[i].x - a.x, y = line[i].y - a.y;
            const double along = length > 0 ? std::clamp((x * dx + y * dy) / (length * length), 0.0, 1.0) : 0;
            const double off_px = std::hypot(x - along * dx, y - along * dy);
            if (off_px > farthest_px) {
                farthest_px = off_px;
                farthest = i;
            }
        }
        if (farthest == first) continue;
        kept[farthest] = true;
        stretches.emplace_back(first, farthest);
        stretches.emplace_back(farthest, last);
    }
    std::vector<PlotPoint> seen;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (kept[i]) seen.push_back(line[i]);
    }
    return seen;
}

}  // namespace

std::vector<double> round_ticks(double from, double to, int count) {
    const double low = std::min(from, to), high = std::max(from, to);
    const double rough = (high - low) / std::max(count, 1);
    if (!(rough > 0)) return {low};
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * power;
        if (step >= rough * 0.999) break;
    }
    std::vector<double> ticks;
    for (double i = std::ceil(low / step - 1e-6); i * step <= high + 1e-6 * step; ++i) ticks.push_back(i * step);
    return ticks;
}

Figure::Figure(double width, double height) : width_(width), height_(height) {}

void Figure::text(double x, double y, std::string_view text, std::string_view colour, double size,
                  std::string_view anchor, bool bold) {
    body_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"{:g}\" text-anchor=\"{}\"{}>{}</text>\n",
                    x, y, colour, size, anchor, bold ? " font-weight=\"600\"" : "", escaped(text));
}

void Figure::title(double x, double y, std::string_view main, std::string_view subtitle) {
    text(x, y, main, ink::kText, 19, "start", true);
    if (!subtitle.empty()) text(x, y + 20, subtitle, ink::kSoft, 12.5);
}

void Figure::grid_line(double x1, double y1, double x2, double y2) {
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
                         y2, ink::kGrid);
}

std::string Figure::finish() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
        "font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
        width_, height_, body_);
}

Panel::Panel(Figure& figure, Place place, Range x, Range y) : figure_(figure), place_(place), x_(x), y_(y) {
    clip_ = fmt::format("c{:.0f}x{:.0f}", place.left, place.top);
    figure_.raw(fmt::format(
        "<clipPath id=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n", clip_,
        place.left, place.top - 1, place.width, place.height + 2));
}

void Panel::axes(std::string_view x_label, std::string_view y_label, int x_ticks, int y_ticks) {
    const double bottom = place_.top + place_.height, right = place_.left + place_.width;
    const std::vector<double> xs = round_ticks(x_.from, x_.to, x_ticks), ys = round_ticks(y_.from, y_.to, y_ticks);
    const double x_step = xs.size() > 1 ? xs[1] - xs[0] : 1, y_step = ys.size() > 1 ? ys[1] - ys[0] : 1;
    for (double x : xs) {
        figure_.grid_line(px(x), place_.top, px(x), bottom);
        if (!x_label.empty()) figure_.text(px(x), bottom + 16, tick_text(x, x_step), ink::kSoft, 11, "middle");
    }
    for (double y : ys) {
        figure_.grid_line(place_.left, py(y), right, py(y));
        figure_.text(place_.left - 7, py(y) + 4, tick_text(y, y_step), ink::kSoft, 11, "end");
    }
    figure_.raw(fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"{}\"/>\n", place_.left,
                            place_.top, bottom, right, ink::kFrame));
    if (!x_label.empty()) figure_.text(right, bottom + 34, x_label, ink::kText, 12, "end");
    if (!y_label.empty()) figure_.text(place_.left, place_.top - 8, y_label, ink::kText, 12, "start", true);
}

void Panel::line(std::span<const PlotPoint> points, std::string_view colour, double width, std::string_view dash) {
    std::vector<PlotPoint> on_paper;
    for (const PlotPoint& point : points) {
        const PlotPoint at{px(point.x), py(point.y)};
        if (std::isfinite(at.x) && std::isfinite(at.y)) on_paper.push_back(at);
    }
    if (on_paper.empty()) return;
    std::string path;
    // Half a million points make a file that no viewer opens.
    for (const PlotPoint& at : seen_points(on_paper))
        path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? 'M' : 'L', at.x, at.y);
    figure_.raw(
        fmt::format("<path d=\"{}\" clip-path=\"url(#{})\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
                    "stroke-linejoin=\"round\"{}/>\n",
                    path, clip_, colour, width, dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash)));
}

void Panel::vertical(double x, std::string_view colour, std::string_view label, double name_y) {
    const double at = px(x);
    if (at < place_.left || at > place_.left + place_.width) return;
    figure_.raw(
        fmt::format("<line x1=\"{0:.2f}\" y1=\"{1:.1f}\" x2=\"{0:.2f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
                    "stroke-width=\"0.9\" stroke-dasharray=\"2 3\"/>\n",
                    at, place_.top, place_.top + place_.height, colour));
    if (!label.empty()) figure_.text(at + 4, place_.top + name_y, label, colour, 11);
}

void Panel::horizontal(double y, std::string_view colour, std::string_view label, std::string_view dash) {
    const double at = py(y), right = place_.left + place_.width;
    figure_.raw(fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.2f}\" x2=\"{:.1f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"1\"{}/>\n",
        place_.left, at, right, at, colour, dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash)));
    if (!label.empty()) figure_.text(right - 4, at - 5, label, colour, 11, "end");
}

void Panel::dot(PlotPoint at, std::string_view colour) {
    figure_.raw(fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.2\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.2\"/>\n",
        px(at.x), py(at.y), colour));
}

void Panel::name(PlotPoint at, std::string_view label, std::string_view colour, std::string_view anchor, double dx,
                 double dy) {
    figure_.text(px(at.x) + dx, py(at.y) + dy, label, colour, 11, anchor);
}

}  // namespace letoff::ui
