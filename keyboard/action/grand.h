// The grand piano action: key, wippen, jack, repetition lever, hammer, damper, and the finger that plays the key.
// Five bodies and their felts after Thorin et al. 2017 (section 2, figure 2, table 4), with a damper on a guide and the
// pedal's tray. Option: a flexible hammer shank, as a pseudo-rigid body (Howell, Compliant Mechanisms, 2001: a
// cantilever with an end load bends as if hinged 0.15 of its length from the clamp, here the knuckle): the head turns
// on the shank by a spring and a damper. 7.3 N m/rad give the head 1.3e-3 m/N (Thorin: 1.2e-3) and 50 Hz (Askenfelt
// 1991) with the knuckle held.
#pragma once

#include <cstddef>

#include "core/finger/finger.h"
#include "core/multibody/mechanism.h"
#include "keyboard/action/grand_rows.h"

namespace letoff::keyboard {

/// Order of the bodies and so of the coordinates.
/// kHead is there only where the shank is flexible: all of the hammer beyond the shank's hinge, and the hammer is then
/// the stub before it. What keeps numbers for every body gives a rigid hammer's head the hammer's.
enum GrandBody : int { kKey, kWippen, kJack, kLever, kHammer, kDamper, kFinger, kHead, kGrandBodies };
constexpr std::size_t index_of(GrandBody body) {
    return static_cast<std::size_t>(body);
}

enum GrandContact : int {
    kCapstanHeel,
    kJackKnuckle,
    kLeverKnuckle,
    kJackButton,
    kTailBackcheck,
    kKeyFrontRail,
    kKeyBackRail,
    kHammerRest,
    kLeverDropScrew,
    kJackStop,
    kLeverStop,
    kJackWindow,
    kKeyDamper,
    kDamperString,
    kDamperTray,
    kDamperStop,
    kFingerKey,
    kGrandContacts
};

/// Finger point of a natural: 13 mm behind the front edge (design, section 5: where weights are put), on the key's top.
inline constexpr double kFingerPointX_m = -0.225;
inline constexpr double kKeyTopY_m = 0.020;
/// Where the tail of the key meets the back rail.
inline constexpr double kBackRailX_m = 0.195;

/// The fingertip. Coordinate: travel downwards from where the tip touches the drawn key.
struct FingerTip {
    // Finger without hand, as felt at the tip; our choice within 10-50 g.
    double mass_kg = core::FingerSetting{}.mass_kg;
    // Pulp: 1 N at 1 mm, 27 N at 3 mm (stiffening as fingertips do); damping gives 0.3 N at 1 mm and 0.1 m/s. Our
    // choice.
    core::Felt pulp{1e9, 3.0, 3e6};
    double radius_m = 0.008;
};

/// Lever arm of the finger on the drawn key, whose front has kFingerPointX_m: shorter by as large a part as the key's
/// own front lever is where the finger touches.
double touch_arm_m(const GrandValues& values);

/// Dip at which the drawn key's front meets its rail.
double free_dip_m(const GrandValues& values);

/// A finger that knows the key it plays: what it learnt of a natural's front (core/finger), by the lever of where it
/// touches.
core::FingerSetting finger_for(const GrandValues& values);

/// Builds the mechanism; `damped` is false for the keys without a damper, whose damper is parked out of reach.
core::Mechanism make_grand(const GrandValues& values, bool damped = true, const FingerTip& finger = {});

/// Whether these values have a flexible shank.
bool has_flexible_shank(const GrandValues& values);

/// Where the crown is for the angles of hammer and head; the few numbers it takes, so that it can be asked every tick.
struct CrownGeometry {
    double x_m = 0, y_m = 0;    // crown centre in the frame of the body that carries it
    double hinge_m = 0;         // of a flexible shank, along it; else 0
    double under_string_m = 0;  // string height minus pivot height minus crown radius
    GrandBody carrier = kHammer;

    struct Pose {
        double below_string_m;  // >= 0 under the strings
        double lever_arm_m;     // d(height) / d(angle), hammer and head together
        double head_arm_m;      // of the head alone
        double hammer_arm_m() const { return lever_arm_m - head_arm_m; }
        double speed_mps(double hammer_radps, double head_radps) const {
            return hammer_arm_m() * hammer_radps + head_arm_m * head_radps;
        }
    };
    Pose at(double hammer_angle_rad, double head_angle_rad) const;
    /// With the shank straight.
    Pose at(double angle_rad) const { return at(angle_rad, angle_rad); }
    /// True only where the crown is farther below the strings than this; cheap. Most of the time it is.
    bool surely_below(double distance_m, double hammer_angle_rad, double head_angle_rad) const {
        // sin a <= -0.95 |a| for -0.5 <= a <= 0, and cos a <= 1; the drawing turns the hammer by -0.34. Where the crown
        // is on the other side (an upright's), angles are the other way round.
        const double side = x_m < 0 ? -1.0 : 1.0;
        const auto low = [side](double a) { return side * a < 0 && side * a > -0.5; };
        return low(hammer_angle_rad) && low(head_angle_rad) &&
               under_string_m - y_m - 0.95 * (x_m * head_angle_rad + hinge_m * hammer_angle_rad) > distance_m;
    }
};
CrownGeometry crown_geometry(const GrandValues& values);

}  // namespace letoff::keyboard
