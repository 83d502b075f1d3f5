#include "ui/app/commands/bench.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "core/simd/target.h"
#include "ui/app/bench/rows.h"
#include "ui/app/commands/instrument_options.h"
#include "ui/app/progress_bar.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "bench";

struct BenchOptions {
    InstrumentOptions instrument;
    int repetitions = 15;
    std::vector<std::string> rows;
    bool json = false;
};

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::string compiler_name() {
#if defined(__clang__)
    return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
    return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

bool optimised() {
#if defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

void print_json(const std::vector<BenchRow>& rows) {
    nlohmann::ordered_json json;
    json["machine"] = {{"processor", processor_name()},
                       {"cores", std::thread::hardware_concurrency()},
                       {"simd", core::simd_name()},
                       {"compiler", compiler_name()},
                       {"optimised", optimised()}};
    json["rows"] = nlohmann::ordered_json::array();
    for (const BenchRow& row : rows) {
        json["rows"].push_back({{"name", row.name},
                                {"unit", row.unit},
                                {"median", row.median()},
                                {"p95", row.p95()},
                                {"max", row.max()},
                                {"must", row.must},
                                {"aim", row.aim},
                                {"more_is_better", row.more_is_better},
                                {"reached", row.reached()},
                                {"repetitions", row.values.size()},
                                {"note", row.note}});
    }
    fmt::print("{}\n", json.dump(2));
}

void print_table(const std::vector<BenchRow>& rows) {
    fmt::print("{}, {} cores, {}, {}{}\n\n", processor_name(), std::thread::hardware_concurrency(), core::simd_name(),
               compiler_name(), optimised() ? "" : ", NOT OPTIMISED");
    fmt::print("{:<20}{:>9}{:>9}{:>9}{:>9}{:>9}  {}\n", "", "median", "p95", "max", "must", "aim", "");
    for (const BenchRow& row : rows) {
        const char* sign = row.more_is_better ? ">=" : "<=";
        fmt::print("{:<20}{:>9.4g}{:>9.4g}{:>9.4g}{:>3}{:>6.4g}{:>3}{:>6.4g}  {:<3}{}{}\n", row.name, row.median(),
                   row.p95(), row.max(), sign, row.must, sign, row.aim, row.unit,
                   row.reached() ? "" : "NOT REACHED: ", row.note);
    }
}

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
    std::string file() const { return folder_.empty() ? std::string() : (folder_ / "strokes.db").string(); }

  private:
    fs::path folder_;
};

int bench(const BenchOptions& options) {
    if (const std::string problem = options.instrument.problem(); !problem.empty()) return wrong_use(kName, problem);
    if (auto simd = core::choose_simd(options.instrument.simd); !simd) return failed(kName, simd.error());
    BenchSetting setting{options.instrument.setting_for_use(kName), options.repetitions, options.rows};
    std::optional<TemporaryCache> temporary;
    if (setting.instrument.cache_file.empty()) setting.instrument.cache_file = temporary.emplace().file();
    ProgressBar bar;
    const auto rows = measure_rows(setting, bar.progress());
    bar.clear();
    if (!rows) return failed(kName, rows.error());
    options.json ? print_json(rows.value()) : print_table(rows.value());
    return kDone;
}

}  // namespace

void add_bench(CLI::App& app, CommandContext& context) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand(kName, "Measure how fast the instrument is on this machine");
    command
        ->add_option("--rows", options->rows,
                     "Only these rows, with commas between: " + fmt::format("{}", fmt::join(bench_row_names(), ", ")))
        ->delimiter(',')
        ->check(CLI::IsMember(bench_row_names()))
        ->option_text("NAMES");
    command->add_option("--repetitions", options->repetitions, "How often each figure is measured, 1 to 1000")
        ->check(CLI::Range(1, 1000))
        ->option_text("N=15");
    options->instrument.add_to(*command);
    command->add_flag("--json", options->json, "Report as JSON");
    command->footer("Example: letoff bench --json --rows key_step_us,keybed_share_4khz");
    command->callback([options, &context] { context.status = bench(*options); });
}

}  // namespace letoff::ui
