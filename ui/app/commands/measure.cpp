#include "ui/app/commands/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "core/rt/executor.h"
#include "core/unit/key_name.h"
#include "keyboard/bench/measure.h"
#include "keyboard/bench/repetition.h"
#include "keyboard/bench/trace.h"
#include "storage/atomic_file.h"
#include "ui/app/commands/bench_keys.h"
#include "ui/app/commands/profile_choice.h"
#include "ui/app/plot/key_plot.h"
#include "ui/app/progress_bar.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
using keyboard::KeyReport;
using Json = nlohmann::ordered_json;

constexpr const char* kName = "measure";
constexpr double kMilli = 1e3;

struct MeasureOptions {
    std::string key = "A4", plot_dir;
    ProfileChoice profile;
    int threads = 0;
    bool json = false;
};

/// A figure as a technician writes it down: no digits that mean nothing.
double mm(double metres) {
    return std::round(metres * 1e6) / 1e3;
}

void put_time(Json& json, const char* name, double seconds) {
    if (std::isfinite(seconds)) json[name] = std::round(seconds * 1e7) / 1e7;
}

Json stroke_json(const keyboard::TouchReport& touch) {
    const keyboard::PlayedStroke& s = touch.stroke;
    Json json;
    json["touch"] = touch.touch;
    json["hammer_speed_mps"] = std::round(s.hammer_speed_mps * 1e4) / 1e4;
    put_time(json, "travel_time_s", s.strike_s);
    put_time(json, "key_bottom_minus_strike_s", s.key_bottom_s - s.strike_s);
    put_time(json, "escapement_minus_strike_s", s.escapement_s - s.strike_s);
    put_time(json, "string_contact_s", s.string_contact_s);
    return json;
}

Json curve_json(const keyboard::ForceCurve& curve) {
    Json json;
    json["dip_mm"] = json["down_N"] = json["up_N"] = Json::array();
    for (size_t i = 0; i < curve.dip_m.size(); ++i) {
        json["dip_mm"].push_back(mm(curve.dip_m[i]));
        json["down_N"].push_back(std::round(curve.down_N[i] * 1e4) / 1e4);
        json["up_N"].push_back(std::round(curve.up_N[i] * 1e4) / 1e4);
    }
    return json;
}

Json key_json(int key_index, const KeyReport& report) {
    const keyboard::Regulation& r = report.regulation;
    Json json;
    json["key"] = key_index + 1;
    json["name"] = core::key_name(key_index);
    json["down_weight_g"] = report.touchweight.down_weight_g;
    json["up_weight_g"] = report.touchweight.up_weight_g;
    json["friction_g"] = report.touchweight.friction_g();
    json["balance_weight_g"] = report.touchweight.balance_weight_g();
    json["key_dip_mm"] = mm(r.key_dip_m);
    json["blow_distance_mm"] = mm(r.blow_m);
    json["let_off_mm"] = mm(r.let_off_m);
    json["drop_mm"] = mm(r.drop_m);
    json["aftertouch_mm"] = mm(r.aftertouch_m);
    json["lost_motion_mm"] = mm(r.lost_motion_m);
    if (report.check_distance_m > 0) json["check_distance_mm"] = mm(report.check_distance_m);
    if (r.damper_pick_up_m > 0) {
        json["damper_pick_up_mm"] = mm(r.damper_pick_up_m);
        json["damper_adds_N"] = std::round(report.force.damper_adds_N * 1e4) / 1e4;
    }
    json["equivalent_mass_kg"] = std::round(report.force.equivalent_mass_kg * 1e4) / 1e4;
    if (report.max_repetition_hz > 0) {
        json["max_repetition_hz"] = report.max_repetition_hz;
        json["repetition_lift_mm"] = mm(keyboard::kRepetitionLift_m);
    }
    json["strokes"] = Json::array();
    for (const keyboard::TouchReport& touch : report.strokes) json["strokes"].push_back(stroke_json(touch));
    json["force_curve"] = curve_json(report.force.curve);
    return json;
}

void print_table(const std::vector<int>& keys, const std::vector<KeyReport>& reports) {
    fmt::print("{:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7}\n", "key", "DW", "UW",
               "frict", "dip", "blow", "letoff", "drop", "after", "lost", "check", "mass", "repeats");
    fmt::print("{:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7}\n", "", "g", "g", "g",
               "mm", "mm", "mm", "mm", "mm", "mm", "mm", "kg", "Hz");
    for (size_t i = 0; i < keys.size(); ++i) {
        const KeyReport& k = reports[i];
        const keyboard::Regulation& r = k.regulation;
        const std::string check = k.check_distance_m > 0 ? fmt::format("{:.1f}", mm(k.check_distance_m)) : "none";
        const std::string rate = k.max_repetition_hz > 0 ? fmt::format("{:.2f}", k.max_repetition_hz) : "none";
        fmt::print(
            "{:>5} {:>6.1f} {:>6.1f} {:>6.2f} {:>6.2f} {:>6.1f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6} {:>7.3f} "
            "{:>7}\n",
            core::key_name(keys[i]), k.touchweight.down_weight_g, k.touchweight.up_weight_g, k.touchweight.friction_g(),
            mm(r.key_dip_m), mm(r.blow_m), mm(r.let_off_m), mm(r.drop_m), mm(r.aftertouch_m), mm(r.lost_motion_m),
            check, k.force.equivalent_mass_kg, rate);
    }
    if (keys.size() != 1) return;
    fmt::print("\n{:>5} {:>8} {:>10} {:>22} {:>22} {:>15}\n", "touch", "m/s", "travel ms", "key bottom - strike ms",
               "escapement - strike ms", "on strings ms");
    for (const keyboard::TouchReport& touch : reports.front().strokes) {
        const keyboard::PlayedStroke& s = touch.stroke;
        fmt::print("{:>5} {:>8.2f} {:>10.1f} {:>22.1f} {:>22.1f} {:>15.2f}\n", touch.touch, s.hammer_speed_mps,
                   s.strike_s * kMilli, (s.key_bottom_s - s.strike_s) * kMilli, (s.escapement_s - s.strike_s) * kMilli,
                   s.string_contact_s * kMilli);
    }
}

/// Writes a key's pictures; "" or what failed.
std::string write_plots(const fs::path& directory, const keyboard::KeyBuild& build, const KeyReport& report) {
    const keyboard::TestKey key = keyboard::settle_test_key(build);
    const std::string name = core::key_name(build.key_index);
    const auto write = [&](std::string_view what, const std::string& svg) -> std::string {
        const auto done = storage::write_file(directory / fmt::format("{}_{}.svg", name, what), svg);
        return done ? std::string() : done.error();
    };
    std::string error = write("force", force_curve_svg(report.force.curve, report.regulation, key.rest_dip_m,
                                                       fmt::format("{}: force of a slow press", name)));
    if (!error.empty()) return error;
    for (const keyboard::TouchReport& touch : report.strokes) {
        const keyboard::Trace trace = keyboard::record_keystroke(key, touch.stroke.acceleration_mps2);
        error = write(touch.touch, keystroke_svg(trace, fmt::format("{}: a keystroke, {}", name, touch.touch)));
        if (!error.empty()) return error;
    }
    return {};
}

int measure(const MeasureOptions& options) {
    const auto touch = options.profile.touch(kName);
    if (!touch) return failed(kName, touch.error());
    const auto keys = bench_keys(options.key, touch.value().grand);
    if (!keys) return wrong_use(kName, fmt::format("{} --key all measures every key.", keys.error()));
    if (!options.plot_dir.empty()) {
        std::error_code error;
        fs::create_directories(options.plot_dir, error);
        if (!fs::is_directory(options.plot_dir)) {
            return failed(kName,
                          fmt::format("cannot put plots into '{}': a directory that exists or can be made is needed",
                                      options.plot_dir));
        }
    }
    const int machine = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const auto executor = core::make_executor(
        "tbb", options.threads > 0 ? options.threads : std::min(machine, core::kMaxExecutorThreads));
    if (!executor) return failed(kName, executor.error());

    const std::vector<keyboard::KeyBuild>& builds = keys.value().builds;
    std::vector<KeyReport> reports(builds.size());
    std::vector<int> indices;
    indices.reserve(builds.size());
    for (const keyboard::KeyBuild& build : builds) indices.push_back(build.key_index);
    ProgressBar bar;
    // A few keys at a time, so that the bar moves; what is measured does not depend on it.
    const size_t at_once = 2 * static_cast<size_t>(executor.value()->threads());
    for (size_t first = 0; first < builds.size(); first += at_once) {
        if (builds.size() > 1) bar.show(static_cast<double>(first) / static_cast<double>(builds.size()), "measuring");
        const size_t count = std::min(at_once, builds.size() - first);
        core::parallel_for(*executor.value(), static_cast<int>(count), [&](int i) {
            const size_t k = first + static_cast<size_t>(i);
            reports[k] = keyboard::measure_key(builds[k]);
        });
    }
    bar.clear();
    for (size_t k = 0; k < builds.size() && !options.plot_dir.empty(); ++k) {
        if (const std::string error = write_plots(options.plot_dir, builds[k], reports[k]); !error.empty())
            return failed(kName, error);
    }
    if (!options.json) {
        print_table(indices, reports);
        return kDone;
    }
    Json json;
    json["keys"] = Json::array();
    for (size_t k = 0; k < builds.size(); ++k) json["keys"].push_back(key_json(indices[k], reports[k]));
    fmt::print("{}\n", json.dump(2));
    return kDone;
}

}  // namespace

void add_measure(CLI::App& app, CommandContext& context) {
    const auto options = std::make_shared<MeasureOptions>();
    CLI::App* command = app.add_subcommand(
        kName, "Measure a key as a technician does: touchweight, let-off, drop, check, curves, timing");
    command->add_option("--key", options->key, "1-88 (A0 = 1), a name (A0, C#4, Bb3), midi:60, or all")
        ->capture_default_str();
    options->profile.add_to(*command);
    command->add_option("--threads", options->threads, "Threads to use; 0: as many as the machine has")
        ->check(CLI::Range(0, core::kMaxExecutorThreads))
        ->capture_default_str();
    command
        ->add_option("--plot", options->plot_dir,
                     "Draw each key's force curve and strokes as SVG files into this directory")
        ->option_text("DIR");
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer(
        "Weights lie 13 mm behind the key's front edge, dampers lifted; strokes are those of the model finger.\n"
        "Example: letoff measure --key A4 --plot plots");
    command->callback([options, &context] { context.status = measure(*options); });
}

}  // namespace letoff::ui
