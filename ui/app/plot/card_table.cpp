#include "ui/app/plot/card_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/unit/key_name.h"

namespace letoff::ui {
namespace {

using keyboard::KeyReport;
using R = const KeyReport&;

constexpr double kMilli = 1e3;

struct Row {
    std::string_view name, unit;
    int digits;
    double (*value)(const KeyReport&);
};

template <typename Get>
double of(const KeyReport& r, std::string_view touch, Get&& get) {
    const auto* s = stroke_of(r, touch);
    return s == nullptr ? kNoFigure : get(*s);
}

// clang-format off
const std::vector<Row> kWeights{
    {"down weight", "g", 1, [](R r) { return r.touchweight.down_weight_g; }},
    {"up weight", "g", 1, [](R r) { return r.touchweight.up_weight_g; }},
    {"friction", "g", 2, [](R r) { return r.touchweight.friction_g(); }},
    {"balance weight", "g", 2, [](R r) { return r.touchweight.balance_weight_g(); }},
    {"front weight", "g", 1, [](R r) { return r.stanwood.front_weight_g; }},
    {"strike weight", "g", 2, [](R r) { return r.stanwood.strike_weight_g; }},
    {"strike weight ratio", "", 2, [](R r) { return r.stanwood.strike_weight_ratio; }},
    {"wippen balance weight", "g", 2, [](R r) { return r.stanwood.wippen_balance_weight_g(); }},
    {"left over of the balance", "g", 2, [](R r) { return r.stanwood.imbalance_g(r.touchweight); }},
    {"equivalent mass", "kg", 3, [](R r) { return r.equivalent_mass_kg; }},
    {"head to key ratio", "", 2, [](R r) { return r.regulation.head_to_key_ratio; }},
    {"dip under 3 N", "mm", 2, [](R r) { return r.regulation.key_dip_m * kMilli; }},
    {"blow", "mm", 1, [](R r) { return r.regulation.blow_m * kMilli; }},
    {"let-off", "mm", 2, [](R r) { return r.regulation.let_off_m * kMilli; }},
    {"drop", "mm", 2, [](R r) { return r.regulation.drop_m * kMilli; }},
    {"aftertouch", "mm", 2, [](R r) { return r.regulation.aftertouch_m * kMilli; }},
    {"lost motion", "mm", 2, [](R r) { return r.regulation.lost_motion_m * kMilli; }},
    {"check, mf", "mm", 1, [](R r) { return figure_or_none(r.check_distance_m * kMilli); }},
    {"damper met by the key", "mm", 2, [](R r) { return figure_or_none(r.damper.key_pick_up_m * kMilli); }},
    {"damper met by the pedal", "mm", 2, [](R r) { return figure_or_none(r.damper.pedal_pick_up_m * kMilli); }},
    {"damper adds", "N", 2, [](R r) { return figure_or_none(r.force.damper_adds_N); }},
};
const std::vector<Row> kPlay{
    {"jack behind the core", "mm", 2, [](R r) { return r.jack.behind_core_m * kMilli; }},
    {"knuckle on the lever", "%", 0, [](R r) { return 100 * r.jack.lever_share; }},
    {"wink without the jack", "mm", 2, [](R r) { return r.jack.wink_m * kMilli; }},
    {"jack comes back in", "ms", 0, [](R r) { return r.jack.returns ? r.jack.return_s * kMilli : kNoFigure; }},
    {"rise from the check", "mm", 1, [](R r) { return r.spring.held ? r.spring.rise_m * kMilli : kNoFigure; }},
    {"its speed", "m/s", 2, [](R r) { return r.spring.held ? r.spring.rise_speed_mps : kNoFigure; }},
    {"gap in a slow press", "mm", 2, [](R r) { return r.blocking.slow_gap_m * kMilli; }},
    {"on strings, pressed hard", "ms", 2, [](R r) { return r.blocking.hard_contact_s * kMilli; }},
    {"repeats with 6 mm lift", "Hz", 2, [](R r) { return figure_or_none(r.repetition.strikes_hz); }},
    {"repeats with 4 mm lift", "Hz", 2, [](R r) { return figure_or_none(r.small_lift.strikes_hz); }},
    {"p: finger to strike", "ms", 1, [](R r) { return of(r, "p", [](const auto& s) { return s.strike_s * kMilli; }); }},
    {"p: bottom after strike", "ms", 1, [](R r) { return of(r, "p", [](const auto& s) { return (s.key_bottom_s - s.strike_s) * kMilli; }); }},
    {"f: finger to strike", "ms", 1, [](R r) { return of(r, "f", [](const auto& s) { return s.strike_s * kMilli; }); }},
    {"f: bottom after strike", "ms", 1, [](R r) { return of(r, "f", [](const auto& s) { return (s.key_bottom_s - s.strike_s) * kMilli; }); }},
    {"f: damper off before", "ms", 1, [](R r) { return of(r, "f", [](const auto& s) { return (s.strike_s - s.damper_off_s) * kMilli; }); }},
    {"mf: fastest key", "m/s", 2, [](R r) { return of(r, "mf", [](const auto& s) { return s.key_peak_mps; }); }},
    {"mf: on the strings", "ms", 2, [](R r) { return of(r, "mf", [](const auto& s) { return s.string_contact_s * kMilli; }); }},
    {"double strikes, of 92", "", 0, [](R r) { return r.playing ? keyboard::count_double_strikes(r.playing->trials).doubled * 1.0 : kNoFigure; }},
    {"repeat at 13 Hz, of 18", "", 0, [](R r) { return r.playing ? r.playing->repetition_fingers * 1.0 : kNoFigure; }},
    {"ppp from rest, spread", "%", 1, [](R r) { return r.playing ? 100 * r.playing->soft.spread() : kNoFigure; }},
    {"ppp from escapement", "%", 1, [](R r) { return r.playing ? 100 * r.playing->soft_from_escapement.spread() : kNoFigure; }},
};
// clang-format on

constexpr std::array<int, 8> kShown{1, 16, 28, 40, 49, 64, 76, 88};  // A0 C2 C3 C4 A4 C6 C7 C8

std::string text_of(double value, int digits) {
    if (!std::isfinite(value)) return "-";
    if (std::abs(value) < 0.5 * std::pow(10.0, -digits)) value = 0;
    return fmt::format("{:.{}f}", value, digits);
}

struct Spread {
    double least = kNoFigure, most = kNoFigure, step = kNoFigure;  // greatest step from one key to the next
};
Spread spread_of(std::span<const MeasuredKey> keys, const Row& row) {
    Spread s;
    double before = kNoFigure;
    for (const MeasuredKey& key : keys) {
        const double value = row.value(key.report);
        s.least = std::fmin(s.least, value);
        s.most = std::fmax(s.most, value);
        s.step = std::fmax(s.step, std::abs(value - before));
        before = value;
    }
    return s;
}

double draw_table(Figure& figure, double left, double top, double width, std::span<const MeasuredKey> keys,
                  const std::vector<Row>& rows) {
    constexpr double kLine = 15.5, kName = 162;
    std::vector<const MeasuredKey*> shown;
    for (const MeasuredKey& key : keys) {
        if (keys.size() == 1 || std::find(kShown.begin(), kShown.end(), key.key_index + 1) != kShown.end())
            shown.push_back(&key);
    }
    const double column = (width - kName) / static_cast<double>(kShown.size() + 3);
    const auto at = [&](size_t i) { return left + kName + column * static_cast<double>(i + 1); };
    for (size_t i = 0; i < shown.size(); ++i)
        figure.text(at(i), top, core::key_name(shown[i]->key_index), ink::kText, 11, "end", true);
    if (keys.size() > 1) {
        constexpr std::array<std::string_view, 3> kEnds{"least", "most", "step"};
        for (size_t i = 0; i < kEnds.size(); ++i)
            figure.text(at(kShown.size() + i), top, kEnds[i], ink::kPurple, 11, "end", true);
    }
    double y = top;
    for (const Row& row : rows) {
        figure.grid_line(left, y + 4, left + width, y + 4);
        y += kLine;
        figure.text(left, y, row.unit.empty() ? std::string(row.name) : fmt::format("{}, {}", row.name, row.unit),
                    ink::kText, 10.5);
        for (size_t i = 0; i < shown.size(); ++i)
            figure.text(at(i), y, text_of(row.value(shown[i]->report), row.digits), ink::kText, 10.5, "end");
        if (keys.size() == 1) continue;
        const Spread s = spread_of(keys, row);
        const std::array<double, 3> ends{s.least, s.most, s.step};
        for (size_t i = 0; i < ends.size(); ++i)
            figure.text(at(kShown.size() + i), y, text_of(ends[i], row.digits), ink::kPurple, 10.5, "end");
    }
    return y + 4 - top;
}

}  // namespace

double draw_card_tables(Figure& figure, double left, double top, double width, std::span<const MeasuredKey> keys) {
    constexpr double kGap = 36;
    const double each = 0.5 * (width - kGap);
    return std::max(draw_table(figure, left, top, each, keys, kWeights),
                    draw_table(figure, left + each + kGap, top, each, keys, kPlay));
}

}  // namespace letoff::ui
