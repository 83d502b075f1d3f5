// `letoff keybed`: motorised keys for those who connect or build them: status, monitor, calibrate, enable-test, rearm.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/rt/monotonic_clock.h"
#include "ui/app/commands/command.h"
#include "ui/app/live/motor_keys.h"

namespace letoff::ui {

void add_keybed(CommandLine& app, CommandContext& context);

// ---- for its subcommands

struct KeybedOptions : GroupCommand {
    std::string keybed = "usb";
    double wait_s = 2;
    bool yes = false;
    /// Of a wait that did not bring what was waited for; after Ctrl-C that is the reason.
    int fail_at_wait(std::string_view sentence) const;
};

/// The devices, found and read, nothing pushing yet.
struct KeybedSession {
    core::MonotonicClock clock{4000};
    core::FaultCounters faults;
    std::unique_ptr<MotorKeys> keys;

    /// Exit status; kDone with `keys` set, and with at least one device unless `may_be_none`.
    int open(const KeybedOptions& options, hw::ArrayOptions array, bool may_be_none,
             const hw::DeviceSetup& simulated = MotorKeys::simulated_keys());
    /// Warns of what went wrong meanwhile.
    void tell(const KeybedOptions& options) const;
    /// Every `every_s` until done(). False: the time is over, or Ctrl-C was pressed, after which nothing is waited for
    /// any more.
    bool wait(double every_s, double at_most_s, const std::function<bool()>& done) const;
};

/// Waits for Enter or Ctrl-C, unless --yes was given.
void ask(const KeybedOptions& options, std::string_view what);

/// The title of key `device_key` of the device: its name on the piano.
std::string key_title(const hw::Identity& identity, int device_key);

/// Whether devices push, or could not within some seconds; zero forces are sent meanwhile.
bool motors_enabled(KeybedSession& session);
bool has_fallen(const std::vector<hw::DeviceReport>& devices);

struct CalibrateOptions {
    KeybedOptions keybed;
    std::vector<double> gauges_mm{5, 9};
    double patience_s = 600;
    bool motors_rest = false;
};
int keybed_calibrate(const CalibrateOptions& options);
/// The part of it in which the motors move the keys and find their own cogs. `json`: gets what was found.
int keybed_find_cogs(const KeybedOptions& options, const hw::DeviceSetup& simulated, nlohmann::ordered_json& json);
int keybed_enable_test(const KeybedOptions& options);

}  // namespace letoff::ui
