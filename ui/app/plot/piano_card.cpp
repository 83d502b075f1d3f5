#include "ui/app/plot/piano_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/unit/key_name.h"
#include "ui/app/plot/card_table.h"
#include "ui/app/plot/evenness_plot.h"

namespace letoff::ui {
namespace {

constexpr double kWidth = 1684, kHeight = 1191;  // A3 landscape
constexpr double kMargin = 30, kColumn = 409, kRow = 172, kTop = 98, kAxis = 34;
constexpr double kMilli = 1e3;

Panel::Place cell(int column, int row) {
    return {kMargin + kAxis + kColumn * column, kTop + kRow * row, kColumn - kAxis - 18, kRow - 46};
}

constexpr std::array<std::string_view, 5> kInks{ink::kPurple, ink::kBlue, ink::kGreen, ink::kOrange, ink::kRed};

/// Up to five of the measured keys: A0, C2, C4, C6, C8 where they are there.
std::vector<const MeasuredKey*> some_of(std::span<const MeasuredKey> keys) {
    std::vector<const MeasuredKey*> some;
    for (const MeasuredKey& key : keys) {
        constexpr std::array<int, 5> kSome{1, 16, 40, 64, 88};
        const bool wanted = std::find(kSome.begin(), kSome.end(), key.key_index + 1) != kSome.end();
        if (wanted || keys.size() < kSome.size()) some.push_back(&key);
    }
    if (some.empty()) some.push_back(&keys[keys.size() / 2]);
    return some;
}

void name_keys(Figure& figure, const Panel& panel, const std::vector<const MeasuredKey*>& some) {
    double x = panel.place().left + panel.place().width;
    for (size_t i = some.size(); i-- > 0;) {
        const std::string name = core::key_name(some[i]->key_index);
        figure.text(x, panel.place().top - 8, name, kInks[i % kInks.size()], 10, "end", true);
        x -= 26;
    }
}

void draw_forces(Figure& figure, Panel::Place place, const std::vector<const MeasuredKey*>& some) {
    double most_N = 1, deepest = 10.5;
    for (const MeasuredKey* key : some) {
        const keyboard::ForceCurve& curve = key->report.force.curve;
        for (size_t i = 0; i < curve.dip_m.size(); ++i) {
            most_N = std::max(most_N, std::min(curve.down_N[i], 1.6));
            deepest = std::max(deepest, curve.dip_m[i] * kMilli);
        }
    }
    Panel panel(figure, place, {0, deepest}, {0, 1.08 * most_N});
    panel.axes("dip, mm", "force down and up at 10 mm/s, N", 10, 5);
    for (size_t i = 0; i < some.size(); ++i) {
        const keyboard::ForceCurve& curve = some[i]->report.force.curve;
        std::vector<PlotPoint> down, up;
        for (size_t k = 0; k < curve.dip_m.size(); ++k) {
            down.push_back({curve.dip_m[k] * kMilli, curve.down_N[k]});
            up.push_back({curve.dip_m[k] * kMilli, curve.up_N[k]});
        }
        panel.line(down, kInks[i % kInks.size()], 1.5);
        panel.line(up, kInks[i % kInks.size()], 0.9);
    }
    name_keys(figure, panel, some);
}

/// Speed by travel time, both in logarithms: a straight line is a power law.
void draw_speeds(Figure& figure, Panel::Place place, const std::vector<const MeasuredKey*>& some) {
    Panel panel(figure, place, {std::log10(8.0), std::log10(220.0)}, {std::log10(0.32), std::log10(11.0)});
    const double bottom = place.top + place.height, right = place.left + place.width;
    figure.text(place.left, place.top - 8, "hammer speed by travel time, m/s", ink::kText, 12, "start", true);
    figure.text(right, bottom + 34, "ms", ink::kText, 12, "end");
    for (const double ms : {10.0, 20.0, 50.0, 100.0, 200.0}) {
        const double x = panel.px(std::log10(ms));
        figure.grid_line(x, place.top, x, bottom);
        figure.text(x, bottom + 16, fmt::format("{:g}", ms), ink::kSoft, 11, "middle");
    }
    for (const double mps : {0.4, 1.0, 2.8, 5.0, 9.0}) {
        const double y = panel.py(std::log10(mps));
        figure.grid_line(place.left, y, right, y);
        figure.text(place.left - 7, y + 4, fmt::format("{:g}", mps), ink::kSoft, 11, "end");
    }
    for (size_t i = 0; i < some.size(); ++i) {
        std::vector<PlotPoint> points;
        for (const keyboard::TouchReport& t : some[i]->report.strokes)
            points.push_back({std::log10(t.stroke.strike_s * kMilli), std::log10(t.stroke.hammer_speed_mps)});
        panel.line(points, kInks[i % kInks.size()], 1.2);
        for (const PlotPoint& p : points) panel.dot(p, kInks[i % kInks.size()]);
    }
    name_keys(figure, panel, some);
}

void draw_softest(Figure& figure, Panel::Place place, const std::vector<const MeasuredKey*>& some) {
    const MeasuredKey* key = some[some.size() / 2];
    Panel panel(figure, place, {0.12, 0.53}, {0.1, 0.56});
    panel.axes("asked, m/s", fmt::format("ppp at {}: played, m/s", core::key_name(key->key_index)), 8, 5);
    const std::array<PlotPoint, 2> right{{{0.12, 0.12}, {0.53, 0.53}}};
    panel.line(right, ink::kFrame, 1);
    if (!key->report.playing) return;
    const auto draw = [&](const keyboard::SoftControl& control, std::string_view colour, double aside_mps) {
        for (const keyboard::SoftNote& note : control.notes) {
            const auto [least, most] = std::minmax_element(note.got_mps.begin(), note.got_mps.end());
            if (*most <= 0) continue;
            const std::array<PlotPoint, 2> bar{
                {{note.asked_mps + aside_mps, *least}, {note.asked_mps + aside_mps, *most}}};
            panel.line(bar, colour, 4);
        }
    };
    draw(key->report.playing->soft, ink::kBlue, -0.0025);
    draw(key->report.playing->soft_from_escapement, ink::kOrange, 0.0025);
    figure.text(place.left + place.width, place.top - 8, "from escapement", ink::kOrange, 10, "end", true);
    figure.text(place.left + place.width - 90, place.top - 8, "from rest", ink::kBlue, 10, "end", true);
}

/// Where the finger's work goes, as shares, a bar a touch.
void draw_energy(Figure& figure, Panel::Place place, const std::vector<const MeasuredKey*>& some) {
    const MeasuredKey* key = some[some.size() / 2];
    figure.text(place.left, place.top - 8,
                fmt::format("work of the finger at {}: where it goes", core::key_name(key->key_index)), ink::kText, 12,
                "start", true);
    struct Share {
        std::string_view name, colour;
    };
    constexpr std::array<Share, 7> kShares{{{"strings", ink::kRed},
                                            {"hammer felt", ink::kOrange},
                                            {"front rail", ink::kBlue},
                                            {"felts", ink::kSky},
                                            {"rubbing", ink::kGreen},
                                            {"pivots", ink::kPurple},
                                            {"still lifted", ink::kFrame}}};
    constexpr double kName = 80, kBar = 20;
    double y = place.top + 2;
    for (const keyboard::TouchReport& touch : key->report.strokes) {
        const keyboard::EnergyBalance& b = touch.energy.balance;
        const double rail_J = b.felts_J[keyboard::kKeyFrontRail], keep_J = touch.energy.strings_keep_J;
        const std::array<double, 7> shares{keep_J,
                                           b.strings_J - keep_J,
                                           rail_J,
                                           b.felts_total_J() - rail_J,
                                           b.rubbing_total_J(),
                                           b.pivots_total_J(),
                                           b.stored_J};
        double whole_J = 0;
        for (const double share : shares) whole_J += std::max(share, 0.0);
        figure.text(place.left, y + 12, fmt::format("{} {:.3g} mJ", touch.touch, b.work_J * kMilli), ink::kText, 10);
        double x = place.left + kName;
        for (size_t i = 0; i < shares.size() && whole_J > 0; ++i) {
            const double width = std::max(shares[i], 0.0) / whole_J * (place.width - kName);
            figure.raw(fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                                   x, y, width, kBar - 3, kShares[i].colour));
            x += width;
        }
        y += kBar;
    }
    double x = place.left;
    for (const Share& share : kShares) {
        figure.text(x, place.top + place.height + 6, share.name, share.colour, 10, "start", true);
        x += 5.6 * static_cast<double>(share.name.size()) + 11;
    }
}

}  // namespace

std::string piano_card_svg(std::span<const MeasuredKey> keys, std::string_view profile) {
    Figure figure(kWidth, kHeight);
    const std::string range =
        keys.size() == 1 ? core::key_name(keys.front().key_index)
                         : fmt::format("{} keys, {} to {}", keys.size(), core::key_name(keys.front().key_index),
                                       core::key_name(keys.back().key_index));
    figure.title(kMargin, 36, fmt::format("Piano card: {}", profile),
                 fmt::format("{}, measured by letoff measure as a technician does: gram weights 13 mm behind the front "
                             "edge, dampers lifted; dip from rest at the same place",
                             range));
    for (int i = 0; i < kEvennessPanels; ++i) draw_evenness(figure, i, cell(i % 4, i / 4), keys);
    const std::vector<const MeasuredKey*> some = some_of(keys);
    draw_forces(figure, cell(0, 3), some);
    draw_speeds(figure, cell(1, 3), some);
    draw_softest(figure, cell(2, 3), some);
    draw_energy(figure, cell(3, 3), some);
    const double table_top = kTop + 4 * kRow + 24;
    const double table = draw_card_tables(figure, kMargin, table_top, kWidth - 2 * kMargin, keys);
    figure.text(
        kMargin, table_top + table + 22,
        "least, most: over all keys measured; step: the greatest from one key to the next. Touches: pp 0.4, p 1, "
        "mf 2.8, f 5, ff 9 m/s at the strings, pressed. Fingers: the library of core/finger. ppp: 20 speeds "
        "from 0.15 to 0.5 m/s with 2 % of inaccuracy in the hand.",
        ink::kSoft, 10.5);
    return figure.finish();
}

}  // namespace letoff::ui
