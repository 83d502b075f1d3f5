#include "ui/app/page/upright_drawing.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "keyboard/action/grand.h"
#include "keyboard/action/upright_numbers.h"
#include "ui/app/page/drawing_sheet.h"

namespace letoff::ui {
namespace {

using core::Contact;
using core::kGround;
using core::Point;
using namespace keyboard;

constexpr double kMm = 1e-3;

double number(std::size_t index) {
    return kUprightNumbers[index].value;
}
#define AT(id) number(upright_number(id))

class Sheet : DrawingSheet {
  public:
    Sheet(const core::Mechanism& mechanism, bool damped) : DrawingSheet(mechanism), damped_(damped) {}

    core::ActionDrawing draw() {
        ground();
        key();
        if (damped_) damper();
        hammer();
        check();
        jack();
        wippen();
        return finished(0.305);
    }

  private:
    /// Points in mm of the body's own frame.
    void own(int body, const char* kind, const std::vector<Point>& points_mm) { add(body, kind, points_mm, {}); }
    /// Points in mm of the drawing, every coordinate 0.
    void drawn(int body, const char* kind, Outline points_mm) {
        add(body, kind, points_of(points_mm), origin_mm(body));
    }
    void drawn_box(int body, const char* kind, double left, double bottom, double right, double top) {
        add(body, kind, corners(left, bottom, right, top), origin_mm(body));
    }
    void disc(int body, const char* kind, Point centre_mm, double radius_mm) {
        own(body, kind, ring(centre_mm, radius_mm));
    }
    void pin(int body) { disc(body, "pin", {0, 0}, 2); }
    Point origin_mm(int body) const {
        Point at{};
        for (int b = body; b != kGround; b = mechanism_.bodies[static_cast<std::size_t>(b)].parent) {
            const core::Body& of = mechanism_.bodies[static_cast<std::size_t>(b)];
            if (!of.guided) at = {at.x_m + of.pivot.x_m / kMm, at.y_m + of.pivot.y_m / kMm};
        }
        return at;
    }
    /// The felt of a contact: its circle, and a strip behind its line.
    void circle_of(GrandContact id, const char* kind) {
        const Contact& c = mechanism_.contacts[static_cast<std::size_t>(id)];
        disc(c.circle_body, kind, {c.circle_centre.x_m / kMm, c.circle_centre.y_m / kMm}, c.circle_radius_m / kMm);
    }
    void strip_of(GrandContact id, const char* kind, double thick_mm) {
        const Contact& c = mechanism_.contacts[static_cast<std::size_t>(id)];
        const Point a{c.line_from.x_m / kMm, c.line_from.y_m / kMm}, b{c.line_to.x_m / kMm, c.line_to.y_m / kMm};
        const double length = std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
        const Point in{(b.y_m - a.y_m) / length * thick_mm,
                       -(b.x_m - a.x_m) / length * thick_mm};  // against the normal
        own(c.other_body, kind, {a, b, {b.x_m + in.x_m, b.y_m + in.y_m}, {a.x_m + in.x_m, a.y_m + in.y_m}});
    }

    void ground() {
        const double string_x = AT("string_x_mm");
        drawn_box(kGround, "string", string_x, 50, string_x + 1.4, 300);
        key_frame(AT("front_rail_y_mm") + 3, -0.5);
        const double wx = AT("wippen_pivot_x_mm"), wy = AT("wippen_pivot_y_mm");
        drawn_box(kGround, "flange", wx - 4, wy - 4, wx + 16, wy + 12);
        const double hx = AT("butt_x_mm"), hy = AT("butt_y_mm");
        drawn(kGround, "flange",
              {{hx - 4, hy - 5}, {hx + 28, hy - 16}, {hx + 28, hy - 2}, {hx + 4, hy + 5}, {hx - 4, hy + 5}});
        drawn_box(kGround, "case", hx + 16, hy - 34, hx + 30, hy - 14);
        const double bx = AT("button_x_mm"), by = AT("button_y_mm");
        drawn_box(kGround, "metal", bx - 1, by, bx + 1, by + 30);
        circle_of(kJackButton, "felt");
        circle_of(kHammerRest, "felt");
        circle_of(kJackWindow, "felt");
        circle_of(kDamperStop, "felt");
        circle_of(kDamperTray, "metal");
    }
    void key() {
        key_stick(kKey, origin_mm(kKey));
        const double cx = AT("capstan_x_mm"), cy = AT("capstan_y_mm");
        drawn_box(kKey, "metal", cx - 2, 22, cx + 2, cy);
        circle_of(kCapstanHeel, "metal");
    }
    void wippen() {
        const double px = AT("wippen_pivot_x_mm"), py = AT("wippen_pivot_y_mm"), cx = AT("capstan_x_mm");
        const double heel_y = AT("heel_y_mm"), jx = AT("jack_x_mm"), jy = AT("jack_y_mm");
        const double wx = AT("wire_x_mm"), wy = AT("wire_y_mm");
        drawn(kWippen, "wood",
              {{px + 12, py - 4},
               {px + 12, py + 6},
               {jx + 8, py + 5},
               {jx + 5, jy + 4},
               {jx - 6, jy + 3},
               {jx - 10, py - 3},
               {wx + 6, wy - 4},
               {wx + 4, wy + 1},
               {wx - 5, wy + 1},
               {wx - 6, wy - 8},
               {cx - 14, heel_y + 10},
               {cx - 13, heel_y + 2},
               {cx + 13, heel_y + 2},
               {cx + 14, heel_y + 11}});
        strip_of(kCapstanHeel, "felt", 2.5);
        const double sx = AT("spoon_x_mm"), sy = AT("spoon_y_mm");
        if (damped_) {
            drawn(kWippen, "metal", {{px + 9, py + 4}, {px + 11, py + 4}, {sx + 1, sy}, {sx - 1, sy}});
            circle_of(kKeyDamper, "metal");
        }
        const double bx = AT("strap_wippen_x_mm"), by = AT("strap_wippen_y_mm");
        drawn(kWippen, "metal", {{wx + 9, wy - 4}, {wx + 10.4, wy - 4}, {bx + 0.7, by}, {bx - 0.7, by}});
        pin(kWippen);
    }
    void jack() {
        const double top = AT("jack_top_y_mm"), back = AT("jack_back_x_mm"), front = back - AT("jack_width_mm");
        const double jx = AT("jack_x_mm"), jy = AT("jack_y_mm"), toe = AT("toe_y_mm"), bx = AT("button_x_mm");
        drawn(kJack, "wood2",
              {{front, top},
               {back - 1, top},
               {back, top - 1},
               {back, jy + 8},
               {jx + 5, jy - 4},
               {jx - 6, jy - 4},
               {bx - 9, toe - 5},
               {bx - 9, toe},
               {bx + 9, toe},
               {jx - 6, toe + 3},
               {front, toe + 12}});
        pin(kJack);
    }
    void hammer() {
        const double cx = AT("crown_x_mm"), cy = AT("crown_y_mm"), r = AT("crown_radius_mm");
        const double hx = AT("catcher_x_mm"), hy = AT("catcher_y_mm");
        own(kHammer, "wood", {{-3, 8}, {3, 8}, {3, cy + 6}, {-3, cy + 6}});
        own(kHammer, "wood2",
            {{-18, -1}, {-16, -4}, {-9, -5}, {-8, -10}, {3, -6}, {7, 2}, {5, 16}, {-6, 16}, {-12, 6}, {-18, 4}});
        own(kHammer, "wood", {{-10, 3}, {hx + 4, hy - 2}, {hx + 4, hy + 2}, {-10, 9}});
        own(kHammer, "wood",
            {{-8, cy - 7},
             {8, cy - 8},
             {cx - 14, cy - 4},
             {cx - 4, cy - 1},
             {cx - 4, cy + 1},
             {cx - 14, cy + 4},
             {8, cy + 8},
             {-8, cy + 7}});
        std::vector<Point> felt = arc({cx, cy}, r, -0.5 * std::numbers::pi, 0.5 * std::numbers::pi, 14);
        for (const auto& [x, y] : {std::pair{cx - 14.0, cy + 9},
                                   {cx - 30.0, cy + 8},
                                   {cx - 6.0, cy + 1.5},
                                   {cx - 6.0, cy - 1.5},
                                   {cx - 30.0, cy - 8},
                                   {cx - 14.0, cy - 9}})
            felt.push_back({x, y});
        own(kHammer, "felt", felt);
        circle_of(kJackKnuckle, "leather");
        circle_of(kJackStop, "felt");
        circle_of(kTailBackcheck, "leather");
        pin(kHammer);
    }
    void check() {
        const Contact& c = mechanism_.contacts[kTailBackcheck];
        const Point centre{c.other_centre.x_m / kMm, c.other_centre.y_m / kMm};
        const double r = c.other_radius_m / kMm, from = 0.0, to = 0.13 * std::numbers::pi;
        std::vector<Point> block = arc(centre, r, from, to, 8);
        for (const Point& p : arc(centre, r - 8, to, from, 8)) block.push_back(p);
        const Point foot{centre.x_m + (r - 5) * std::cos(0.1), centre.y_m + (r - 5) * std::sin(0.1)};
        own(kLever, "metal", {{-1, 0}, {1, 0}, {foot.x_m + 1, foot.y_m}, {foot.x_m - 1, foot.y_m}});
        own(kLever, "felt", block);
    }
    void damper() {
        const double px = AT("damper_x_mm"), py = AT("damper_y_mm"), arm = AT("damper_arm_mm");
        const double string_x = AT("string_x_mm");
        drawn(kDamper, "wood",
              {{px - 0.5, py - arm - 12}, {px + 7, py - arm - 12}, {px + 6, py + 14}, {px - 3, py + 14}});
        drawn_box(kDamper, "metal", px, py + 10, px + 1.4, py + arm);
        drawn_box(kDamper, "wood2", string_x - 8, py + arm - 8, string_x - 5, py + arm + 8);
        drawn_box(kDamper, "felt", string_x - 5, py + arm - 10, string_x, py + arm + 10);
        pin(kDamper);
    }

    const bool damped_;
};

#undef AT

}  // namespace

core::ActionDrawing draw_upright(const core::Mechanism& upright, bool damped) {
    return Sheet(upright, damped).draw();
}

}  // namespace letoff::ui
