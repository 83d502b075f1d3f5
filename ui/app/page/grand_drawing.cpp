#include "ui/app/page/grand_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "keyboard/action/grand.h"
#include "ui/app/page/drawing_sheet.h"

namespace letoff::ui {
namespace {

using core::kGround;
using core::Point;
using keyboard::GrandValues;

#define ROW(id) values_[keyboard::grand_row(id)]

constexpr double kRound = std::numbers::pi;

/// Millimetres of the drawing in, metres in the frame of a body out.
class Sheet : DrawingSheet {
  public:
    Sheet(const keyboard::KeyBuild& key, const core::Mechanism& mechanism, std::vector<bool> moves)
        : DrawingSheet(mechanism), values_(key.values), damped_(key.damped), moves_(std::move(moves)) {
        const double angle = ROW("hammer_drawn_angle_rad"), c = std::cos(angle), s = std::sin(angle);
        knuckle_x_ = ROW("hammer_pivot_x_mm") + c * ROW("knuckle_x_mm") - s * ROW("knuckle_y_mm");
        lowest_y_ =
            ROW("hammer_pivot_y_mm") + s * ROW("knuckle_x_mm") + c * ROW("knuckle_y_mm") - ROW("knuckle_radius_mm");
    }

    core::ActionDrawing draw() {
        ground();
        key();
        if (has(keyboard::kDamper)) damper();
        if (has(keyboard::kHammer)) hammer();
        if (has(keyboard::kLever)) lever();
        if (has(keyboard::kJack)) jack();
        if (has(keyboard::kWippen)) wippen();
        core::ActionDrawing drawing = finished(0.205);
        drawing.moves = moves_;
        return drawing;
    }

  private:
    bool has(int body) const { return moves_[static_cast<std::size_t>(body)]; }

    /// Points of the drawing with every coordinate 0, in mm; for the hammer those of its own frame.
    void shape(int body, const char* kind, const std::vector<Point>& points_mm) {
        add(body, kind, points_mm, origin(body));
    }
    void shape(int body, const char* kind, Outline points_mm) { shape(body, kind, points_of(points_mm)); }
    void circle(int body, const char* kind, double x, double y, double radius) {
        shape(body, kind, ring({x, y}, radius));
    }
    void box(int body, const char* kind, double left, double bottom, double right, double top) {
        shape(body, kind, corners(left, bottom, right, top));
    }
    void band(int body, const char* kind, double x, double y, double inner, double outer, double from, double to) {
        std::vector<Point> points = arc({x, y}, outer, from, to, 12);
        const std::vector<Point> back = arc({x, y}, inner, to, from, 12);
        points.insert(points.end(), back.begin(), back.end());
        shape(body, kind, points);
    }
    Point origin(int body) const {
        if (body == keyboard::kHammer) return {};
        if (body == keyboard::kHead) return {ROW("shank_hinge_mm"), 0};
        Point at{};
        for (int b = body; b != kGround; b = mechanism_.bodies[static_cast<std::size_t>(b)].parent) {
            const core::Body& of = mechanism_.bodies[static_cast<std::size_t>(b)];
            if (of.guided) break;
            at = {at.x_m + of.pivot.x_m * 1e3, at.y_m + of.pivot.y_m * 1e3};
        }
        return at;
    }

    void ground() {
        const double string_y = ROW("string_y_mm");
        box(kGround, "string", 78, string_y, 300, string_y + 1.4);
        key_frame(ROW("front_rail_y_mm") + 3, ROW("back_rail_y_mm") + 3);
        if (has(keyboard::kWippen)) {
            const double wx = ROW("wippen_pivot_x_mm"), wy = ROW("wippen_pivot_y_mm");
            shape(kGround, "flange", {{wx - 5, wy - 6}, {wx + 12, wy - 6}, {wx + 12, wy + 7}, {wx - 5, wy + 7}});
        }
        if (has(keyboard::kHammer)) {
            const double hx = ROW("hammer_pivot_x_mm"), hy = ROW("hammer_pivot_y_mm");
            shape(kGround, "flange", {{hx - 30, hy - 5}, {hx + 5, hy - 6}, {hx + 6, hy + 5}, {hx - 30, hy + 8}});
            const double cx = ROW("rest_cushion_x_mm"), cy = ROW("rest_cushion_y_mm");
            shape(kGround, "felt", {{cx - 8, cy - 9}, {cx + 8, cy - 9}, {cx + 5, cy}, {cx, cy + 2}, {cx - 5, cy}});
        }
        if (has(keyboard::kJack)) {
            const double bx = ROW("let_off_button_x_mm"), by = ROW("let_off_button_y_mm"),
                         br = ROW("let_off_button_radius_mm");
            box(kGround, "metal", bx - 1, by, bx + 1, by + 24);
            circle(kGround, "felt", bx, by, br);
        }
        if (has(keyboard::kLever)) {
            const double sx = ROW("drop_screw_x_mm"), sy = lowest_y_ + ROW("drop_screw_y_mm");
            box(kGround, "metal", sx - 1.2, sy, sx + 1.2, sy + 12);
            circle(kGround, "metal", sx, sy, 3);
        }
    }

    void key() {
        using keyboard::kKey;
        key_stick(kKey, origin(kKey));
        const double cx = ROW("capstan_x_mm"), cy = ROW("capstan_y_mm"), cr = ROW("capstan_radius_mm");
        box(kKey, "metal", cx - 2, 22, cx + 2, cy);
        band(kKey, "metal", cx, cy, 0, cr, 0, kRound);
        const double bx = ROW("backcheck_x_mm"), by = ROW("backcheck_y_mm"), br = ROW("backcheck_radius_mm");
        const double from = 0.66 * kRound, to = 0.92 * kRound, middle = 0.79 * kRound;
        const Point foot{212, 23};
        const Point block{bx + (br - 10) * std::cos(middle), by + (br - 10) * std::sin(middle)};
        shape(kKey, "metal",
              {{foot.x_m - 1, foot.y_m},
               {foot.x_m + 1, foot.y_m},
               {block.x_m + 1, block.y_m},
               {block.x_m - 1, block.y_m}});
        band(kKey, "wood", bx, by, std::max(0.0, br - 12), br - 3, from, to);
        band(kKey, "leather", bx, by, br - 3, br, from, to);
        const double dx = ROW("damper_x_mm");
        if (damped_) shape(kKey, "felt", {{dx - 6, 24}, {dx + 6, 24}, {dx + 4, 29}, {dx, 30}, {dx - 4, 29}});
    }

    void wippen() {
        using keyboard::kWippen;
        const double heel_y = ROW("heel_y_mm"), cx = ROW("capstan_x_mm");
        const double lx = ROW("lever_pivot_x_mm"), ly = ROW("lever_pivot_y_mm");
        const double jx = ROW("jack_pivot_x_mm"), jy = ROW("jack_pivot_y_mm");
        const double px = ROW("wippen_pivot_x_mm"), py = ROW("wippen_pivot_y_mm");
        shape(kWippen, "wood",
              {{px + 5, py - 4},
               {px + 5, py + 4},
               {px - 22, py + 9},
               {lx + 12, py + 12},
               {lx + 5, ly + 4},
               {lx - 5, ly + 4},
               {lx - 8, py + 10},
               {jx + 6, jy + 6},
               {jx - 5, jy + 5},
               {jx - 6, jy - 5},
               {cx - 10, heel_y + 12},
               {cx + 13, heel_y + 12},
               {px - 20, py - 7}});
        box(kWippen, "wood", cx - 10, heel_y + 3, cx + 13, heel_y + 14);
        box(kWippen, "felt", cx - 11, heel_y, cx + 14, heel_y + 3.5);
        for (const auto& [x, y] : {std::pair{px, py}, {jx, jy}, {lx, ly}}) circle(kWippen, "pin", x, y, 2);
        box(kWippen, "felt", 133, ROW("lever_stop_y_mm") - 4, 137, ROW("lever_stop_y_mm") + 2);
    }

    void jack() {
        using keyboard::kJack;
        const double face_x = knuckle_x_ + ROW("jack_overlap_mm"), top_y = lowest_y_ + ROW("jack_top_mm");
        const double corner = ROW("jack_corner_radius_mm"), length = ROW("jack_top_length_mm");
        const double jx = ROW("jack_pivot_x_mm"), jy = ROW("jack_pivot_y_mm"), tender_y = ROW("jack_tender_y_mm");
        std::vector<Point> points{{face_x - length, top_y}};
        for (const Point& p : arc({face_x - corner, top_y - corner}, corner, kRound / 2, 0, 5)) points.push_back(p);
        for (const auto& [x, y] : {std::pair{face_x, top_y - 9},
                                   {82.2, 95.0},
                                   {82.2, 80.0},
                                   {jx + 5, jy + 2},
                                   {jx + 4, jy - 4},
                                   {jx - 6, jy - 4},
                                   {51.0, tender_y - 5},
                                   {50.0, tender_y},
                                   {66.0, tender_y},
                                   {73.0, tender_y + 6},
                                   {74.5, 84.0},
                                   {face_x - length, top_y - 8}})
            points.push_back({x, y});
        shape(kJack, "wood2", points);
        circle(kJack, "pin", jx, jy, 1.6);
    }

    void lever() {
        using keyboard::kLever;
        const double y = lowest_y_ + ROW("lever_height_mm");
        const double lx = ROW("lever_pivot_x_mm"), ly = ROW("lever_pivot_y_mm");
        shape(kLever, "wood3",
              {{56, y - 1},
               {58, y},
               {96, y},
               {lx, ly + 6.5},
               {144, ly + 1.5},
               {144, 90},
               {128, 90},
               {lx, ly - 6},
               {96, y - 8},
               {60, y - 6.5},
               {56, y - 4}});
        box(kLever, "leather", 58, y - 2, 75, y);
        circle(kLever, "pin", lx, ly, 1.6);
    }

    void hammer() {
        using keyboard::kHammer;
        const bool flexible = keyboard::has_flexible_shank(values_);
        const int head = flexible ? keyboard::kHead : kHammer;
        const double hinge = flexible ? ROW("shank_hinge_mm") : 24;
        const double kx = ROW("knuckle_x_mm"), ky = ROW("knuckle_y_mm"), kr = ROW("knuckle_radius_mm");
        shape(kHammer, "wood", {{-4, -4}, {kx + 10, -4}, {hinge + 1, -2.4}, {hinge + 1, 2.4}, {kx + 8, 4}, {-4, 4}});
        shape(head, "wood", {{hinge, -2.4}, {126, -2.4}, {126, 2.4}, {hinge, 2.4}});
        circle(kHammer, "leather", kx, ky, kr);
        circle(kHammer, "pin", 0, 0, 2);
        const double tx = ROW("tail_x_mm"), ty = ROW("tail_y_mm"), tr = ROW("tail_radius_mm");
        std::vector<Point> wood = arc({tx, ty}, tr, -0.55 * kRound, 0.1 * kRound, 10);
        const double x = ROW("crown_x_mm"), y = ROW("crown_y_mm"), r = ROW("crown_radius_mm");
        for (const auto& [px, py] : {std::pair{x + 6.5, 5.0},
                                     {x + 3.0, y - 8},
                                     {x, y - 3},
                                     {x - 3.0, y - 8},
                                     {x - 6.0, 5.0},
                                     {x - 8, -3.0},
                                     {x - 11, -12.0}})
            wood.push_back({px, py});
        std::vector<Point> felt = arc({x, y}, r, -0.05 * kRound, 1.05 * kRound, 14);
        for (const auto& [px, py] : {std::pair{x - r - 2.6, y - 12},
                                     {x - r - 1.5, y - 22},
                                     {x - 5.6, y - 27},
                                     {x - 2.6, y - 10},
                                     {x, y - 5.0},
                                     {x + 2.6, y - 10},
                                     {x + 5.6, y - 27},
                                     {x + r + 1.5, y - 22},
                                     {x + r + 2.6, y - 12}})
            felt.push_back({px, py});
        shape(head, "wood", wood);
        shape(head, "felt", felt);
    }

    void damper() {
        if (!damped_) return;
        using keyboard::kDamper;
        const double x = ROW("damper_x_mm"), flat_y = 30 + ROW("damper_gap_mm"), string_y = ROW("string_y_mm");
        shape(kDamper, "wood", {{x - 12, flat_y}, {252, flat_y + 2}, {252, flat_y + 9}, {x - 12, flat_y + 6}});
        box(kDamper, "metal", 243, flat_y + 8, 244.4, string_y + 12);
        shape(kDamper, "felt",
              {{230, string_y + 1.4}, {256, string_y + 1.4}, {254, string_y + 9}, {232, string_y + 9}});
        box(kDamper, "wood2", 230, string_y + 9, 256, string_y + 22);
    }

    const GrandValues& values_;
    const bool damped_;
    const std::vector<bool> moves_;
    double knuckle_x_ = 0, lowest_y_ = 0;
};

#undef ROW

}  // namespace

core::ActionDrawing draw_grand(const keyboard::KeyBuild& key, const core::Mechanism& mechanism,
                               std::vector<bool> moves) {
    return Sheet(key, mechanism, std::move(moves)).draw();
}

}  // namespace letoff::ui
