#include "ui/app/commands/keybed.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/unit/key_name.h"
#include "ui/app/live/rearm_desk.h"
#include "ui/app/live/sensor_store.h"

namespace letoff::ui {
namespace {

using Phase = hw::DeviceSession::Phase;

constexpr double kLook_s = 0.05;

constexpr std::string_view kInterrupted = "it was interrupted";
std::atomic<bool> interrupted{false};

extern "C" void on_interrupt(int) {
    interrupted.store(true);
}

/// Not SA_RESTART, which std::signal() sets: who is asked to press Enter may press Ctrl-C instead.
void catch_interrupts() {
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    for (const int number : {SIGINT, SIGTERM}) ::sigaction(number, &action, nullptr);
}

struct MonitorOptions {
    KeybedOptions keybed;
    double seconds = 0;
};

bool is_read(const hw::DeviceReport& device) {
    return device.phase != Phase::kReading && device.phase != Phase::kStarting;
}

int keys_out(const hw::DeviceReport& device) {
    return static_cast<int>(device.keys_out.count());
}

double hottest_C(const hw::DeviceReport& device) {
    return *std::max_element(device.temperature_C.begin(), device.temperature_C.begin() + device.identity.keys);
}

std::string_view sensing(const hw::Identity& identity) {
    return (identity.senses & hw::bit(hw::Field::kPosition)) != 0 ? "its own"
           : kept_calibration(identity).empty()                   ? "none"
                                                                  : "kept here";
}

nlohmann::ordered_json json_of(const hw::DeviceReport& d) {
    return {{"serial", d.identity.serial_text()},
            {"name", d.identity.name_text()},
            {"first_key", d.identity.first_key},
            {"keys", d.identity.keys},
            {"kind", d.identity.kind == hw::KeyKind::kWoodenKey ? "wooden key" : "light lever"},
            {"rails", d.identity.front_rail && d.identity.back_rail},
            {"calibration", sensing(d.identity)},
            {"phase", hw::name(d.phase)},
            {"why", d.why},
            {"rate_khz", d.stream.rate_kHz},
            {"samples", d.stream.samples},
            {"clock_ppm", d.clock_ppm},
            {"frames", d.counts.frames},
            {"missing", d.counts.missing},
            {"corrupt", d.counts.corrupt()},
            {"late", d.counts.late},
            {"falls", d.counts.falls},
            {"keys_out", keys_out(d)},
            {"hottest_C", hottest_C(d)}};
}

int status(const KeybedOptions& options) {
    KeybedSession session;
    if (const int opened = session.open(options, array_with_all_kept(), true); opened != kDone) return opened;
    // A second of frames, to say how they come.
    session.wait(kLook_s, 1.0, [] { return false; });
    const auto devices = session.keys->status();
    session.tell(options);
    if (options.json) {
        nlohmann::ordered_json json;
        json["devices"] = nlohmann::ordered_json::array();
        for (const auto& device : devices) json["devices"].push_back(json_of(device));
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    if (devices.empty()) fmt::print("no motorised keyboard is plugged in\n");
    for (const hw::DeviceReport& d : devices) {
        fmt::print("{} ({}): keys {} to {}, {}, {}\n", d.identity.serial_text(), d.identity.name_text(),
                   key_title(d.identity, 0), key_title(d.identity, d.identity.keys - 1),
                   d.identity.kind == hw::KeyKind::kWoodenKey ? "wooden keys" : "light levers",
                   d.identity.front_rail && d.identity.back_rail ? "felt rails" : "no felt rails");
        fmt::print("  {}{}; calibration: {}; {} kHz, {} samples a frame\n", hw::name(d.phase),
                   d.why.empty() ? "" : fmt::format(" ({})", d.why), sensing(d.identity), d.stream.rate_kHz,
                   d.stream.samples);
        fmt::print(
            "  frames {}: {} missing, {} corrupt, {} late; clock {:+.0f} ppm; hottest motor {:.0f} C; keys out "
            "{}\n",
            d.counts.frames, d.counts.missing, d.counts.corrupt(), d.counts.late, d.clock_ppm, hottest_C(d),
            keys_out(d));
    }
    return kDone;
}

int monitor(const MonitorOptions& options) {
    constexpr double kMoved_m = 0.1e-3, kEvery_s = 0.1;
    KeybedSession session;
    if (const int opened = session.open(options.keybed, array_with_all_kept(), false); opened != kDone) return opened;
    if (!options.keybed.json) fmt::print("{:>8}  {:<5} {:>7} {:>6}\n", "s", "key", "mm", "C");
    std::array<double, core::kKeyCount> shown_m{};
    const double begin_s = session.clock.now_s();
    const auto look = [&] {
        session.tell(options.keybed);
        for (const hw::DeviceReport& d : session.keys->status()) {
            for (int k = 0; k < d.identity.keys; ++k) {
                const auto i = static_cast<std::size_t>(k);
                const int key = d.identity.first_key - 1 + k;
                if (key < 0 || key >= core::kKeyCount) continue;
                double& last = shown_m[static_cast<std::size_t>(key)];
                if (std::abs(d.position_m[i] - last) < kMoved_m) continue;
                last = d.position_m[i];
                const double now_s = session.clock.now_s() - begin_s;
                if (options.keybed.json) {
                    fmt::print("{}\n", nlohmann::ordered_json{{"time_s", now_s},
                                                              {"key", key + 1},
                                                              {"dip_mm", 1e3 * last},
                                                              {"temperature_C", d.temperature_C[i]}}
                                           .dump());
                } else {
                    fmt::print("{:>8.2f}  {:<5} {:>7.2f} {:>6.1f}\n", now_s, core::key_name(key), 1e3 * last,
                               d.temperature_C[i]);
                }
            }
        }
        std::fflush(stdout);
        return session.keys->status().empty();
    };
    session.wait(kEvery_s, options.seconds > 0 ? options.seconds : 1e9, look);
    return kDone;
}

int rearm() {
    const std::vector<std::string> answers = ask_to_rearm();
    if (answers.empty()) return failed("keybed rearm", "no letoff of yours plays with motorised keys");
    for (const std::string& answer : answers) fmt::print("{}\n", answer);
    return kDone;
}

template <typename Options>
CommandLine* add_one(CommandLine& group, CommandContext& context, const char* name, const char* what,
                     const char* example, std::shared_ptr<Options> options, KeybedOptions& common,
                     std::function<int(const Options&)> run) {
    CommandLine* command = group.add_subcommand(name, what);
    common.title = std::string("keybed ") + name;
    command->add_option("--keybed", common.keybed, "Which: those that are plugged in, or simulated ones")
        ->option_text("usb|sim");
    command->add_option("--wait", common.wait_s, "How long to look for devices")
        ->in_range(0.1, 60.0)
        ->option_text("SECONDS=2");
    command->add_flag("--json", common.json, "Report as JSON");
    command->footer(std::string("Example: letoff keybed ") + name + example);
    command->callback([options, run = std::move(run), &context] { context.status = run(*options); });
    return command;
}

}  // namespace

int KeybedSession::open(const KeybedOptions& options, hw::ArrayOptions array, bool may_be_none,
                        const hw::DeviceSetup& simulated) {
    const auto way = parse_keybed(options.keybed);
    if (!way || way.value() == KeybedWay::kNone)
        return options.wrong(fmt::format("'{}' are no motorised keys, use usb or sim", options.keybed));
    const auto chosen = way.value() == KeybedWay::kAuto ? KeybedWay::kUsb : way.value();
    auto started = MotorKeys::start(chosen, clock, faults, std::move(array), simulated);
    if (!started) return options.fail(started.error());
    keys = std::move(started.value());
    catch_interrupts();
    wait(kLook_s, options.wait_s, [&] {
        const auto devices = keys->status();
        return !devices.empty() && std::all_of(devices.begin(), devices.end(), is_read);
    });
    if (interrupted.load()) return options.fail(kInterrupted);
    if (may_be_none || !keys->status().empty()) return kDone;
    tell(options);
    return options.fail("no motorised keyboard is plugged in, or none that may be used");
}

void KeybedSession::tell(const KeybedOptions& options) const {
    for (const hw::ArrayEvent& event : keys->hub().take_events()) {
        const bool is_trouble =
            event.kind != hw::ArrayEvent::Kind::kFound && event.kind != hw::ArrayEvent::Kind::kReady;
        if (is_trouble) warn(options.title, event.sentence);
    }
}

int KeybedOptions::fail_at_wait(std::string_view sentence) const {
    return fail(interrupted.load() ? kInterrupted : sentence);
}

bool KeybedSession::wait(double every_s, double at_most_s, const std::function<bool()>& done) const {
    const double until_s = clock.now_s() + at_most_s;
    while (!interrupted.load()) {
        if (done()) return true;
        if (clock.now_s() >= until_s) return false;
        std::this_thread::sleep_for(std::chrono::duration<double>(every_s));
    }
    return false;
}

void ask(const KeybedOptions& options, std::string_view what) {
    fmt::print(stderr, "{}{}\n", what, options.yes ? "" : "; then press Enter");
    if (options.yes) return;
    for (int c = std::getchar(); c != '\n' && c != EOF; c = std::getchar()) {
    }
}

std::string key_title(const hw::Identity& identity, int device_key) {
    const int key = identity.first_key - 1 + device_key;
    return key >= 0 && key < core::kKeyCount ? core::key_name(key) : fmt::format("{} of the device", device_key);
}

void add_keybed(CommandLine& app, CommandContext& context) {
    CommandLine* group = app.add_subcommand("keybed", "Motorised keys: what is plugged in, and getting it ready");
    group->require_subcommand();
    group->footer("Example: letoff keybed status");
    {
        const auto options = std::make_shared<KeybedOptions>();
        add_one<KeybedOptions>(*group, context, "status", "What is plugged in, and how well its frames come", "",
                               options, *options, status);
    }
    {
        const auto options = std::make_shared<MonitorOptions>();
        CommandLine* command =
            add_one<MonitorOptions>(*group, context, "monitor", "Keys that move, as they move; nothing pushes",
                                    " --seconds 60", options, options->keybed, monitor);
        command->add_option("--seconds", options->seconds, "How long; without, until Ctrl-C")
            ->in_range(0.1, 86400.0)
            ->option_text("SECONDS");
    }
    {
        const auto options = std::make_shared<CalibrateOptions>();
        CommandLine* command = add_one<CalibrateOptions>(
            *group, context, "calibrate", "Find what each key's sensors mean and how its motor cogs, and keep it",
            " --gauges 4 9.5", options, options->keybed, keybed_calibrate);
        command->add_option("--gauges", options->gauges_mm, "Dips at which your gauges stop the key, two or more")
            ->in_range(0.5, 20.0)
            ->option_text("MM MM...=5 9");
        command->add_option("--patience", options->patience_s, "How long a step may take")
            ->in_range(1.0, 86400.0)
            ->option_text("SECONDS=600");
        command->add_flag("--no-motors", options->motors_rest, "Without the part in which the motors move the keys");
        command->add_flag("--yes", options->keybed.yes, "Ask nothing");
    }
    {
        const auto options = std::make_shared<KeybedOptions>();
        CommandLine* command = add_one<KeybedOptions>(*group, context, "enable-test",
                                                      "Pull each key gently, at most 1 N: does its motor move it", "",
                                                      options, *options, keybed_enable_test);
        command->add_flag("--yes", options->yes, "Ask nothing");
    }
    CommandLine* command =
        group->add_subcommand("rearm", "After a fall: let the motors of the letoff that plays push again");
    command->footer("Example: letoff keybed rearm");
    command->callback([&context] { context.status = rearm(); });
}

}  // namespace letoff::ui
