#include "ui/app/plot/key_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/unit/constants.h"
#include "ui/app/plot/svg.h"

namespace letoff::ui {
namespace {

using keyboard::StrokePhase;
using keyboard::Trace;
using keyboard::TraceRow;

constexpr double kMilli = 1e3;
constexpr double kDegree = 180.0 / core::kPi;

/// Moments of a stroke, as rows of its trace.
struct Moments {
    std::optional<size_t> pressed, let_off, flight, string, leaves_string, check, key_bottom, released, reset;
};

Moments find_moments(const Trace& trace) {
    constexpr double kMoved_m = 1e-4, kDeepShare = 0.85;
    Moments m;
    const auto force = [&](size_t i, keyboard::GrandContact c) { return trace[i].contact_N[static_cast<size_t>(c)]; };
    double deepest = 0;
    for (const TraceRow& row : trace) deepest = std::max(deepest, row.dip_m);
    for (size_t i = 0; i < trace.size(); ++i) {  // the last time it stands deep: it rises a little when the check grips
        if (trace[i].dip_m > kDeepShare * deepest) m.released = i;
    }
    if (m.released && *m.released + 1 == trace.size()) m.released.reset();
    bool tripped = false;
    for (size_t i = 0; i < trace.size(); ++i) {
        const TraceRow& row = trace[i];
        if (!m.pressed && row.dip_m > kMoved_m) m.pressed = i;
        if (!m.let_off && force(i, keyboard::kJackButton) > 0) m.let_off = i;
        if (!m.string) {
            // The last time it starts to fly before the strings is the one that counts.
            if (row.phase != StrokePhase::free_flight) m.flight.reset();
            if (row.phase == StrokePhase::free_flight && !m.flight) m.flight = i;
            if (row.string_N > 0) {
                m.string = i;
                if (i > 0 && trace[i - 1].phase == StrokePhase::free_flight) {
                    size_t first = i - 1;
                    while (first > 0 && trace[first - 1].phase == StrokePhase::free_flight) --first;
                    m.flight = first;
                }
            }
        } else if (!m.leaves_string && row.string_N <= 0) {
            m.leaves_string = i;
        }
        if (m.string && !m.check && row.phase == StrokePhase::check) m.check = i;
        if (!m.key_bottom && force(i, keyboard::kKeyFrontRail) > 0) m.key_bottom = i;
        if (m.let_off && force(i, keyboard::kJackStop) <= 0) tripped = true;
        if (m.released && i > *m.released && tripped && !m.reset && force(i, keyboard::kJackStop) > 0) m.reset = i;
    }
    return m;
}

std::string_view phase_colour(StrokePhase phase) {
    switch (phase) {
        case StrokePhase::push:
            return ink::kBlue;
        case StrokePhase::let_off:
            return ink::kPurple;
        case StrokePhase::free_flight:
            return ink::kOrange;
        case StrokePhase::string:
            return ink::kRed;
        case StrokePhase::fall:
            return ink::kSky;
        case StrokePhase::check:
            return ink::kGreen;
        default:
            return ink::kSoft;
    }
}

std::vector<PlotPoint> series(const Trace& trace, auto&& y) {
    std::vector<PlotPoint> points;
    for (const TraceRow& row : trace) points.push_back({row.t_s * kMilli, y(row)});
    return points;
}

/// The crown's way, each phase in its colour.
void draw_crown(Panel& panel, const Trace& trace) {
    for (size_t first = 0; first < trace.size();) {
        size_t last = first;
        std::vector<PlotPoint> points;
        if (first > 0) points.push_back({trace[first - 1].t_s * kMilli, -trace[first - 1].below_string_m * kMilli});
        while (last < trace.size() && trace[last].phase == trace[first].phase) {
            points.push_back({trace[last].t_s * kMilli, -trace[last].below_string_m * kMilli});
            ++last;
        }
        panel.line(points, phase_colour(trace[first].phase), 2.2);
        first = last;
    }
}

struct Mark {
    std::optional<size_t> row;
    std::string_view name, colour;
};

std::vector<Mark> marks_of(const Moments& m) {
    return {{m.let_off, "let-off", ink::kPurple}, {m.flight, "free flight", ink::kOrange},
            {m.string, "string", ink::kRed},      {m.check, "check", ink::kGreen},
            {m.released, "released", ink::kSoft}, {m.reset, "jack reset", ink::kBlue}};
}

void mark_all(Panel& panel, const Trace& trace, const Moments& moments) {
    for (const Mark& mark : marks_of(moments)) {
        if (mark.row) panel.vertical(trace[*mark.row].t_s * kMilli, mark.colour);
    }
}

Panel::Range padded(std::span<const PlotPoint> points, double least_span) {
    double low = points.front().y, high = low;
    for (const PlotPoint& p : points) {
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    const double middle = 0.5 * (low + high), half = 0.54 * std::max(high - low, least_span);
    return {middle - half, middle + half};
}

void draw_zoom(Figure& figure, const Trace& trace, const Moments& m, Panel::Place place) {
    const size_t centre = m.string.value_or(m.let_off.value_or(trace.size() / 2));
    const double t = trace[centre].t_s * kMilli;
    const double before = m.let_off ? std::clamp(1.6 * (t - trace[*m.let_off].t_s * kMilli), 4.0, 40.0) : 10.0;
    const double after = m.check ? std::clamp(1.25 * (trace[*m.check].t_s * kMilli - t), 6.0, 60.0) : 3 * before;
    double lowest = 6;
    for (const TraceRow& row : trace) {
        const double at = row.t_s * kMilli;
        if (at > t - before && at < t + after) lowest = std::max(lowest, row.below_string_m * kMilli);
    }
    Panel panel(figure, place, {t - before, t + after}, {-1.06 * std::min(lowest, 24.0), 3.2});
    panel.axes("time, ms", "round the strike: hammer crown, mm", 7, 6);
    panel.horizontal(0, ink::kRed, "strings", "");
    draw_crown(panel, trace);
    double name_y = 14;
    for (const Mark& mark : marks_of(m)) {
        if (!mark.row) continue;
        const double at = trace[*mark.row].t_s * kMilli;
        if (at < t - before || at > t + after) continue;
        panel.vertical(at, mark.colour, mark.name, place.height - 8 - name_y);
        panel.dot({at, -trace[*mark.row].below_string_m * kMilli}, mark.colour);
        name_y += 14;
    }
    if (m.key_bottom) {
        const double at = trace[*m.key_bottom].t_s * kMilli;
        if (at > t - before && at < t + after) panel.vertical(at, ink::kSoft, "key bottom", place.height - 8);
    }
}

void draw_force(Figure& figure, const Trace& trace, const Moments& m, Panel::Place place) {
    double most_N = 1, least_N = 0, deepest = 10.5;
    std::vector<PlotPoint> down, up;
    const size_t turned = m.released.value_or(trace.size());
    for (size_t i = 0; i < trace.size(); ++i) {
        const PlotPoint p{trace[i].dip_m * kMilli, trace[i].finger_N};
        (i <= turned ? down : up).push_back(p);
        deepest = std::max(deepest, p.x);
        most_N = std::max(most_N, p.y);
        least_N = std::min(least_N, p.y);  // a prescribed motion can need a pull
    }
    Panel panel(figure, place, {-0.5, deepest + 0.2},
                {std::max(1.1 * least_N, -0.3 * most_N) - 0.02 * most_N, 1.08 * most_N});
    panel.axes("key dip from rest, mm", "force on the finger against dip, N", 6, 5);
    panel.line(up, ink::kSky, 1.5);
    panel.line(down, ink::kBlue, 1.8);
    for (const Mark& mark : marks_of(m)) {
        if (!mark.row || mark.name == "free flight" || mark.name == "check") continue;
        panel.dot({trace[*mark.row].dip_m * kMilli, trace[*mark.row].finger_N}, mark.colour);
        const bool beyond = mark.name == "string";  // the names of let-off and string lie close together
        panel.name({trace[*mark.row].dip_m * kMilli, trace[*mark.row].finger_N}, mark.name, mark.colour,
                   beyond ? "start" : "end", beyond ? -4 : -7, beyond ? 17 : -5);
    }
    figure.text(place.left + 10, place.top + 14, "down", ink::kBlue, 11, "start", true);
    figure.text(place.left + 50, place.top + 14, "up", ink::kSky, 11, "start", true);
}

}  // namespace

std::string keystroke_svg(const Trace& trace, std::string_view title) {
    constexpr double kWidth = 1240, kHeight = 960, kLeft = 66, kColumn = 690, kRight = 830, kRightColumn = 380;
    Figure figure(kWidth, kHeight);
    const Moments m = find_moments(trace);
    double fastest = 0;
    if (m.string && *m.string > 0) fastest = trace[*m.string - 1].crown_mps;
    figure.title(kLeft - 40, 34, title,
                 m.string ? fmt::format("hammer at the strings with {:.2f} m/s", fastest)
                          : "the hammer does not reach the strings");

    const Panel::Range time{trace.front().t_s * kMilli, trace.back().t_s * kMilli};
    const std::vector<PlotPoint> crown = series(trace, [](const TraceRow& r) { return -r.below_string_m * kMilli; });
    Panel height(figure, {kLeft, 92, kColumn, 216}, time, {std::min(-50.0, padded(crown, 1).from), 8});
    height.axes("", "hammer crown, mm", 8, 5);
    height.horizontal(0, ink::kRed, "strings", "");
    mark_all(height, trace, m);
    draw_crown(height, trace);
    double legend_x = kLeft + kColumn - 440;
    for (StrokePhase phase : {StrokePhase::push, StrokePhase::let_off, StrokePhase::free_flight, StrokePhase::string,
                              StrokePhase::fall, StrokePhase::check, StrokePhase::lower}) {
        std::string name(keyboard::phase_name(phase));
        std::replace(name.begin(), name.end(), '_', ' ');
        figure.raw(fmt::format("<rect x=\"{:.0f}\" y=\"78\" width=\"14\" height=\"3\" fill=\"{}\"/>\n", legend_x,
                               phase_colour(phase)));
        figure.text(legend_x + 19, 83, name, ink::kText, 11);
        legend_x += 32 + 6.0 * static_cast<double>(name.size());
    }

    struct Row {
        std::string_view name;
        int body;
        std::string_view colour;
    };
    constexpr Row kRows[] = {{"key, degrees", keyboard::kKey, ink::kBlue},
                             {"wippen, degrees", keyboard::kWippen, ink::kGreen},
                             {"jack, degrees", keyboard::kJack, ink::kPurple},
                             {"repetition lever, degrees", keyboard::kLever, ink::kOrange},
                             {"hammer, degrees", keyboard::kHammer, ink::kRed},
                             {"damper, mm of lift", keyboard::kDamper, ink::kSky}};
    constexpr double kRowTop = 340, kRowPitch = 97, kRowHeight = 66;
    double top = kRowTop;
    for (const Row& row : kRows) {
        const bool last = row.body == keyboard::kDamper;
        const size_t body = static_cast<size_t>(row.body);
        const double scale = last ? kMilli : kDegree, at_rest = trace.front().q[body];
        const std::vector<PlotPoint> points =
            series(trace, [&](const TraceRow& r) { return (r.q[body] - at_rest) * scale; });
        Panel panel(figure, {kLeft, top, kColumn, kRowHeight}, time, padded(points, 0.1));
        panel.axes(last ? "time, ms" : "", row.name, 8, 4);
        mark_all(panel, trace, m);
        panel.line(points, row.colour, 1.7);
        top += kRowPitch;
    }
    draw_zoom(figure, trace, m, {kRight, 92, kRightColumn, 340});
    draw_force(figure, trace, m, {kRight, 530, kRightColumn, 300});
    figure.text(kRight, 916, "Crown: 0 at the strings. Angles: from rest, counter-clockwise.", ink::kSoft, 10);
    return figure.finish();
}

std::string force_curve_svg(const keyboard::ForceCurve& curve, const keyboard::Regulation& regulation,
                            double rest_dip_m, std::string_view title) {
    Figure figure(760, 480);
    figure.title(26, 34, title,
                 "key driven at 10 mm/s down and up, dampers down; dip 13 mm behind the front edge, from rest");
    std::vector<PlotPoint> down, up;
    double most = 1;
    for (size_t i = 0; i < curve.dip_m.size(); ++i) {
        down.push_back({curve.dip_m[i] * kMilli, curve.down_N[i]});
        up.push_back({curve.dip_m[i] * kMilli, curve.up_N[i]});
        most = std::max(most, std::min(curve.down_N[i], 2.0));
    }
    Panel panel(figure, {66, 96, 660, 320}, {0, std::max(10.5, curve.dip_m.empty() ? 0 : curve.dip_m.back() * kMilli)},
                {-0.1, 1.1 * most});
    panel.axes("key dip, mm", "force on the finger, N", 10, 6);
    if (regulation.damper_pick_up_m > 0)
        panel.vertical(regulation.damper_pick_up_m * kMilli, ink::kSky, "damper picked up", 14);
    panel.vertical((regulation.let_off_dip_m - rest_dip_m) * kMilli, ink::kPurple, "jack meets its button", 30);
    panel.vertical((regulation.jack_release_dip_m - rest_dip_m) * kMilli, ink::kOrange, "let-off", 46);
    panel.line(down, ink::kBlue, 2);
    panel.line(up, ink::kGreen, 2);
    if (!down.empty()) {
        const size_t third = down.size() / 3;
        panel.name(down[third], "down", ink::kBlue, "middle", 0, -8);
        panel.name(up[third], "up", ink::kGreen, "middle", 0, 18);
    }
    return figure.finish();
}

}  // namespace letoff::ui
