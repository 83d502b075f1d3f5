#include "ui/app/commands/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/rt/executor.h"
#include "core/unit/key_name.h"
#include "keyboard/bench/measure.h"
#include "keyboard/bench/trace.h"
#include "storage/atomic_file.h"
#include "ui/app/commands/bench_keys.h"
#include "ui/app/commands/measure_report.h"
#include "ui/app/commands/profile_choice.h"
#include "ui/app/commands/user_files.h"
#include "ui/app/plot/evenness_plot.h"
#include "ui/app/plot/key_plot.h"
#include "ui/app/plot/piano_card.h"
#include "ui/app/progress_bar.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kName = "measure";

struct MeasureOptions {
    std::string key = "A4", plot_dir, card;
    ProfileChoice profile;
    TouchPoint touch_point;
    int threads = 0;
    bool json = false, playing = false;
};

/// Writes a key's pictures; "" or what failed.
std::string write_plots(const fs::path& directory, const keyboard::KeyBuild& build, const keyboard::KeyReport& report) {
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
    auto keys = bench_keys(options.key, touch.value());
    if (!keys) return wrong_use(kName, fmt::format("{} --key all measures every key.", keys.error()));
    options.touch_point.apply(keys.value());
    if (!options.plot_dir.empty()) {
        if (const std::string why = make_plot_folder(options.plot_dir); !why.empty()) return failed(kName, why);
    }
    std::error_code ignored;
    if (const fs::path folder = fs::path(options.card).parent_path();
        !folder.empty() && !fs::is_directory(folder, ignored)) {
        return failed(kName,
                      fmt::format("cannot write '{}': the folder '{}' is not there", options.card, folder.string()));
    }
    const int machine = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const auto executor = core::make_executor(
        "tbb", options.threads > 0 ? options.threads : std::min(machine, core::kMaxExecutorThreads));
    if (!executor) return failed(kName, executor.error());

    const std::vector<keyboard::KeyBuild>& builds = keys.value().builds;
    std::vector<MeasuredKey> measured(builds.size());
    const keyboard::MeasureDepth depth{.playing = options.playing || !options.card.empty()};
    ProgressBar bar;
    // A few keys at a time, so that the bar moves; what is measured does not depend on it.
    const size_t at_once = 2 * static_cast<size_t>(executor.value()->threads());
    for (size_t first = 0; first < builds.size(); first += at_once) {
        if (builds.size() > 1) bar.show(static_cast<double>(first) / static_cast<double>(builds.size()), "measuring");
        const size_t count = std::min(at_once, builds.size() - first);
        core::parallel_for(*executor.value(), static_cast<int>(count), [&](int i) {
            const size_t k = first + static_cast<size_t>(i);
            measured[k] = {builds[k].key_index, keyboard::measure_key(builds[k], depth)};
        });
    }
    bar.clear();
    for (size_t k = 0; k < builds.size() && !options.plot_dir.empty(); ++k) {
        if (const std::string error = write_plots(options.plot_dir, builds[k], measured[k].report); !error.empty())
            return failed(kName, error);
    }
    if (!options.plot_dir.empty() && measured.size() > 1) {
        const auto done = storage::write_file(fs::path(options.plot_dir) / "evenness.svg",
                                              evenness_svg(measured, "Evenness of the keys"));
        if (!done) return failed(kName, done.error());
    }
    if (!options.card.empty()) {
        const auto done = storage::write_file(options.card, piano_card_svg(measured, options.profile.name));
        if (!done) return failed(kName, done.error());
    }
    if (!options.json) {
        print_measured(measured);
        return kDone;
    }
    Json json;
    json["keys"] = Json::array();
    for (const MeasuredKey& key : measured) json["keys"].push_back(measured_key_json(key));
    fmt::print("{}\n", json.dump(2));
    return kDone;
}

}  // namespace

void add_measure(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<MeasureOptions>();
    CommandLine* command = app.add_subcommand(
        kName, "Measure a key as a technician does: touchweight, let-off, drop, check, curves, timing");
    command->add_option("--key", options->key, "1-88 (A0 = 1), a name (A0, C#4, Bb3), midi:60, or all")
        ->capture_default_str();
    options->profile.add_to(*command);
    options->profile.add_action_to(*command);
    options->touch_point.add_to(*command);
    command->add_option("--threads", options->threads, "Threads to use; 0: as many as the machine has")
        ->in_range(0, core::kMaxExecutorThreads)
        ->capture_default_str();
    command
        ->add_option("--plot", options->plot_dir,
                     "Draw each key's force curve and strokes as SVG files into this directory")
        ->option_text("DIR");
    command
        ->add_option("--card", options->card,
                     "Write a piano card: one SVG page with all tables and curves of the keys (takes --playing along)")
        ->option_text("FILE.svg");
    command->add_flag("--playing", options->playing,
                      "Measure also what hands find: double strikes over a library of fingers, control at ppp");
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer(
        "Weights lie 13 mm behind the key's front edge (or at --touch-point), dampers lifted; strokes are those of the "
        "model finger. Dip is always the front's.\n"
        "Example: letoff measure --key A4 --plot plots");
    const CommandLine* felt = add_measure_felt(*command, context);
    command->callback([options, felt, &context] {
        if (!felt->parsed()) context.status = measure(*options);
    });
}

}  // namespace letoff::ui
