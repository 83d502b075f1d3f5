#include "ui/app/page/drawing_sheet.h"

#include <cmath>
#include <numbers>

namespace letoff::ui {

void DrawingSheet::add(int body, const char* kind, const std::vector<Point>& points_mm, Point origin_mm) {
    constexpr double kMm = 1e-3;
    core::ActionDrawing::Shape shape{body, kind, {}};
    for (const Point& p : points_mm)
        shape.outline.push_back({(p.x_m - origin_mm.x_m) * kMm, (p.y_m - origin_mm.y_m) * kMm});
    out_.shapes.push_back(std::move(shape));
}

std::vector<core::Point> DrawingSheet::points_of(Outline outline) {
    std::vector<Point> points;
    for (const auto& [x, y] : outline) points.push_back({x, y});
    return points;
}

std::vector<core::Point> DrawingSheet::corners(double left, double bottom, double right, double top) {
    return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

std::vector<core::Point> DrawingSheet::arc(Point centre_mm, double radius_mm, double from_rad, double to_rad,
                                           int steps) {
    std::vector<Point> points;
    for (int i = 0; i < steps; ++i) {
        const double angle = from_rad + (to_rad - from_rad) * i / (steps - 1);
        points.push_back({centre_mm.x_m + radius_mm * std::cos(angle), centre_mm.y_m + radius_mm * std::sin(angle)});
    }
    return points;
}

std::vector<core::Point> DrawingSheet::ring(Point centre_mm, double radius_mm) {
    constexpr int kSteps = 24;
    return arc(centre_mm, radius_mm, 0, 2 * std::numbers::pi * (kSteps - 1) / kSteps, kSteps);
}

void DrawingSheet::key_frame(double front_felt_mm, double back_felt_mm) {
    add(core::kGround, "case", corners(-300, -31, 300, -24), {});
    add(core::kGround, "felt", corners(-230, -24, -220, front_felt_mm), {});
    add(core::kGround, "case", corners(-14, -24, 14, -6), {});
    add(core::kGround, "felt", corners(186, -24, 204, back_felt_mm), {});
}

void DrawingSheet::key_stick(int body, Point origin_mm) {
    add(body, "key",
        points_of({{-238, -1}, {-238, 20}, {-92, 20}, {-86, 24}, {214, 24}, {217, 21}, {217, 0}, {205, 0}, {-215, 0}}),
        origin_mm);
    add(body, "ivory", points_of({{-239, 17.5}, {-239, 20}, {-92, 20}, {-92, 17.5}}), origin_mm);
}

core::ActionDrawing DrawingSheet::finished(double top_m) {
    for (const core::Contact& contact : mechanism_.contacts)
        out_.contacts.push_back({contact.circle_body, contact.name, contact.circle_centre});
    out_.bodies = mechanism_.bodies;
    out_.left_m = -0.262;
    out_.right_m = 0.262;
    out_.bottom_m = -0.032;
    out_.top_m = top_m;
    return std::move(out_);
}

}  // namespace letoff::ui
