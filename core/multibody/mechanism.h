// A planar mechanism as its builder describes it: bodies on pivots or guides, torsion springs, unilateral felt
// contacts.
//
// Frame: x from the player to the back, y up, metres; angles absolute, positive counter-clockwise. A body's frame has
// its origin at its pivot and equals the world's axes at coordinate 0. A guided body's frame is the world's, moved
// along its direction by its coordinate. Generalised coordinates q are one a body (rad, or m on a guide), in the order
// of the bodies; v = dq/dt.
#pragma once

#include <string>
#include <vector>

namespace letoff::core {

struct FeltCurve;  // core/felt/curve.h

struct Point {
    double x_m = 0;
    double y_m = 0;
};

inline constexpr int kGround = -1;
inline constexpr int kMaxBodies = 8;
inline constexpr int kMaxContacts = 20;

struct Body {
    std::string name;
    int parent = kGround;  // the body that carries the pivot; it must itself stand on the ground
    bool guided = false;   // moves along `guide` instead of turning
    Point pivot{};         // in the parent's frame (world for the ground)
    Point guide{0, 1};     // unit vector, guided bodies only
    double mass_kg = 0;
    double inertia_kgm2 = 0;      // about the pivot; unused on a guide
    Point com{};                  // centre of mass in the body's frame
    double dry_friction = 0;      // N m at the pivot (N on a guide), set-valued: Thorin et al. eq 2.2, 2.3
    double viscous = 0;           // N m s (N s/m): eq 2.4
    double drawn_coordinate = 0;  // where the drawing shows it: the start of settling to rest
};

/// Torque -stiffness (q_body - q_parent - rest_angle) on the body, the opposite on its parent (eq 2.5).
struct Spring {
    std::string name;
    int body = 0;
    double stiffness_Nm_per_rad = 0;
    double rest_angle_rad = 0;
};

/// F = k d^r + b d^2 dd/dt, clamped >= 0; d = compression (eq 2.6).
struct Felt {
    double k = 0;
    double r = 0;
    double b = 0;
};

enum class ContactKind {
    circle_line,  // past an end of the line the contact is with the end point, on the outward side only
    circle_circle,
    strap,         // a tape from the circle's centre to the other's, other_radius_m long: it only pulls
    circle_corner  // two perpendicular lines joined by an arc (jack top); deep inside, the side of least penetration
};

/// A felt between a circle of one body and a shape of another. The outward normal of a line is its direction turned by
/// +90 degrees.
struct Contact {
    std::string name;
    ContactKind kind = ContactKind::circle_line;
    int circle_body = kGround;
    Point circle_centre{};
    double circle_radius_m = 0;
    int other_body = kGround;
    Point line_from{}, line_to{};  // circle_line
    Point other_centre{};          // circle_circle, strap; circle_corner: centre of the arc
    double other_radius_m = 0;     // circle_circle; circle_corner: radius of the arc; strap: its length
    Point top_normal{0, 1};   // circle_corner: outward normal of the top line; the face's is this turned by -90 degrees
    double top_length_m = 0;  // circle_corner: straight part of the top, and of the face
    double face_length_m = 0;
    Felt felt{};
    // Where set: F is that of the curve times felt.k, and not the power law; it must outlive what is made of it.
    const FeltCurve* curve = nullptr;
    double mu = 0;        // Coulomb friction, set-valued (eq 2.7)
    bool moving = false;  // the circle is moved along the normal from outside (by a pedal): see StepInput
};

struct Mechanism {
    std::vector<Body> bodies;
    std::vector<Spring> springs;
    std::vector<Contact> contacts;

    int body(const std::string& name) const;     // index, or -1
    int contact(const std::string& name) const;  // index, or -1
};

}  // namespace letoff::core
