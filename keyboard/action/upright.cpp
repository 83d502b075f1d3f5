#include "keyboard/action/upright.h"

#include "keyboard/action/upright_parts.h"

namespace letoff::keyboard {
namespace {

using core::Contact;
using core::ContactKind;
using core::kGround;
using core::Point;

constexpr double kMm = 1e-3;
constexpr double kParked_m = 0.05;  // a damper that is not there: out of reach of spoon and rod

#define FELT(id) upright_felt(id)
#define MM_OF(parts, id) (parts).mm(upright_number(id))

/// Builds the mechanism from the parts.
class Builder {
  public:
    Builder(const UprightParts& parts, bool damped, FeltCurves kind)
        : p_(parts), damped_(damped), curves_(upright_curves(kind)) {}

    core::Mechanism build() {
        bodies();
        key_and_wippen();
        jack();
        hammer();
        damper();
        m_.contacts[kFingerKey] = Contact{.name = "finger-key",
                                          .circle_body = kFinger,
                                          .circle_centre = {-touch_arm_m(p_.values()), kKeyTopY_m + tip_.radius_m},
                                          .circle_radius_m = tip_.radius_m,
                                          .other_body = kKey,
                                          .line_from = on_key(-0.238, kKeyTopY_m),
                                          .line_to = on_key(-0.010, kKeyTopY_m),
                                          .felt = tip_.pulp};
        return std::move(m_);
    }

  private:
#define AT(x, y) \
    Point { p_.mm(upright_number(x)), p_.mm(upright_number(y)) }
#define RAW(id) p_.raw(upright_number(id))
#define MM(id) p_.mm(upright_number(id))
#define ROW(id) p_.row(grand_row(id))

    static Point minus(Point a, Point b) { return {a.x_m - b.x_m, a.y_m - b.y_m}; }
    Point on_key(double x_m, double y_m) const { return {x_m, y_m - 5 * kMm}; }

    void bodies() {
        m_.bodies.resize(kHead);
        m_.bodies[kKey] = core::Body{.name = "key",
                                     .pivot = {0, 5 * kMm},
                                     .mass_kg = ROW("key_mass_kg"),
                                     .inertia_kgm2 = ROW("key_inertia_kgm2"),
                                     .com = {MM("key_com_x_mm"), ROW("key_com_y_mm") * kMm},
                                     .dry_friction = ROW("key_dry_friction_Nm"),
                                     .viscous = ROW("key_viscous_Nms")};
        m_.bodies[kWippen] = core::Body{.name = "wippen",
                                        .pivot = wippen_,
                                        .mass_kg = RAW("wippen_mass_kg"),
                                        .inertia_kgm2 = RAW("wippen_inertia_kgm2"),
                                        .com = AT("wippen_com_x_mm", "wippen_com_y_mm"),
                                        .dry_friction = ROW("wippen_dry_friction_Nm"),
                                        .viscous = ROW("wippen_viscous_Nms")};
        m_.bodies[kJack] = core::Body{.name = "jack",
                                      .parent = kWippen,
                                      .pivot = minus(jack_, wippen_),
                                      .mass_kg = RAW("jack_mass_kg"),
                                      .inertia_kgm2 = RAW("jack_inertia_kgm2"),
                                      .com = AT("jack_com_x_mm", "jack_com_y_mm"),
                                      .dry_friction = ROW("jack_dry_friction_Nm"),
                                      .viscous = ROW("jack_viscous_Nms")};
        m_.bodies[kLever] = core::Body{.name = "backcheck",
                                       .parent = kWippen,
                                       .pivot = minus(wire_, wippen_),
                                       .mass_kg = RAW("check_mass_kg"),
                                       .inertia_kgm2 = RAW("check_inertia_kgm2"),
                                       .com = AT("check_com_x_mm", "check_com_y_mm"),
                                       .viscous = RAW("wire_Nms")};
        m_.bodies[kHammer] = core::Body{.name = "hammer",
                                        .pivot = butt_,
                                        .mass_kg = RAW("hammer_mass_kg"),
                                        .inertia_kgm2 = RAW("hammer_inertia_kgm2"),
                                        .com = AT("hammer_com_x_mm", "hammer_com_y_mm"),
                                        .dry_friction = RAW("hammer_dry_friction_Nm"),
                                        .viscous = ROW("hammer_viscous_Nms"),
                                        .drawn_coordinate = RAW("hammer_drawn_rad")};
        m_.bodies[kDamper] = core::Body{.name = "damper",
                                        .pivot = damper_,
                                        .mass_kg = RAW("damper_mass_kg"),
                                        .inertia_kgm2 = RAW("damper_inertia_kgm2"),
                                        .com = AT("damper_com_x_mm", "damper_com_y_mm"),
                                        .dry_friction = RAW("damper_dry_friction_Nm"),
                                        .viscous = RAW("damper_viscous_Nms")};
        m_.bodies[kFinger] = core::Body{.name = "finger", .guided = true, .guide = {0, -1}, .mass_kg = tip_.mass_kg};
        m_.springs = {{"jack spring", kJack, RAW("jack_spring_Nm_per_rad"), RAW("jack_spring_rest_rad")},
                      {"backcheck wire", kLever, RAW("wire_Nm_per_rad"), 0},
                      {"butt spring", kHammer, RAW("butt_spring_Nm_per_rad"), RAW("butt_spring_rest_rad")},
                      {"damper spring", kDamper, RAW("damper_spring_Nm_per_rad"), RAW("damper_spring_rest_rad")}};
        m_.contacts.resize(kGrandContacts);
        // No drop screw: ground on ground, a metre apart.
        m_.contacts[kLeverDropScrew] = Contact{.name = "none", .circle_centre = {-0.5, -1}, .line_to = {-1, 0}};
    }

    Contact& felt(GrandContact id, const char* name, std::size_t felt, double mu = 0) {
        Contact& c = m_.contacts[static_cast<std::size_t>(id)];
        c.name = name;
        c.curve = &curves_[felt];
        c.felt.k = felt_scale(felt);
        c.mu = mu;
        return c;
    }
    double felt_scale(std::size_t felt) const {
        for (std::size_t i = 0; i < kGrandRowCount; ++i) {
            if (kGrandRows[i].id == kUprightFelts[felt].row) return p_.ratio(i);
        }
        return 1;
    }
    static void circle(Contact& c, int body, Point centre, double radius_m) {
        c.circle_body = body;
        c.circle_centre = centre;
        c.circle_radius_m = radius_m;
    }
    static void line(Contact& c, int body, Point from, Point to) {
        c.other_body = body;
        c.line_from = from;
        c.line_to = to;
    }

    void key_and_wippen() {
        const double x = MM("capstan_x_mm"), heel_y = MM("heel_y_mm");
        Contact& heel = felt(kCapstanHeel, "capstan-heel", FELT("heel"));
        circle(heel, kKey, on_key(x, MM("capstan_y_mm")), 6 * kMm);
        line(heel, kWippen, minus({x + 14 * kMm, heel_y}, wippen_), minus({x - 14 * kMm, heel_y}, wippen_));
        Contact& front = felt(kKeyFrontRail, "key-front rail", FELT("front_rail"));
        circle(front, kGround, {kFingerPointX_m, MM("front_rail_y_mm")}, 3 * kMm);
        line(front, kKey, on_key(-0.215, 0), on_key(-0.235, 0));
        Contact& back = felt(kKeyBackRail, "key-back rail", FELT("back_rail"));
        circle(back, kGround, {kBackRailX_m, ROW("back_rail_y_mm") * kMm}, 3 * kMm);
        line(back, kKey, on_key(0.205, 0), on_key(0.185, 0));
    }

    void jack() {
        const double top = MM("jack_top_y_mm"), back = MM("jack_back_x_mm"), corner = MM("jack_corner_mm");
        const double front = back - MM("jack_width_mm");
        const auto on_jack = [&](double x, double y) { return minus({x, y}, jack_); };
        Contact& bears = felt(kJackKnuckle, "jack-butt", FELT("butt"), ROW("jack_knuckle_mu"));
        bears.kind = ContactKind::circle_corner;
        circle(bears, kHammer, AT("bearing_x_mm", "bearing_y_mm"), MM("bearing_radius_mm"));
        bears.other_body = kJack;
        bears.other_centre = on_jack(back - corner, top - corner);
        bears.other_radius_m = corner;
        bears.top_length_m = MM("jack_width_mm") - corner;
        bears.face_length_m = MM("jack_face_mm") - corner;
        Contact& notch = felt(kJackStop, "jack-notch", FELT("notch"));
        circle(notch, kHammer, AT("notch_x_mm", "notch_y_mm"), MM("notch_radius_mm"));
        line(notch, kJack, on_jack(back, top), on_jack(back, top - MM("jack_face_mm")));
        Contact& button = felt(kJackButton, "toe-let-off button", FELT("let_off_button"), ROW("let_off_button_mu"));
        circle(button, kGround, AT("button_x_mm", "button_y_mm"), MM("button_radius_mm"));
        const double toe = MM("toe_y_mm"), toe_x = MM("button_x_mm");
        line(button, kJack, on_jack(toe_x - 8 * kMm, toe), on_jack(toe_x + 8 * kMm, toe));
        // The rail stands before the jack's upper third.
        const double rail_y = top - 12 * kMm;
        Contact& rail = felt(kJackWindow, "jack-stop rail", FELT("jack_stop"));
        circle(rail, kGround, {front - MM("jack_stop_rail_mm") - 2 * kMm, rail_y}, 2 * kMm);
        line(rail, kJack, on_jack(front, top - 30 * kMm), on_jack(front, top));
        // On the wippen behind the jack, 25 mm up: met when the jack has fallen back by that angle.
        const double stop_y = 25 * kMm;
        Contact& stop = felt(kLeverStop, "jack-wippen stop", FELT("jack_stop"));
        circle(stop, kWippen,
               minus({back + RAW("jack_wippen_stop_rad") * stop_y + 2 * kMm, jack_.y_m + stop_y}, wippen_), 2 * kMm);
        line(stop, kJack, on_jack(back, top - 10 * kMm), on_jack(back, jack_.y_m + 10 * kMm));
    }

    void hammer() {
        Contact& check = felt(kTailBackcheck, "catcher-backcheck", FELT("backcheck"), ROW("backcheck_mu"));
        check.kind = ContactKind::circle_circle;
        circle(check, kHammer, AT("catcher_x_mm", "catcher_y_mm"), MM("catcher_radius_mm"));
        check.other_body = kLever;
        check.other_centre = minus(AT("check_x_mm", "check_y_mm"), wire_);
        check.other_radius_m = MM("check_radius_mm");
        Contact& rest = felt(kHammerRest, "shank-rest rail", FELT("rest_rail"), ROW("rest_cushion_mu"));
        circle(rest, kGround, AT("rest_rail_x_mm", "rest_rail_y_mm"), MM("rest_rail_radius_mm"));
        line(rest, kHammer, {-3 * kMm, 60 * kMm}, {-3 * kMm, 110 * kMm});
        rest.moving = true;
        Contact& strap = m_.contacts[kLeverKnuckle];
        strap.name = "bridle strap";
        strap.kind = ContactKind::strap;
        circle(strap, kHammer, AT("strap_butt_x_mm", "strap_butt_y_mm"), 0);
        strap.other_body = kWippen;
        strap.other_centre = minus(AT("strap_wippen_x_mm", "strap_wippen_y_mm"), wippen_);
        strap.other_radius_m = MM("strap_mm");
        strap.felt = {RAW("strap_k"), RAW("strap_r"), RAW("strap_b")};
    }

    void damper() {
        const double arm = MM("damper_arm_mm"), string = MM("string_x_mm");
        const auto on_damper = [&](double x, double y) { return minus({x, y}, damper_); };
        const double spoon_x = MM("spoon_x_mm"), spoon_y = MM("spoon_y_mm"), spoon_r = MM("spoon_radius_mm");
        const double foot_x = spoon_x + spoon_r + (damped_ ? MM("spoon_gap_mm") : kParked_m);
        Contact& spoon = felt(kKeyDamper, "spoon-damper", FELT("spoon"));
        circle(spoon, kWippen, minus({spoon_x, spoon_y}, wippen_), spoon_r);
        line(spoon, kDamper, on_damper(foot_x, spoon_y - 10 * kMm), on_damper(foot_x, spoon_y + 10 * kMm));
        const double head_y = damper_.y_m + arm, rod_y = damper_.y_m - arm;
        Contact& on_string = felt(kDamperString, "damper-string", FELT("damper"));
        circle(on_string, kGround, {string + 1 * kMm, head_y}, 1 * kMm);
        line(on_string, kDamper, on_damper(string, head_y + 8 * kMm), on_damper(string, head_y - 8 * kMm));
        Contact& stop = felt(kDamperStop, "damper-stop rail", FELT("spoon"));
        const double back_x = string - 8 * kMm;
        circle(stop, kGround, {back_x - 1 * kMm - ROW("damper_stop_mm") * kMm, head_y}, 1 * kMm);
        line(stop, kDamper, on_damper(back_x, head_y - 8 * kMm), on_damper(back_x, head_y + 8 * kMm));
        Contact& rod = felt(kDamperTray, "rod-damper", FELT("spoon"));
        const double tail_x = damper_.x_m;
        circle(rod, kGround, {tail_x - 2 * kMm - (damped_ ? ROW("tray_gap_mm") * kMm : kParked_m), rod_y}, 2 * kMm);
        line(rod, kDamper, on_damper(tail_x, rod_y - 10 * kMm), on_damper(tail_x, rod_y + 10 * kMm));
        rod.moving = true;
    }

    const UprightParts& p_;
    const bool damped_;
    std::span<const core::FeltCurve> curves_;
    const FingerTip tip_{};
    const Point wippen_ = AT("wippen_pivot_x_mm", "wippen_pivot_y_mm"), jack_ = AT("jack_x_mm", "jack_y_mm"),
                butt_ = AT("butt_x_mm", "butt_y_mm"), wire_ = AT("wire_x_mm", "wire_y_mm"),
                damper_ = AT("damper_x_mm", "damper_y_mm");
    core::Mechanism m_;
};

core::Mechanism make_lanes(const GrandValues& values, bool damped, int register_index) {
    return make_upright(values, damped, register_index, FeltCurves::micromechanical);
}

/// The crown's way to the strings is x here: height and shank of the grand's geometry are x and -y of the hammer.
CrownGeometry upright_crown(const GrandValues& values, int register_index) {
    const UprightParts p(values, register_index);
    return {-MM_OF(p, "crown_y_mm"), MM_OF(p, "crown_x_mm"), 0,
            MM_OF(p, "string_x_mm") - MM_OF(p, "butt_x_mm") - MM_OF(p, "crown_radius_mm"), kHammer};
}

double upright_pick_up_dip_m(const GrandValues& values, int register_index) {
    const UprightParts p(values, register_index);
    const double wippen_rad = MM_OF(p, "spoon_gap_mm") / (MM_OF(p, "spoon_y_mm") - MM_OF(p, "wippen_pivot_y_mm"));
    const double capstan_m = MM_OF(p, "capstan_x_mm");
    return -kFingerPointX_m * wippen_rad * (MM_OF(p, "wippen_pivot_x_mm") - capstan_m) / capstan_m;
}

}  // namespace

core::Mechanism make_upright(const GrandValues& values, bool damped, int register_index, FeltCurves kind) {
    return Builder(UprightParts(values, register_index), damped, kind).build();
}

const ActionLanes kUprightLanes{make_lanes, upright_crown, upright_pick_up_dip_m, 0.070,
                                kUprightNumbers[upright_number("soft_rail_mm")].value* kMm};

}  // namespace letoff::keyboard
