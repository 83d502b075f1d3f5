// The sheet that an action is drawn on: lines in millimetres in, outlines in metres in the frames of the bodies out;
// its margins; and the wood that every action has, a key on its frame.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "core/port/action_drawing.h"

namespace letoff::ui {

class DrawingSheet {
  protected:
    using Point = core::Point;
    using Outline = std::initializer_list<std::pair<double, double>>;

    explicit DrawingSheet(const core::Mechanism& mechanism) : mechanism_(mechanism) {}

    /// A closed outline; origin_mm: where in the drawing the body's frame has its origin.
    void add(int body, const char* kind, const std::vector<Point>& points_mm, Point origin_mm);
    static std::vector<Point> points_of(Outline outline);
    static std::vector<Point> corners(double left, double bottom, double right, double top);
    static std::vector<Point> arc(Point centre_mm, double radius_mm, double from_rad, double to_rad, int steps);
    static std::vector<Point> ring(Point centre_mm, double radius_mm);

    /// What a key lies on: its bed, and the felts under front and back up to there.
    void key_frame(double front_felt_mm, double back_felt_mm);
    void key_stick(int body, Point origin_mm);

    /// All that was added, with the mechanism's bodies and contacts, on a sheet as high as that.
    core::ActionDrawing finished(double top_m);

    const core::Mechanism& mechanism_;

  private:
    core::ActionDrawing out_;
};

}  // namespace letoff::ui
