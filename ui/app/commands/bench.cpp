#include "ui/app/commands/bench.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/simd/target.h"
#include "storage/atomic_file.h"
#include "ui/app/bench/report.h"
#include "ui/app/bench/rows.h"
#include "ui/app/cache_file.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/commands/user_files.h"
#include "ui/app/progress_bar.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "bench";

struct BenchOptions {
    InstrumentOptions instrument;
    int repetitions = 15;
    std::vector<std::string> rows;
    bool scaling = false;
    std::string plot_dir;
    bool json = false;
};

/// For --no-cache: start_ms needs finger tables that are kept, so they are kept here for as long as it takes.
class TemporaryCache {
  public:
    TemporaryCache() {
        std::string name = (fs::temp_directory_path() / "letoff_bench_XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) folder_ = name;
    }
    ~TemporaryCache() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    TemporaryCache(const TemporaryCache&) = delete;
    TemporaryCache& operator=(const TemporaryCache&) = delete;
    std::string file() const { return folder_.empty() ? std::string() : (folder_ / kStrokeCache).string(); }

  private:
    fs::path folder_;
};

int bench(const BenchOptions& options) {
    if (const std::string problem = options.instrument.problem(); !problem.empty()) return wrong_use(kName, problem);
    if (auto simd = core::choose_simd(options.instrument.simd); !simd) return failed(kName, simd.error());
    if (!options.plot_dir.empty()) {
        if (const std::string why = make_plot_folder(options.plot_dir); !why.empty()) return failed(kName, why);
    }
    const auto touch = options.instrument.profile.touch(kName);
    if (!touch) return failed(kName, touch.error());
    const auto built = options.instrument.setting_for_use(kName, touch.value());
    if (!built) return failed(kName, built.error());
    BenchSetting setting{built.value(), options.repetitions, options.rows};
    std::optional<TemporaryCache> temporary;
    if (setting.instrument.cache_file.empty()) setting.instrument.cache_file = temporary.emplace().file();
    ProgressBar bar;
    auto rows = measure_rows(setting, bar.progress());
    if (!rows) {
        bar.clear();
        return failed(kName, rows.error());
    }
    BenchReport report{std::move(rows.value()), {}};
    if (options.scaling) {
        auto scaling = measure_scaling(options.instrument.simd, options.repetitions, bar.progress());
        if (!scaling) {
            bar.clear();
            return failed(kName, scaling.error());
        }
        report.scaling = std::move(scaling.value());
    }
    bar.clear();
    const BenchMachine machine = this_machine();
    if (!options.plot_dir.empty() && report.scaling) {
        const auto done =
            storage::write_file(fs::path(options.plot_dir) / "scaling.svg", scaling_svg(machine, *report.scaling));
        if (!done) return failed(kName, done.error());
    }
    fmt::print("{}", options.json ? bench_json(machine, report) : bench_table(machine, report));
    return kDone;
}

}  // namespace

void add_bench(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<BenchOptions>();
    CommandLine* command = app.add_subcommand(kName, "Measure how fast the instrument is on this machine");
    command
        ->add_option("--rows", options->rows,
                     "Only these rows, with commas between: " + fmt::format("{}", fmt::join(bench_row_names(), ", ")))
        ->delimiter(',')
        ->check(one_of("row", bench_row_names()))
        ->option_text("NAMES");
    command->add_option("--repetitions", options->repetitions, "How often each figure is measured, 1 to 1000")
        ->in_range(1, 1000)
        ->option_text("N=15");
    auto* scaling = command->add_flag("--scaling", options->scaling,
                                      "Also how the keybed's cost grows with keys, threads, tick rate, SIMD target");
    command->add_option("--plot", options->plot_dir, "Draw the scaling into this directory, as scaling.svg")
        ->needs(scaling)
        ->option_text("DIR");
    options->instrument.add_to(*command);
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer("Example: letoff bench --json --rows key_step_us,keybed_share_4khz");
    command->callback([options, &context] { context.status = bench(*options); });
}

}  // namespace letoff::ui
