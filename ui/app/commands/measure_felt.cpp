// letoff measure felt DATA.csv: the fibres of a felt from a compression test.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "keyboard/regulation/felt_fit.h"
#include "ui/app/commands/measure.h"
#include "ui/app/commands/user_files.h"

namespace letoff::ui {
namespace {

constexpr const char* kName = "measure felt";

struct FeltOptions {
    std::string file;
    core::Fibres fibres{.v_f0 = 0.389};
    bool json = false;
};

void print_branch(const char* name, const core::FibreNetwork& network, std::size_t points, double rms_Pa,
                  double share) {
    fmt::print("{:<10} {:>8} {:>14.6g} {:>10.4f} {:>14.4g} {:>9.2f} %\n", name, points, network.K_p_Pa, network.gamma,
               rms_Pa, 100 * share);
}

int measure_felt(const FeltOptions& options) {
    const auto text = read_csv_file(options.file, "strain,stress_Pa,branch");
    if (!text) return failed(kName, text.error());
    auto points = keyboard::parse_felt_test(text.value(), options.file);
    if (!points) return failed(kName, points.error());
    const auto fit = keyboard::fit_felt(std::move(points.value()), options.fibres, options.file);
    if (!fit) return failed(kName, fit.error());
    const keyboard::FeltFit& f = fit.value();
    if (options.json) {
        const auto branch = [](const core::FibreNetwork& n, std::size_t count, double rms_Pa, double share) {
            return nlohmann::ordered_json{{"points", count},
                                          {"K_p_Pa", n.K_p_Pa},
                                          {"gamma", n.gamma},
                                          {"rms_error_Pa", rms_Pa},
                                          {"relative_error", share}};
        };
        const nlohmann::ordered_json json{
            {"v_f0", f.felt.fibres.v_f0},
            {"loading", branch(f.felt.loading, f.loading_points, f.loading_rms_Pa, f.loading_share)},
            {"unloading", branch(f.felt.unloading, f.unloading_points, f.unloading_rms_Pa, f.unloading_share)},
            {"loop_loss", f.loop_loss}};
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    fmt::print("{:<10} {:>8} {:>14} {:>10} {:>14} {:>11}\n", "branch", "points", "K_p, Pa", "gamma", "rms error, Pa",
               "of its rms");
    print_branch("loading", f.felt.loading, f.loading_points, f.loading_rms_Pa, f.loading_share);
    print_branch("unloading", f.felt.unloading, f.unloading_points, f.unloading_rms_Pa, f.unloading_share);
    fmt::print("the loop loses {:.1f} % of the work of pressing\n", 100 * f.loop_loss);
    return kDone;
}

}  // namespace

CommandLine* add_measure_felt(CommandLine& measure, CommandContext& context) {
    const auto options = std::make_shared<FeltOptions>();
    CommandLine* command = measure.add_subcommand(
        "felt", "Find the fibres of a felt (K_p, gamma of loading and unloading) from a compression test");
    command->add_option("DATA.csv", options->file, "Columns strain,stress_Pa,branch (loading or unloading)")
        ->required();
    command->add_option("--v-f0", options->fibres.v_f0, "Volume fraction of fibre in the felt as it is made")
        ->in_range(0.01, 0.6)
        ->capture_default_str();
    command->add_option("--mu", options->fibres.mu, "Friction of fibre on fibre")
        ->in_range(0.0, 1.0)
        ->capture_default_str();
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer("Example: letoff measure felt hammer_felt.csv --v-f0 0.389");
    command->callback([options, &context] { context.status = measure_felt(*options); });
    return command;
}

}  // namespace letoff::ui
