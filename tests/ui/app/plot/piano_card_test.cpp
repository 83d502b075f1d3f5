#include "ui/app/plot/piano_card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "ui/app/plot/evenness_plot.h"

namespace letoff::ui {
namespace {

/// A key with every kind of figure, and with some that are missing.
MeasuredKey measured(int key_index) {
    MeasuredKey key;
    key.key_index = key_index;
    keyboard::KeyReport& r = key.report;
    r.touchweight = {50.0, 24.0 + 0.5 * key_index};
    r.stanwood.front_weight_g = 40.0 - key_index;
    r.regulation.key_dip_m = 0.01;
    r.regulation.blow_m = 0.0455;
    r.equivalent_mass_kg = 0.3;
    r.force.curve = {{0, 0.005, 0.01}, {0.4, 0.6, 0.8}, {0.2, 0.3, 0.4}};
    r.damper.damped = key_index < 3;
    r.damper.key_pick_up_m = key_index < 3 ? 0.0045 : 0.0;
    keyboard::TouchReport touch;
    touch.touch = "p";
    touch.stroke.hammer_speed_mps = 1.0;
    touch.stroke.strike_s = 0.1;
    touch.stroke.key_bottom_s = 0.105;
    touch.energy.balance.work_J = 0.01;
    touch.energy.balance.strings_J = 0.004;
    r.strokes.push_back(touch);
    return key;
}

std::vector<MeasuredKey> some_keys(int count) {
    std::vector<MeasuredKey> keys;
    for (int k = 0; k < count; ++k) keys.push_back(measured(k));
    return keys;
}

int count_of(const std::string& text, const std::string& what) {
    int count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

/// Tags opened are closed, and no number is one that a viewer cannot read.
void expect_readable(const std::string& svg) {
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(count_of(svg, "<text"), count_of(svg, "</text>"));
    EXPECT_EQ(count_of(svg, "<clipPath"), count_of(svg, "</clipPath>"));
    EXPECT_FALSE(std::regex_search(svg, std::regex("=\"[^\"]*(nan|inf)"))) << "a coordinate that is none";
    EXPECT_EQ(svg.find(">nan"), std::string::npos);
    EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos) << "white paper";
}

TEST(PianoCard, HasTablesAndCurvesOfEveryKeyMeasured) {
    const std::string svg = piano_card_svg(some_keys(40), "concert");
    expect_readable(svg);
    for (const char* name : {"Piano card: concert", "40 keys, A0 to C4", "down weight, g", "strike weight ratio",
                             "front weight, g", "equivalent mass, kg", "repeats with 4 mm lift, Hz",
                             "ppp from rest, spread, %", "jack behind the core, mm", ">step<", ">C4<"})
        EXPECT_NE(svg.find(name), std::string::npos) << name;
    // The table's extremes: up weight 24 g at A0, 43.5 g at C4, half a gram from key to key.
    const std::size_t row = svg.find("up weight, g");
    const std::string cells = svg.substr(row, svg.find("friction, g", row) - row);
    for (const char* cell : {">24.0<", ">43.5<", ">0.5<"}) EXPECT_NE(cells.find(cell), std::string::npos) << cell;
}

TEST(PianoCard, OneKeyHasItsOwnCard) {
    const std::string svg = piano_card_svg(some_keys(1), "concert");
    expect_readable(svg);
    EXPECT_NE(svg.find(">A0, measured"), std::string::npos);
    EXPECT_EQ(svg.find(">step<"), std::string::npos) << "one key is not even or uneven";
}

TEST(Evenness, BreaksItsLinesWhereAKeyHasNoFigure) {
    // Dampers on keys 1 to 3 only: their lines end there.
    auto keys = some_keys(8);
    keys[1].report.damper.key_clear_m = 0.001;  // no straight way from the first to the third
    keys[1].report.damper.key_pick_up_m = 0.005;
    Figure figure(400, 200);
    draw_evenness(figure, 6, {40, 20, 340, 150}, keys);
    const std::string svg = figure.finish();
    expect_readable(svg);
    const std::regex line("<path d=\"(M[^\"]*)\" clip-path");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(svg, found, line));
    EXPECT_EQ(std::count(found[1].first, found[1].second, 'L'), 2) << "three points";
    expect_readable(evenness_svg(keys, "Evenness"));
}

}  // namespace
}  // namespace letoff::ui
