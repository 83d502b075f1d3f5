#include "keyboard/bench/stanwood.h"

#include <utility>

#include "core/multibody/step.h"
#include "core/unit/constants.h"

namespace letoff::keyboard {
namespace {

using core::Contact;
using core::kGround;
using core::Mechanism;
using core::Point;

constexpr double kScaleRadius_m = 0.003;
// A scale gives 0.01 mm under 100 g; it is read when it stands still, so what damps it does not matter.
constexpr core::Felt kScale{1e5, 1.0, 0.0};
constexpr double kScaleDamping_Nms = 1.0, kPartDamping_Nms = 5e-4;  // of the scale; of jack and lever on their springs
constexpr double kKnownWeight_kg = 0.100;                           // keeps a key with a heavy tail on the scale
constexpr double kClip_kg = 0.004;   // on the hammer head; 4 g in half-gram steps give the ratio to 0.1
constexpr double kHeadMiddle = 0.7;  // of the crown's height above the shank: where a clip holds the head

/// What the support at `contact` carries when everything stands still.
double weigh_g(Mechanism parts, std::size_t contact) {
    constexpr double kPatience_s = 0.3, kStep_s = 1.0 / kBenchTick_hz;
    for (core::Body& b : parts.bodies) {
        b.dry_friction = 0;  // tipped on an edge, flange held loosely
        b.viscous += b.parent == kGround ? kScaleDamping_Nms : kPartDamping_Nms;
    }
    const core::LaneModel model = core::make_lane_model({&parts, 1});
    core::LaneState state = core::drawn_state({&parts, 1});
    const core::StepInput nothing{};
    core::StepOutput out;
    for (double t = 0; t < kPatience_s; t += kStep_s) core::step_lanes(model, nothing, kStep_s, state, out);
    return out.contact_force_N[contact].lane[0] / core::kNewtonPerGram;
}

void add_mass(core::Body& body, double kg, Point at) {
    const double after = body.mass_kg + kg;
    body.com.x_m = (body.mass_kg * body.com.x_m + kg * at.x_m) / after;
    body.com.y_m = (body.mass_kg * body.com.y_m + kg * at.y_m) / after;
    body.inertia_kgm2 += kg * (at.x_m * at.x_m + at.y_m * at.y_m);
    body.mass_kg = after;
}

/// A scale under a body's point; the body stands as drawn.
Contact scale_under(const core::Body& body, Point local) {
    const Point foot{body.pivot.x_m + local.x_m, body.pivot.y_m + local.y_m - kScaleRadius_m};
    constexpr double kHalf_m = 0.010;
    return {.name = "scale",
            .circle_body = kGround,
            .circle_centre = foot,
            .circle_radius_m = kScaleRadius_m,
            .other_body = 0,
            .line_from = {local.x_m + kHalf_m, local.y_m},  // its outward normal points down
            .line_to = {local.x_m - kHalf_m, local.y_m},
            .felt = kScale};
}

/// The key on a scale where the finger touches it, with known weights there and on the capstan.
double key_on_scale_g(const Mechanism& grand, double touch_arm_m, double capstan_kg) {
    Mechanism key;
    key.bodies = {grand.bodies[kKey]};
    core::Body& body = key.bodies.front();
    const Point front{-touch_arm_m - body.pivot.x_m, -body.pivot.y_m};
    add_mass(body, kKnownWeight_kg, front);
    if (capstan_kg > 0) add_mass(body, capstan_kg, grand.contacts[kCapstanHeel].circle_centre);
    key.contacts = {scale_under(body, front)};
    return weigh_g(std::move(key), 0);
}

double strike_weight_g(const Mechanism& grand, Point strike) {
    Mechanism hammer;
    hammer.bodies = {grand.bodies[kHammer]};
    hammer.bodies.front().drawn_coordinate = 0;  // shank level
    hammer.contacts = {scale_under(hammer.bodies.front(), {strike.x_m, 0})};
    return weigh_g(std::move(hammer), 0);
}

double wippen_weight_g(const Mechanism& grand) {
    Mechanism wippen;
    wippen.bodies = {grand.bodies[kWippen], grand.bodies[kJack], grand.bodies[kLever]};
    wippen.bodies[1].parent = wippen.bodies[2].parent = 0;
    const auto renamed = [](int body) { return body == kGround ? kGround : body - kWippen; };
    for (core::Spring spring : grand.springs) {
        spring.body = renamed(spring.body);
        wippen.springs.push_back(std::move(spring));
    }
    for (const GrandContact stop : {kJackStop, kLeverStop}) {
        Contact contact = grand.contacts[static_cast<std::size_t>(stop)];
        contact.circle_body = renamed(contact.circle_body);
        contact.other_body = renamed(contact.other_body);
        wippen.contacts.push_back(std::move(contact));
    }
    Contact scale = grand.contacts[kCapstanHeel];
    const core::Body& key = grand.bodies[kKey];
    scale.circle_body = kGround;  // the capstan where it is under the key at rest
    scale.circle_centre = {key.pivot.x_m + scale.circle_centre.x_m, key.pivot.y_m + scale.circle_centre.y_m};
    scale.other_body = 0;
    scale.felt = kScale;
    wippen.contacts.push_back(std::move(scale));
    return weigh_g(std::move(wippen), 2);
}

KeyBuild with_clip(KeyBuild build, core::Body hammer, double kg, Point at) {
    add_mass(hammer, kg, at);
    build.strings = nullptr;  // nothing is thrown
    build.values[grand_row("hammer_mass_kg")] = hammer.mass_kg;
    build.values[grand_row("hammer_inertia_kgm2")] = hammer.inertia_kgm2;
    build.values[grand_row("hammer_com_x_mm")] = hammer.com.x_m * 1e3;
    build.values[grand_row("hammer_com_y_mm")] = hammer.com.y_m * 1e3;
    return build;
}

}  // namespace

StanwoodWeights measure_stanwood(const TestKey& key, const Regulation& regulation, const Touchweight& bare) {
    GrandValues rigid = key.build.values;  // weighed, a shank does not bend to speak of
    rigid[grand_row("shank_stiffness_Nm_per_rad")] = 0;
    const Mechanism grand = make_grand(rigid, key.build.damped);
    const CrownGeometry crown = crown_geometry(rigid);
    StanwoodWeights w;
    const double known_g = kKnownWeight_kg * 1e3;
    const double arm_m = touch_arm_m(key.build.values);
    const double alone_g = key_on_scale_g(grand, arm_m, 0);
    w.front_weight_g = alone_g - known_g;
    w.key_ratio = (alone_g - key_on_scale_g(grand, arm_m, kKnownWeight_kg / 2)) / (known_g / 2);
    w.strike_weight_g = strike_weight_g(grand, {crown.x_m, 0});
    w.wippen_weight_g = wippen_weight_g(grand);
    const Point head{crown.x_m, kHeadMiddle * crown.y_m};
    const TestKey clipped = settle_test_key(with_clip(key.build, grand.bodies[kHammer], kClip_kg, head), key.tick_hz);
    const double heavier_g = measure_touchweight(clipped, regulation).balance_weight_g() - bare.balance_weight_g();
    w.strike_weight_ratio = heavier_g / (kClip_kg * 1e3);
    return w;
}

}  // namespace letoff::keyboard
