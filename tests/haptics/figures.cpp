// Draws what a finger feels on the simulated device beside what the action model itself gives: the force of a slow
// press as Docquier et al. 2021 draw it (figures 24 to 26), and mf and repetition over time. Not a test.
//   haptic_figures FOLDER       SVG and CSV, one pair a figure
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <vector>

#include "tests/haptics/own_force.h"
#include "ui/app/plot/svg.h"

namespace letoff::test {
namespace {

using ui::Figure;
using ui::Panel;
using ui::PlotPoint;

struct Setting {
    std::string name;
    keyboard::KeyBuild build;
};

/// The force of a slow press over dip, 0.1 mm a point: the mean of what was within it, on the way down and up.
struct Curve {
    std::vector<PlotPoint> down, up;
};
Curve over_dip(const std::vector<Rig::Moment>& motion, const std::vector<double>& dip_m,
               const std::vector<double>& force_N) {
    constexpr std::size_t kPoints = 105;
    std::array<std::array<double, kPoints>, 2> sum{}, count{};
    const std::size_t turn = motion.size() / 2;
    for (std::size_t i = 0; i < motion.size(); ++i) {
        const double index = dip_m[i] * 1e4 + 0.5;
        if (index < 0 || index >= kPoints) continue;
        const std::size_t way = i < turn ? 0 : 1;
        sum[way][static_cast<std::size_t>(index)] += force_N[i];
        count[way][static_cast<std::size_t>(index)] += 1;
    }
    Curve c;
    for (std::size_t p = 0; p < kPoints; ++p) {
        const double dip_mm = static_cast<double>(p) * 0.1;
        if (count[0][p] > 0) c.down.push_back({dip_mm, sum[0][p] / count[0][p]});
        if (count[1][p] > 0) c.up.push_back({dip_mm, sum[1][p] / count[1][p]});
    }
    return c;
}

struct SlowPress {
    Curve felt, own;
};
SlowPress press_slowly(const keyboard::KeyBuild& build, const hw::DeviceNumbers& device) {
    RigSetting setting;
    setting.device = device;
    const Compared c = compare(keyboard::settle_test_key(build), fine_key(build), setting, Stroke::slow);
    std::vector<double> dip_m, force_N;
    for (const Rig::Moment& m : c.felt) {
        dip_m.push_back(m.dip_m);
        force_N.push_back(m.finger_N);
    }
    return {over_dip(c.felt, dip_m, force_N), over_dip(c.felt, c.same_fingertip.dip_m, c.same_fingertip.finger_N)};
}

constexpr std::string_view kColours[] = {ui::ink::kBlue, ui::ink::kOrange, ui::ink::kGreen};

/// Left the model itself, right the device, as Docquier's figures have the real action left and the prototype right.
void draw_slow(const std::string& folder, const std::string& file, std::string_view title,
               std::span<const Setting> settings) {
    constexpr double kMost_N = 2.5;
    Figure figure(1240, 560);
    figure.title(26, 34, title, "full dip at 10 mm/s down (full) and up (dashed), 0.25 ms from a reading to its force");
    const Panel::Range dip{0, 10.4}, force{0, kMost_N};
    Panel own(figure, {66, 100, 350, 400}, dip, force), wood(figure, {460, 100, 350, 400}, dip, force),
        lever(figure, {854, 100, 350, 400}, dip, force);
    own.axes("key dip, mm", "force on the finger, N", 6, 6);
    wood.axes("key dip, mm", "", 6, 6);
    lever.axes("key dip, mm", "", 6, 6);
    figure.text(66, 74, "the action model itself", ui::ink::kText, 12, "start", true);
    figure.text(460, 74, "felt on a wooden key", ui::ink::kText, 12, "start", true);
    figure.text(854, 74, "felt on a light lever", ui::ink::kText, 12, "start", true);
    std::ofstream csv(folder + "/" + file + ".csv");
    csv << "setting,where,way,dip_mm,force_N\n";
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const SlowPress on_wood = press_slowly(settings[i].build, hw::wooden_key());
        const SlowPress on_lever = press_slowly(settings[i].build, hw::light_lever());
        const auto draw = [&](Panel& panel, const Curve& c, std::string_view where) {
            panel.line(c.up, kColours[i], 1.0, "4 3");
            panel.line(c.down, kColours[i], 1.8);
            for (const auto& [way, points] : {std::pair("down", &c.down), std::pair("up", &c.up)}) {
                for (const PlotPoint& p : *points)
                    csv << fmt::format("{},{},{},{:.1f},{:.4f}\n", settings[i].name, where, way, p.x, p.y);
            }
        };
        draw(own, on_wood.own, "model");
        draw(wood, on_wood.felt, "wooden key");
        draw(lever, on_lever.felt, "light lever");
        figure.text(80, 116 + 18 * static_cast<double>(i), settings[i].name, kColours[i], 12, "start", true);
    }
    std::ofstream(folder + "/" + file + ".svg") << figure.finish();
}

void draw_over_time(const std::string& folder, const std::string& file, std::string_view title, Stroke stroke,
                    double shown_s) {
    Figure figure(1240, 760);
    figure.title(26, 34, title,
                 "0.25 ms from a reading to its force; what the model itself gives: same fingertip motion");
    std::ofstream csv(folder + "/" + file + ".csv");
    csv << "device,t_ms,felt_N,own_N,dip_mm,own_dip_mm\n";
    const keyboard::TestKey fine = fine_key(keyboard::a4_build());
    double top = 84;
    for (const hw::DeviceNumbers& device : {hw::wooden_key(), hw::light_lever()}) {
        RigSetting setting;
        setting.device = device;
        const Compared c = compare(keyboard::a4(), fine, setting, stroke);
        const Difference d = difference(c.felt, c.same_fingertip, 0.25e-3);
        Panel force(figure, {66, top + 20, 1140, 170}, {0, shown_s * 1e3}, {0, 9});
        Panel dip(figure, {66, top + 210, 1140, 80}, {0, shown_s * 1e3}, {11, -0.5});
        force.axes("",
                   fmt::format("{}: force, N; {:.1f} % rms of {:.1f} N, key bottom excluded", device.name,
                               100 * d.rms_share, d.range_N),
                   10, 5);
        dip.axes("time, ms", "dip, mm", 10, 3);
        std::vector<PlotPoint> felt, own, felt_dip, own_dip;
        for (std::size_t i = 0; i < c.felt.size(); ++i) {
            const double t_ms = static_cast<double>(i) * 0.25;
            if (t_ms > shown_s * 1e3) break;
            felt.push_back({t_ms, c.felt[i].finger_N});
            own.push_back({t_ms, c.same_fingertip.finger_N[i]});
            felt_dip.push_back({t_ms, c.felt[i].dip_m * 1e3});
            own_dip.push_back({t_ms, c.same_fingertip.dip_m[i] * 1e3});
            csv << fmt::format("{},{:.2f},{:.4f},{:.4f},{:.4f},{:.4f}\n", device.name, t_ms, felt.back().y,
                               own.back().y, felt_dip.back().y, own_dip.back().y);
        }
        force.line(own, ui::ink::kBlue, 1.6);
        force.line(felt, ui::ink::kOrange, 1.2);
        dip.line(own_dip, ui::ink::kBlue, 1.6);
        dip.line(felt_dip, ui::ink::kOrange, 1.2);
        figure.text(900, top - 4, "felt on the device", ui::ink::kOrange, 12, "start", true);
        figure.text(1060, top - 4, "the model itself", ui::ink::kBlue, 12, "start", true);
        top += 340;
    }
    std::ofstream(folder + "/" + file + ".svg") << figure.finish();
}

int draw_all(const std::string& folder) {
    const keyboard::KeyBuild a4 = keyboard::a4_build();
    keyboard::KeyBuild no_damper = a4;
    no_damper.damped = false;
    const Setting damper[] = {{"as regulated", a4}, {"no damper", no_damper}};
    draw_slow(folder, "haptic_damper", "Force of a slow press (Docquier et al. 2021, figure 24)", damper);
    // A button 0.1 mm lower lets off 0.67 mm earlier: +-0.1 mm is what keeps the action playable.
    const std::size_t button = keyboard::grand_row("let_off_button_y_mm");
    const Setting buttons[] = {{"as regulated", a4},
                               {"button 0.1 mm lower", keyboard::turned(a4, button, -0.1)},
                               {"button 0.1 mm higher", keyboard::turned(a4, button, 0.1)}};
    draw_slow(folder, "haptic_button", "Height of the let-off button (Docquier et al. 2021, figure 25)", buttons);
    std::vector<Setting> hammers{{"as regulated", a4}};
    for (const double more_kg : {0.003, 0.006}) {
        keyboard::KeyBuild heavy = a4;
        heavy.values[keyboard::grand_row("hammer_mass_kg")] += more_kg;
        // A point at the head, 0.13 m out: the centre of mass moves there too.
        heavy.values[keyboard::grand_row("hammer_inertia_kgm2")] += more_kg * 0.13 * 0.13;
        double& com_mm = heavy.values[keyboard::grand_row("hammer_com_x_mm")];
        const double before_kg = a4.values[keyboard::grand_row("hammer_mass_kg")];
        com_mm = (com_mm * before_kg + 130 * more_kg) / (before_kg + more_kg);
        hammers.push_back({fmt::format("hammer {:.0f} g heavier", more_kg * 1e3), heavy});
    }
    draw_slow(folder, "haptic_hammer", "Mass of the hammer (Docquier et al. 2021, figure 26)", hammers);
    draw_over_time(folder, "haptic_mf", "An mf stroke", Stroke::mf, 0.5);
    draw_over_time(folder, "haptic_repetition", "Seven strokes a second", Stroke::repetition, 0.9);
    return 0;
}

}  // namespace
}  // namespace letoff::test

int main(int count, char** words) {
    if (count != 2) {
        std::fputs("haptic_figures FOLDER: the folder to draw into\n", stderr);
        return 2;
    }
    return letoff::test::draw_all(words[1]);
}
