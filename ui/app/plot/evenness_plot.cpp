#include "ui/app/plot/evenness_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/unit/keys.h"

namespace letoff::ui {
namespace {

using keyboard::KeyReport;

constexpr double kMilli = 1e3;

struct Series {
    std::string_view name, colour;
    double (*value)(const KeyReport&);
};
struct Evenness {
    std::string_view title;
    double low, high;  // shown at least
    std::vector<Series> series;
};

template <int Touch>
double bottom_ms(const KeyReport& r) {
    const auto* s = stroke_of(r, keyboard::kTouches[Touch].name);
    return s == nullptr ? kNoFigure : (s->key_bottom_s - s->strike_s) * kMilli;
}
template <int Touch>
double contact_ms(const KeyReport& r) {
    const auto* s = stroke_of(r, keyboard::kTouches[Touch].name);
    return s == nullptr ? kNoFigure : s->string_contact_s * kMilli;
}

std::vector<Evenness> all_panels() {
    using R = const KeyReport&;
    return {
        {"weights on the key, g",
         0,
         55,
         {{"down", ink::kBlue, [](R r) { return r.touchweight.down_weight_g; }},
          {"balance", ink::kText, [](R r) { return r.touchweight.balance_weight_g(); }},
          {"up", ink::kGreen, [](R r) { return r.touchweight.up_weight_g; }},
          {"friction", ink::kRed, [](R r) { return r.touchweight.friction_g(); }}}},
        {"Stanwood's weights, g",
         0,
         50,
         {{"front", ink::kBlue, [](R r) { return r.stanwood.front_weight_g; }},
          {"strike", ink::kRed, [](R r) { return r.stanwood.strike_weight_g; }},
          {"wippen (WBW)", ink::kPurple, [](R r) { return r.stanwood.wippen_balance_weight_g(); }},
          {"left over", ink::kSoft, [](R r) { return r.stanwood.imbalance_g(r.touchweight); }}}},
        {"ratios, m/m and g/g",
         4,
         7,
         {{"head to key", ink::kBlue, [](R r) { return r.regulation.head_to_key_ratio; }},
          {"strike weight", ink::kRed, [](R r) { return r.stanwood.strike_weight_ratio; }}}},
        {"equivalent mass, kg",
         0,
         0.45,
         {{"at 4 mm", ink::kBlue, [](R r) { return r.equivalent_mass_kg; }},
          {"of a soft stroke", ink::kOrange, [](R r) { return r.force.stroke_mass_kg; }}}},
        {"regulation, mm",
         0,
         3,
         {{"let-off", ink::kPurple, [](R r) { return r.regulation.let_off_m * kMilli; }},
          {"drop", ink::kOrange, [](R r) { return r.regulation.drop_m * kMilli; }},
          {"aftertouch", ink::kGreen, [](R r) { return r.regulation.aftertouch_m * kMilli; }},
          {"lost motion", ink::kRed, [](R r) { return r.regulation.lost_motion_m * kMilli; }},
          {"wink", ink::kSky, [](R r) { return r.jack.wink_m * kMilli; }}}},
        {"dip, blow and check, mm",
         0,
         50,
         {{"blow", ink::kRed, [](R r) { return r.regulation.blow_m * kMilli; }},
          {"check", ink::kGreen, [](R r) { return figure_or_none(r.check_distance_m * kMilli); }},
          {"dip", ink::kBlue, [](R r) { return r.regulation.key_dip_m * kMilli; }}}},
        {"damper, mm",
         0,
         6,
         {{"key clear", ink::kSky, [](R r) { return figure_or_none(r.damper.key_clear_m * kMilli); }},
          {"key meets", ink::kBlue, [](R r) { return figure_or_none(r.damper.key_pick_up_m * kMilli); }},
          {"pedal clear", ink::kOrange, [](R r) { return figure_or_none(r.damper.pedal_clear_m * kMilli); }},
          {"pedal meets", ink::kRed, [](R r) { return figure_or_none(r.damper.pedal_pick_up_m * kMilli); }}}},
        {"fastest repetition, Hz",
         0,
         20,
         {{"6 mm lift", ink::kBlue, [](R r) { return r.repetition.strikes_hz; }},
          {"4 mm lift", ink::kOrange, [](R r) { return r.small_lift.strikes_hz; }}}},
        {"key bottom after the strike, ms",
         -2,
         16,
         {{"pp", ink::kSky, bottom_ms<0>},
          {"p", ink::kBlue, bottom_ms<1>},
          {"mf", ink::kGreen, bottom_ms<2>},
          {"f", ink::kOrange, bottom_ms<3>},
          {"ff", ink::kRed, bottom_ms<4>}}},
        {"hammer on the strings, ms",
         0,
         7,
         {{"pp", ink::kSky, contact_ms<0>},
          {"p", ink::kBlue, contact_ms<1>},
          {"mf", ink::kGreen, contact_ms<2>},
          {"f", ink::kOrange, contact_ms<3>},
          {"ff", ink::kRed, contact_ms<4>}}},
        {"rise from the check",
         0,
         20,
         {{"rise, mm", ink::kGreen, [](R r) { return r.spring.held ? r.spring.rise_m * kMilli : kNoFigure; }},
          {"speed, cm/s", ink::kOrange,
           [](R r) { return r.spring.held && !r.spring.strikes_again ? r.spring.rise_speed_mps * 100 : kNoFigure; }},
          {"thrown, cm/s", ink::kRed,
           [](R r) { return r.spring.strikes_again ? r.spring.rise_speed_mps * 100 : kNoFigure; }}}},
        {"hands",
         0,
         20,
         {{"doubled, of 92", ink::kRed,
           [](R r) { return r.playing ? keyboard::count_double_strikes(r.playing->trials).doubled * 1.0 : kNoFigure; }},
          {"13 Hz, of 18", ink::kBlue, [](R r) { return r.playing ? r.playing->repetition_fingers * 1.0 : kNoFigure; }},
          {"ppp spread, %", ink::kSoft, [](R r) { return r.playing ? 100 * r.playing->soft.spread() : kNoFigure; }}}},
    };
}

/// C of every octave, by name.
void key_axis(Figure& figure, Panel& panel) {
    const Panel::Place& p = panel.place();
    for (int octave = 1; octave <= 8; ++octave) {
        const double x = panel.px(12.0 * octave - 8);
        figure.grid_line(x, p.top, x, p.top + p.height);
        figure.text(x, p.top + p.height + 11, fmt::format("C{}", octave), ink::kSoft, 9, "middle");
    }
}

/// A line over the keys, broken where a key has no value; single keys as dots.
void draw_series(Panel& panel, std::span<const MeasuredKey> keys, const Series& series) {
    std::vector<PlotPoint> run;
    const auto end_run = [&] {
        if (run.size() == 1) panel.dot(run.front(), series.colour);
        if (run.size() > 1) panel.line(run, series.colour, 1.5);
        run.clear();
    };
    for (const MeasuredKey& key : keys) {
        const double value = series.value(key.report);
        if (!std::isfinite(value)) {
            end_run();
            continue;
        }
        run.push_back({key.key_index + 1.0, value});
    }
    end_run();
}

}  // namespace

void draw_evenness(Figure& figure, int index, Panel::Place place, std::span<const MeasuredKey> keys) {
    static const std::vector<Evenness> panels = all_panels();
    const Evenness& e = panels[static_cast<size_t>(index)];
    double low = e.low, high = e.high;
    for (const Series& s : e.series) {
        for (const MeasuredKey& key : keys) {
            const double value = s.value(key.report);
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    Panel panel(figure, place, {0, core::kKeyCount + 1.0}, {low, high});
    panel.axes("", e.title, 1, 5);  // octaves are the grid
    key_axis(figure, panel);
    double x = place.left + place.width;
    for (size_t i = e.series.size(); i-- > 0;) {  // names from the right end, in the title's line
        figure.text(x, place.top - 8, e.series[i].name, e.series[i].colour, 10, "end", true);
        x -= 5.6 * static_cast<double>(e.series[i].name.size()) + 9;
    }
    for (const Series& s : e.series) draw_series(panel, keys, s);
}

std::string evenness_svg(std::span<const MeasuredKey> keys, std::string_view title) {
    constexpr double kWidth = 1320, kHeight = 940, kColumn = 430, kRow = 210, kLeft = 54, kTop = 96;
    Figure figure(kWidth, kHeight);
    figure.title(26, 34, title, "what letoff measure finds on every key, from A0 to C8");
    for (int i = 0; i < kEvennessPanels; ++i) {
        const double left = kLeft + kColumn * (i % 3), top = kTop + kRow * std::floor(i / 3.0);
        draw_evenness(figure, i, {left, top, kColumn - 62, kRow - 56}, keys);
    }
    return figure.finish();
}

}  // namespace letoff::ui
