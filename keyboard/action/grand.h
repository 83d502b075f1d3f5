// The grand piano action: key, wippen, jack, repetition lever, hammer, damper, and the finger that plays the key.
// Five bodies and their felts after Thorin et al. 2017 (section 2, figure 2, table 4), with a damper on a guide and the
// pedal's tray.
#pragma once

#include "core/finger/finger.h"
#include "core/multibody/mechanism.h"
#include "keyboard/action/grand_rows.h"

namespace letoff::keyboard {

/// Order of the bodies and so of the coordinates.
enum GrandBody : int { kKey, kWippen, kJack, kLever, kHammer, kDamper, kFinger, kGrandBodies };

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

/// The fingertip. Coordinate: travel downwards from where the tip touches the drawn key.
struct FingerTip {
    double mass_kg =
        core::FingerSetting{}.mass_kg;  // finger without hand, as felt at the tip; our choice within 10-50 g
    // Pulp: 1 N at 1 mm, 27 N at 3 mm (stiffening as fingertips do); damping gives 0.3 N at 1 mm and 0.1 m/s. Our
    // choice.
    core::Felt pulp{1e9, 3.0, 3e6};
    double radius_m = 0.008;
};

/// Lever arm of the finger on the drawn key, whose front has kFingerPointX_m: shorter by as large a part as the key's
/// own front lever is where the finger touches.
double touch_arm_m(const GrandValues& values);

/// A finger that knows the key it plays: what it learnt of a natural's front (core/finger), by the lever of where it
/// touches.
core::FingerSetting finger_for(const GrandValues& values);

/// Builds the mechanism; `damped` is false for the keys without a damper, whose damper is parked out of reach.
core::Mechanism make_grand(const GrandValues& values, bool damped = true, const FingerTip& finger = {});

/// Where the crown is for a hammer angle; the few numbers it takes, so that it can be asked every tick.
struct CrownGeometry {
    double x_m = 0, y_m = 0;    // crown centre in the hammer's frame
    double under_string_m = 0;  // string height minus pivot height minus crown radius

    struct Pose {
        double below_string_m;  // >= 0 under the strings
        double lever_arm_m;     // d(height) / d(angle)
    };
    Pose at(double hammer_angle_rad) const;
    /// True only where the crown is farther below the strings than this; cheap. Most of the time it is.
    bool surely_below(double distance_m, double hammer_angle_rad) const {
        // sin a <= -0.95 |a| for -0.5 <= a <= 0, and cos a <= 1; the drawing turns the hammer by -0.34.
        return hammer_angle_rad < 0 && hammer_angle_rad > -0.5 &&
               under_string_m - y_m - 0.95 * x_m * hammer_angle_rad > distance_m;
    }
};
CrownGeometry crown_geometry(const GrandValues& values);

}  // namespace letoff::keyboard
