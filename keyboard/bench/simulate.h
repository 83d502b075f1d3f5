// One key driven by given values over time: its motion prescribed, or a force on it.
//
// Position: the values are dips from the key's rest, made twice continuously differentiable by the cubic spline through
// them (de Boor, A Practical Guide to Splines, ch. IV): the key stands at the start (slope 0) and the end is free
// (second derivative 0). The key's coordinate is eliminated as a driven one and the force on the finger is the reaction
// of its equation (Docquier et al. eqs 9-13). Force: linear between the values; each tick takes its middle.
#pragma once

#include <span>
#include <vector>

#include "keyboard/bench/trace.h"

namespace letoff::keyboard {

struct PathPoint {
    double t_s = 0;
    double value = 0;  // m or N
};

/// The cubic spline through points of increasing time.
class Spline {
  public:
    explicit Spline(std::span<const PathPoint> points);
    struct Value {
        double value, slope;
    };
    /// Before the first and after the last point: standing there.
    Value at(double t_s) const;

  private:
    std::vector<PathPoint> points_;
    std::vector<double> bend_;  // second derivative at the points
};

enum class DriveMode { position, force };

/// At least two points. The key is at rest before the first; in position mode it is first brought to the first dip
/// slowly.
Trace simulate_key(const TestKey& key, DriveMode mode, std::span<const PathPoint> path);

}  // namespace letoff::keyboard
