#include "keyboard/action/grand.h"

#include <algorithm>
#include <cmath>

#include "core/simd/scalar_math.h"

namespace letoff::keyboard {
namespace {

using core::Contact;
using core::ContactKind;
using core::Felt;
using core::kGround;
using core::Point;

constexpr double kMm = 1e-3;
constexpr double kParked_m = 0.05;  // a damper that is not there: out of reach of key and tray

/// Reads rows in SI and turns points of the drawing into body frames.
class Drawing {
  public:
    explicit Drawing(const GrandValues& values) : values_(values) {}

    double raw(std::size_t row) const { return values_[row]; }
    double mm(std::size_t row) const { return values_[row] * kMm; }
    Point at(std::size_t x_row, std::size_t y_row) const { return {mm(x_row), mm(y_row)}; }

  private:
    const GrandValues& values_;
};

Point minus(Point a, Point b) {
    return {a.x_m - b.x_m, a.y_m - b.y_m};
}
Point mm(double x, double y) {
    return {x * kMm, y * kMm};
}

// A shank of maple: 5 mm square, 750 kg/m3 (Thorin, table 3).
constexpr double kShank_kg_per_m = 0.01875;

/// Takes what lies beyond the hinge off the hammer and makes the head of it: the hammer keeps a rod of the shank.
void split_hammer(core::Body& hammer, double hinge_m, double damping_Nms, core::Body& head) {
    const double stub_kg = kShank_kg_per_m * hinge_m, stub_kgm2 = stub_kg * hinge_m * hinge_m / 3;
    const double kg = hammer.mass_kg - stub_kg;
    const Point com{(hammer.mass_kg * hammer.com.x_m - stub_kg * 0.5 * hinge_m) / kg,
                    hammer.mass_kg * hammer.com.y_m / kg};
    // About its own centre of mass, then about the hinge; never less than a point mass there has.
    const double at_com_kgm2 =
        std::max(0.0, hammer.inertia_kgm2 - stub_kgm2 - kg * (com.x_m * com.x_m + com.y_m * com.y_m));
    const Point from_hinge{com.x_m - hinge_m, com.y_m};
    head = core::Body{
        .name = "hammer_head",
        .parent = kHammer,
        .pivot = {hinge_m, 0},
        .mass_kg = kg,
        .inertia_kgm2 = at_com_kgm2 + kg * (from_hinge.x_m * from_hinge.x_m + from_hinge.y_m * from_hinge.y_m),
        .com = from_hinge,
        .viscous = damping_Nms,
        .drawn_coordinate = hammer.drawn_coordinate};
    hammer.mass_kg = stub_kg;
    hammer.inertia_kgm2 = stub_kgm2;
    hammer.com = {0.5 * hinge_m, 0};
}

#define ROW(id) grand_row(id)
#define FELT(name)                                                                         \
    Felt {                                                                                 \
        d.raw(ROW(name "_felt_k")), d.raw(ROW(name "_felt_r")), d.raw(ROW(name "_felt_b")) \
    }

#define BODY(title, prefix, parent_body, pivot_point, drawn)                                                        \
    core::Body {                                                                                                    \
        .name = (title), .parent = (parent_body), .pivot = (pivot_point), .mass_kg = d.raw(ROW(prefix "_mass_kg")), \
        .inertia_kgm2 = d.raw(ROW(prefix "_inertia_kgm2")),                                                         \
        .com = d.at(ROW(prefix "_com_x_mm"), ROW(prefix "_com_y_mm")),                                              \
        .dry_friction = d.raw(ROW(prefix "_dry_friction_Nm")), .viscous = d.raw(ROW(prefix "_viscous_Nms")),        \
        .drawn_coordinate = (drawn)                                                                                 \
    }

}  // namespace

core::Mechanism make_grand(const GrandValues& values, bool damped, const FingerTip& finger) {
    const Drawing d(values);
    const Point balance = mm(0, 5);
    const Point wippen = d.at(ROW("wippen_pivot_x_mm"), ROW("wippen_pivot_y_mm"));
    const Point jack = d.at(ROW("jack_pivot_x_mm"), ROW("jack_pivot_y_mm"));
    const Point lever = d.at(ROW("lever_pivot_x_mm"), ROW("lever_pivot_y_mm"));
    const Point hammer = d.at(ROW("hammer_pivot_x_mm"), ROW("hammer_pivot_y_mm"));
    const double hammer_angle = d.raw(ROW("hammer_drawn_angle_rad"));

    core::Mechanism m;
    const bool flexible = has_flexible_shank(values);
    m.bodies.resize(flexible ? kGrandBodies : kHead);
    m.bodies[kKey] = BODY("key", "key", kGround, balance, 0.0);
    m.bodies[kWippen] = BODY("wippen", "wippen", kGround, wippen, 0.0);
    m.bodies[kJack] = BODY("jack", "jack", kWippen, minus(jack, wippen), 0.0);
    m.bodies[kLever] = BODY("repetition_lever", "lever", kWippen, minus(lever, wippen), 0.0);
    m.bodies[kHammer] = BODY("hammer", "hammer", kGround, hammer, hammer_angle);
    m.bodies[kDamper] = core::Body{.name = "damper",
                                   .guided = true,
                                   .guide = {0, 1},
                                   .mass_kg = d.raw(ROW("damper_mass_kg")),
                                   .dry_friction = d.raw(ROW("damper_dry_friction_N")),
                                   .viscous = d.raw(ROW("damper_viscous_Ns_per_m"))};
    m.bodies[kFinger] = core::Body{.name = "finger", .guided = true, .guide = {0, -1}, .mass_kg = finger.mass_kg};
    const Point hinge = mm(flexible ? d.raw(ROW("shank_hinge_mm")) : 0.0, 0);
    if (flexible) split_hammer(m.bodies[kHammer], hinge.x_m, d.raw(ROW("shank_damping_Nms")), m.bodies[kHead]);
    const GrandBody head = flexible ? kHead : kHammer;
    const auto on_head = [&](Point p) { return minus(p, hinge); };  // what lies beyond the hinge goes with the head

    m.springs = {{"jack spring", kJack, d.raw(ROW("jack_spring_Nm_per_rad")), d.raw(ROW("jack_spring_rest_rad"))},
                 {"repetition spring", kLever, d.raw(ROW("repetition_spring_Nm_per_rad")),
                  d.raw(ROW("repetition_spring_rest_rad"))}};
    if (flexible) m.springs.push_back({"shank", kHead, d.raw(ROW("shank_stiffness_Nm_per_rad")), 0.0});

    // The drawing measures jack, lever and drop screw from the knuckle's lowest point at the drawn rest.
    const Point knuckle_centre = d.at(ROW("knuckle_x_mm"), ROW("knuckle_y_mm"));
    const double knuckle_radius = d.mm(ROW("knuckle_radius_mm"));
    const double c = std::cos(hammer_angle), s = std::sin(hammer_angle);
    const double knuckle_x = hammer.x_m + c * knuckle_centre.x_m - s * knuckle_centre.y_m;
    const double lowest_y = hammer.y_m + s * knuckle_centre.x_m + c * knuckle_centre.y_m - knuckle_radius;
    const auto on_key = [&](double x, double y) { return minus({x, y}, balance); };
    const auto on_wippen = [&](double x, double y) { return minus({x, y}, wippen); };
    const auto on_jack = [&](double x, double y) { return minus({x, y}, jack); };
    const auto on_lever = [&](double x, double y) { return minus({x, y}, lever); };

    m.contacts.resize(kGrandContacts);
    const auto circle_line = [&](GrandContact id, const char* name, int circle_body, Point centre, double radius,
                                 int line_body, Point from, Point to, Felt felt, double mu = 0) {
        m.contacts[static_cast<size_t>(id)] = Contact{.name = name,
                                                      .circle_body = circle_body,
                                                      .circle_centre = centre,
                                                      .circle_radius_m = radius,
                                                      .other_body = line_body,
                                                      .line_from = from,
                                                      .line_to = to,
                                                      .felt = felt,
                                                      .mu = mu};
    };
    const double capstan_x = d.mm(ROW("capstan_x_mm")), heel_y = d.mm(ROW("heel_y_mm"));
    circle_line(kCapstanHeel, "capstan-heel", kKey, on_key(capstan_x, d.mm(ROW("capstan_y_mm"))),
                d.mm(ROW("capstan_radius_mm")), kWippen, on_wippen(capstan_x + 14 * kMm, heel_y),
                on_wippen(capstan_x - 11 * kMm, heel_y), FELT("heel"));

    const double corner = d.mm(ROW("jack_corner_radius_mm"));
    const double face_x = knuckle_x + d.mm(ROW("jack_overlap_mm")), top_y = lowest_y + d.mm(ROW("jack_top_mm"));
    m.contacts[kJackKnuckle] = Contact{.name = "jack-knuckle",
                                       .kind = ContactKind::circle_corner,
                                       .circle_body = kHammer,
                                       .circle_centre = knuckle_centre,
                                       .circle_radius_m = knuckle_radius,
                                       .other_body = kJack,
                                       .other_centre = on_jack(face_x - corner, top_y - corner),
                                       .other_radius_m = corner,
                                       .top_normal = {0, 1},
                                       .top_length_m = d.mm(ROW("jack_top_length_mm")) - corner,
                                       .face_length_m = d.mm(ROW("jack_face_length_mm")) - corner,
                                       .felt = FELT("knuckle"),
                                       .mu = d.raw(ROW("jack_knuckle_mu"))};
    const double lever_y = lowest_y + d.mm(ROW("lever_height_mm"));
    circle_line(kLeverKnuckle, "lever-knuckle", kHammer, knuckle_centre, knuckle_radius, kLever,
                on_lever(60 * kMm, lever_y), on_lever(95 * kMm, lever_y), FELT("knuckle"),
                d.raw(ROW("lever_knuckle_mu")));
    const double tender_y = d.mm(ROW("jack_tender_y_mm"));
    circle_line(kJackButton, "jack-let-off button", kGround,
                d.at(ROW("let_off_button_x_mm"), ROW("let_off_button_y_mm")), d.mm(ROW("let_off_button_radius_mm")),
                kJack, on_jack(51 * kMm, tender_y), on_jack(65 * kMm, tender_y), FELT("let_off_button"),
                d.raw(ROW("let_off_button_mu")));
    m.contacts[kTailBackcheck] =
        Contact{.name = "tail-backcheck",
                .kind = ContactKind::circle_circle,
                .circle_body = head,
                .circle_centre = on_head(d.at(ROW("tail_x_mm"), ROW("tail_y_mm"))),
                .circle_radius_m = d.mm(ROW("tail_radius_mm")),
                .other_body = kKey,
                .other_centre = on_key(d.mm(ROW("backcheck_x_mm")), d.mm(ROW("backcheck_y_mm"))),
                .other_radius_m = d.mm(ROW("backcheck_radius_mm")),
                .felt = FELT("backcheck"),
                .mu = d.raw(ROW("backcheck_mu"))};
    circle_line(kKeyFrontRail, "key-front rail", kGround, {kFingerPointX_m, d.mm(ROW("front_rail_y_mm"))}, 3 * kMm,
                kKey, on_key(-215 * kMm, 0), on_key(-235 * kMm, 0), FELT("front_rail"));
    circle_line(kKeyBackRail, "key-back rail", kGround, {kBackRailX_m, d.mm(ROW("back_rail_y_mm"))}, 3 * kMm, kKey,
                on_key(205 * kMm, 0), on_key(185 * kMm, 0), FELT("back_rail"));
    circle_line(kHammerRest, "hammer-rest cushion", kGround, d.at(ROW("rest_cushion_x_mm"), ROW("rest_cushion_y_mm")),
                2 * kMm, head, on_head(mm(125, -2)), on_head(mm(75, -2)), FELT("rest_cushion"),
                d.raw(ROW("rest_cushion_mu")));
    circle_line(kLeverDropScrew, "lever-drop screw", kGround,
                {d.mm(ROW("drop_screw_x_mm")), lowest_y + d.mm(ROW("drop_screw_y_mm"))}, 3 * kMm, kLever,
                on_lever(58 * kMm, lever_y), on_lever(75 * kMm, lever_y), FELT("drop_screw"),
                d.raw(ROW("drop_screw_mu")));
    const double jack_back_x = d.mm(ROW("jack_stop_x_mm")) - 2 * kMm;
    circle_line(kJackStop, "jack stop", kWippen, on_wippen(jack_back_x + 2 * kMm, d.mm(ROW("jack_stop_y_mm"))), 2 * kMm,
                kJack, on_jack(82.2 * kMm, 95 * kMm), on_jack(82.2 * kMm, 85 * kMm), FELT("jack_stop"));
    circle_line(kLeverStop, "lever stop", kWippen, on_wippen(135 * kMm, d.mm(ROW("lever_stop_y_mm"))), 2 * kMm, kLever,
                on_lever(142 * kMm, 90 * kMm), on_lever(128 * kMm, 90 * kMm), FELT("lever_stop"));
    // The window ends level with the lever's centre: what the jack does there does not turn the lever.
    const double jack_front_x = 82.2 * kMm - d.mm(ROW("jack_top_length_mm"));
    circle_line(kJackWindow, "jack-window", kLever,
                on_lever(jack_front_x - d.mm(ROW("jack_window_mm")) - 2 * kMm, lever.y_m), 2 * kMm, kJack,
                on_jack(jack_front_x, 80 * kMm), on_jack(jack_front_x, 110 * kMm), FELT("jack_stop"));

    // Damper: the key tail lifts it by a flat at y = 30 mm above the tail's circle; the pedal's tray lifts it from
    // below, beside the tail.
    const double x = d.mm(ROW("damper_x_mm")), flat_y = 30 * kMm + (damped ? d.mm(ROW("damper_gap_mm")) : kParked_m);
    const double top = 161 * kMm;
    circle_line(kKeyDamper, "key-damper", kKey, on_key(x, 26 * kMm), 4 * kMm, kDamper, {x + 10 * kMm, flat_y},
                {x - 10 * kMm, flat_y}, FELT("damper_lever"));
    circle_line(kDamperString, "damper-string", kGround, {x, 160 * kMm}, 1 * kMm, kDamper, {x + 5 * kMm, top},
                {x - 5 * kMm, top}, FELT("damper_string"));
    circle_line(kDamperTray, "damper-tray", kGround,
                {x + 5 * kMm, flat_y - 2 * kMm - (damped ? d.mm(ROW("tray_gap_mm")) : kParked_m)}, 2 * kMm, kDamper,
                {x + 10 * kMm, flat_y}, {x - 10 * kMm, flat_y}, FELT("damper_lever"));
    m.contacts[kDamperTray].moving = true;
    circle_line(kDamperStop, "damper-stop rail", kGround, {x, top + 1 * kMm + d.mm(ROW("damper_stop_mm"))}, 1 * kMm,
                kDamper, {x - 5 * kMm, top}, {x + 5 * kMm, top}, FELT("damper_lever"));
    circle_line(kFingerKey, "finger-key", kFinger, {-touch_arm_m(values), kKeyTopY_m + finger.radius_m},
                finger.radius_m, kKey, on_key(-0.238, kKeyTopY_m), on_key(-0.010, kKeyTopY_m), finger.pulp);
    return m;
}

bool has_flexible_shank(const GrandValues& values) {
    return values[grand_row("shank_stiffness_Nm_per_rad")] > 0;
}

double touch_arm_m(const GrandValues& values) {
    const Drawing d(values);
    const double lever = d.raw(ROW("key_lever_mm"));
    return -kFingerPointX_m * ((lever - d.raw(ROW("touch_point_mm"))) / lever);
}

double free_dip_m(const GrandValues& values) {
    return -values[grand_row("front_rail_y_mm")] * kMm - 3 * kMm;  // a punching of 3 mm (make_grand)
}

core::FingerSetting finger_for(const GrandValues& values) {
    core::FingerSetting f;
    const double share = touch_arm_m(values) / -kFingerPointX_m;
    f.learnt_force_N /= share;
    f.learnt_mass_kg /= share * share;
    f.stroke_end_m *= share;
    f.hold_N /= share;
    return f;
}

CrownGeometry crown_geometry(const GrandValues& values) {
    const Drawing d(values);
    const bool flexible = has_flexible_shank(values);
    const double hinge_m = flexible ? d.mm(ROW("shank_hinge_mm")) : 0.0;
    return {d.mm(ROW("crown_x_mm")) - hinge_m, d.mm(ROW("crown_y_mm")), hinge_m,
            d.mm(ROW("string_y_mm")) - d.mm(ROW("hammer_pivot_y_mm")) - d.mm(ROW("crown_radius_mm")),
            flexible ? kHead : kHammer};
}

CrownGeometry::Pose CrownGeometry::at(double hammer_angle_rad, double head_angle_rad) const {
    const core::SinCos a = core::small_sincos(head_angle_rad);
    const double height_m = a.sin * x_m + a.cos * y_m, head_arm_m = a.cos * x_m - a.sin * y_m;
    if (carrier == kHammer) return {under_string_m - height_m, head_arm_m, head_arm_m};
    const core::SinCos h = core::small_sincos(hammer_angle_rad);
    return {under_string_m - (height_m + h.sin * hinge_m), head_arm_m + h.cos * hinge_m, head_arm_m};
}

}  // namespace letoff::keyboard
