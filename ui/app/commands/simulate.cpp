#include "ui/app/commands/simulate.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>

#include "core/unit/constants.h"
#include "core/unit/key_name.h"
#include "storage/atomic_file.h"
#include "ui/app/commands/action_names.h"
#include "ui/app/commands/bench_keys.h"
#include "ui/app/commands/user_files.h"
#include "ui/app/plot/key_plot.h"

namespace letoff::ui {
namespace {

using keyboard::DriveMode;
using keyboard::PathPoint;

constexpr const char* kName = "simulate";
constexpr double kLongest_s = 600.0;
// What a key can be asked to do: deeper than 12 mm takes more than a tonne on the front punching, 500 N break a key.
constexpr double kHighest_m = -0.005, kDeepest_m = 0.012, kStrongest_N = 500.0;

struct SimulateOptions {
    std::string csv_in, csv_out, plot, key = "A4", mode = "position", action = "grand";
    TouchPoint touch_point;
    int rate_hz = keyboard::kBenchTick_hz;
};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r";
    const size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<double> number(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// A line as it is shown in a message: not too long, nothing unprintable.
std::string shown(std::string_view line) {
    std::string out(line.substr(0, 40));
    for (char& c : out) {
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    }
    return out + (line.size() > 40 ? "..." : "");
}

void append(std::string& out, double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

constexpr std::string_view kBodies[] = {"key", "wippen", "jack", "lever", "hammer", "damper", "finger", "head"};
static_assert(std::size(kBodies) == keyboard::kGrandBodies);
constexpr std::string_view kContacts[] = {
    "capstan_heel",  "jack_knuckle",  "lever_knuckle",    "jack_button", "tail_backcheck", "key_front_rail",
    "key_back_rail", "hammer_rest",   "lever_drop_screw", "jack_stop",   "lever_stop",     "jack_window",
    "key_damper",    "damper_string", "damper_tray",      "damper_stop", "finger_key"};
static_assert(std::size(kContacts) == keyboard::kGrandContacts);

bool guided(size_t body) {
    return body == keyboard::kDamper || body == keyboard::kFinger;
}

/// A cubic spline swings beyond points that lie far apart: "" or where it leaves what a key can do.
std::string swings_out(const std::vector<PathPoint>& path, int rate_hz, std::string_view file_name) {
    const keyboard::Spline spline(path);
    const double length_s = path.back().t_s - path.front().t_s;
    for (std::int64_t i = 0; static_cast<double>(i) < length_s * rate_hz; ++i) {
        const double t = path.front().t_s + static_cast<double>(i) / rate_hz;
        const double dip_m = spline.at(t).value;
        if (dip_m >= kHighest_m && dip_m <= kDeepest_m) continue;
        return fmt::format(
            "'{}': the smooth curve through the values goes to {:.4f} m near {:.3f} s, {} to {} m are possible: give "
            "more points there",
            file_name, dip_m, t, kHighest_m, kDeepest_m);
    }
    return {};
}

int simulate(const SimulateOptions& options) {
    const DriveMode mode = options.mode == "force" ? DriveMode::force : DriveMode::position;
    if (core::kStrikeGrid_hz % options.rate_hz != 0) {
        return wrong_use(kName, fmt::format("--rate {} does not divide the strike grid of {} Hz: use 1000, 2000, 4000, "
                                            "8000, 16000 or another divisor",
                                            options.rate_hz, core::kStrikeGrid_hz));
    }
    Touch touch;
    touch.grand.action = keyboard::find_action(options.action);  // the option's check has seen the name
    auto keys =
        options.key == "all"
            ? core::Result<BenchKeys>(core::Error{"--key all: simulate takes one key, 1-88 or a name such as A4"})
            : bench_keys(options.key, touch);
    if (!keys) return wrong_use(kName, keys.error());
    options.touch_point.apply(keys.value());
    const auto text = read_csv_file(options.csv_in, "t_s,value");
    if (!text) return failed(kName, text.error());
    const auto path = parse_path_csv(text.value(), mode, options.csv_in);
    if (!path) return failed(kName, path.error());
    if (mode == DriveMode::position) {
        if (const std::string error = swings_out(path.value(), options.rate_hz, options.csv_in); !error.empty())
            return failed(kName, error);
    }

    const keyboard::KeyBuild& build = keys.value().builds.front();
    const keyboard::TestKey key = keyboard::settle_test_key(build, options.rate_hz);
    const keyboard::Trace trace = keyboard::simulate_key(key, mode, path.value());
    for (const keyboard::TraceRow& row : trace) {
        if (std::isfinite(row.dip_m) && std::isfinite(row.below_string_m)) continue;
        return failed(kName,
                      fmt::format("the action leaves its equations at {} s: a gentler motion is needed", row.t_s));
    }
    auto csv = storage::AtomicFile::create(options.csv_out);
    if (!csv) return failed(kName, csv.error());
    if (auto done = csv.value().write(trace_csv(trace)); !done) return failed(kName, done.error());
    if (!options.plot.empty()) {
        const std::string title = fmt::format("{}: {}", core::key_name(build.key_index), options.csv_in);
        if (auto done = storage::write_file(options.plot, keystroke_svg(trace, title)); !done)
            return failed(kName, done.error());
    }
    if (auto done = csv.value().commit(); !done) return failed(kName, done.error());
    return kDone;
}

}  // namespace

core::Result<std::vector<PathPoint>> parse_path_csv(std::string_view text, DriveMode mode, std::string_view file_name) {
    std::vector<PathPoint> points;
    size_t line_number = 0;
    const auto wrong = [&](std::string_view what) {
        return core::Error{fmt::format("'{}' line {}: {}", file_name, line_number, what)};
    };
    bool first = true;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        ++line_number;
        if (line.empty() || line.front() == '#') continue;
        const size_t comma = line.find(',');
        const std::optional<double> t = comma == std::string_view::npos ? std::nullopt : number(line.substr(0, comma));
        const std::optional<double> value =
            comma == std::string_view::npos ? std::nullopt : number(line.substr(comma + 1));
        if (!t || !value) {
            if (first && comma != std::string_view::npos && trimmed(line.substr(0, comma)) == "t_s") {
                first = false;  // the header
                continue;
            }
            return wrong(fmt::format("'{}' is not two numbers t_s,value", shown(line)));
        }
        first = false;
        if (!points.empty() && *t <= points.back().t_s) {
            return wrong(fmt::format("the time {} s is not after {} s: times have to increase", *t, points.back().t_s));
        }
        if (!points.empty() && *t - points.front().t_s > kLongest_s) {
            return wrong(fmt::format("{} s from the first time: at most {} s can be simulated", *t - points.front().t_s,
                                     kLongest_s));
        }
        if (mode == DriveMode::position && !(*value >= kHighest_m && *value <= kDeepest_m)) {
            return wrong(fmt::format("a dip of {} m: {} to {} m from rest are possible, downwards positive", *value,
                                     kHighest_m, kDeepest_m));
        }
        if (mode == DriveMode::force && !(*value >= 0 && *value <= kStrongest_N)) {
            return wrong(fmt::format("a force of {} N: 0 to {} N are possible, a finger pushes and never pulls", *value,
                                     kStrongest_N));
        }
        points.push_back({*t, *value});
    }
    if (points.size() < 2)
        return core::Error{
            fmt::format("'{}' has {} line(s) t_s,value: at least two are needed", file_name, points.size())};
    return points;
}

std::string trace_csv(const keyboard::Trace& trace) {
    std::string out = "t_s,phase,dip_m,finger_force_N,crown_below_string_m,crown_speed_mps,string_force_N";
    for (size_t b = 0; b < keyboard::kGrandBodies; ++b)
        out += fmt::format(",{}_{}", kBodies[b], guided(b) ? "m" : "rad");
    for (size_t b = 0; b < keyboard::kGrandBodies; ++b)
        out += fmt::format(",{}_{}", kBodies[b], guided(b) ? "mps" : "radps");
    for (std::string_view contact : kContacts) out += fmt::format(",{}_N", contact);
    for (std::string_view body : kBodies) out += fmt::format(",{}_friction_side", body);
    for (std::string_view contact : kContacts) out += fmt::format(",{}_friction_side", contact);
    out += '\n';
    for (const keyboard::TraceRow& row : trace) {
        append(out, row.t_s);
        out += ',';
        out += keyboard::phase_name(row.phase);
        const auto field = [&](double value) {
            out += ',';
            append(out, value);
        };
        for (double value : {row.dip_m, row.finger_N, row.below_string_m, row.crown_mps, row.string_N}) field(value);
        for (double value : row.q) field(value);
        for (double value : row.v) field(value);
        for (double value : row.contact_N) field(value);
        for (const std::int8_t side : row.pivot_side) out += fmt::format(",{:d}", side);
        for (const std::int8_t side : row.contact_side) out += fmt::format(",{:d}", side);
        out += '\n';
    }
    return out;
}

void add_simulate(CommandLine& app, CommandContext& context) {
    const auto options = std::make_shared<SimulateOptions>();
    CommandLine* command =
        app.add_subcommand(kName, "Drive one key from a CSV file and write every coordinate, force and phase");
    command->add_option("IN.csv", options->csv_in, "Lines t_s,value: the dip from rest in m, or the force in N")
        ->required();
    command->add_option("-o,--output", options->csv_out, "One line a tick, the first names the columns")
        ->required()
        ->option_text("OUT.csv");
    command->add_option("--action", options->action, "Which action")->check(action_name())->capture_default_str();
    command->add_option("--key", options->key, "1-88 (A0 = 1), a name (A0, C#4, Bb3) or midi:60")
        ->capture_default_str();
    options->touch_point.add_to(*command);
    command->add_option("--mode", options->mode, "What the values prescribe")
        ->check(one_of("mode", {"position", "force"}))
        ->capture_default_str();
    command->add_option("--rate", options->rate_hz, "Ticks a second")
        ->in_range(1000, 96000)
        ->option_text("HZ")
        ->capture_default_str();
    command->add_option("--plot", options->plot, "Draw the stroke as an SVG file")->option_text("F.svg");
    command->footer(
        "Positions are joined by a cubic spline that starts from rest; forces by straight lines. Dip is the front's, "
        "force "
        "acts at --touch-point.\n"
        "Example: letoff simulate press.csv -o out.csv --key A4 --mode position --plot press.svg");
    command->callback([options, &context] { context.status = simulate(*options); });
}

}  // namespace letoff::ui
