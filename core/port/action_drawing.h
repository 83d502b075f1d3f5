// An action as a picture of it needs it: what its parts look like and how they are hung, to be moved by the coordinates
// in Telemetry::Watched.
#pragma once

#include <string>
#include <vector>

#include "core/multibody/mechanism.h"

namespace letoff::core {

/// An action to scale: outlines in the frames of its bodies (core/multibody/mechanism.h), x to the back, y up.
struct ActionDrawing {
    struct Shape {
        int body = kGround;
        std::string kind;            // wood, felt, metal, string, leather: how it is painted
        std::vector<Point> outline;  // closed
    };
    struct Spot {
        int body = kGround;
        std::string name;
        Point at{};
    };
    std::vector<Body> bodies;
    std::vector<Shape> shapes;
    std::vector<Spot> contacts;  // where their force glows
    double left_m = 0, right_m = 0, bottom_m = 0, top_m = 0;
    std::vector<double> rest;  // coordinates
    std::vector<bool> moves;   // a body that does not when the key goes down is none of this action's
};

}  // namespace letoff::core
