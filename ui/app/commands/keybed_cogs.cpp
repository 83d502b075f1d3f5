#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw/usb/cogging_drive.h"
#include "ui/app/commands/keybed.h"
#include "ui/app/live/sensor_store.h"

namespace letoff::ui {
namespace {

constexpr double kMilli = 1e-3;

/// One device's tables, and sentences of the keys that have none.
struct Found {
    std::vector<hw::CoggingTable> tables;
    std::string without;
    int measured = 0, worst_key = 0;
    double worst_N = 0;
};

Found tables_of(const hw::CoggingDrive& drive, const hw::Identity& identity) {
    Found found;
    for (int k = 0; k < identity.keys; ++k) {
        const int key = identity.first_key - 1 + k;
        hw::CoggingTable& table = found.tables.emplace_back();
        if (key < 0 || key >= core::kKeyCount) continue;
        const auto fit = drive.is_moved(key) ? drive.fit(key) : core::Error{"It is not live."};
        if (!fit) {
            found.without += fmt::format("\n  {}: {}", key_title(identity, k), fit.error());
            continue;
        }
        table = fit.value();
        ++found.measured;
        for (std::size_t bin = table.first; bin < table.last; ++bin) {
            if (std::abs(table.force_in_bin_N[bin]) <= found.worst_N) continue;
            found.worst_N = std::abs(table.force_in_bin_N[bin]);
            found.worst_key = k;
        }
    }
    return found;
}

}  // namespace

int keybed_find_cogs(const KeybedOptions& options, const hw::DeviceSetup& simulated, nlohmann::ordered_json& json) {
    constexpr double kTick_s = 0.00025, kDrive_s = 30.0, kAllTries_s = 120.0;
    KeybedSession session;
    // Without the tables that are kept: what they add would be found, too.
    if (const int opened =
            session.open(options, {.session = {}, .calibration = kept_calibration, .cogging = {}}, false, simulated);
        opened != kDone)
        return opened;
    ask(options, "Take your hands off the keys: their motors will move them slowly down and up");
    if (!motors_enabled(session)) {
        session.tell(options);
        return options.fail_at_wait("the motors could not be enabled, so their cogs are not known");
    }
    hw::CoggingDrive drive;
    core::KeyMotion motion;
    core::KeyArray& array = session.keys->array();
    const double until_s = session.clock.now_s() + kAllTries_s;
    while (true) {
        session.wait(kTick_s, kDrive_s, [&] {
            array.newest_motion(motion);
            array.send_forces(drive.step(session.clock.now_s(), motion));
            return drive.is_over() || has_fallen(session.keys->status());
        });
        // Simulated motors may try again.
        if (drive.is_over() || session.keys->simulated() == nullptr || session.clock.now_s() > until_s) break;
        if (!motors_enabled(session)) break;
        drive = hw::CoggingDrive();
    }
    array.send_forces({});
    const auto devices = session.keys->status();
    session.tell(options);
    session.keys->stop();
    if (!drive.is_over())
        return options.fail_at_wait("the motors did not move all keys down and up; nothing was kept of their cogs");
    for (const hw::DeviceReport& device : devices) {
        if (!MotorKeys::can_be_played(device)) continue;
        const Found found = tables_of(drive, device.identity);
        const auto serial = device.identity.serial_text();
        if (!found.without.empty())
            warn(options.title, fmt::format("these keys of {} get no table of their cogs:{}", serial, found.without));
        if (found.measured == 0) return options.fail(fmt::format("no key of {} told how its motor cogs", serial));
        const auto kept = keep_cogging(device.identity, found.tables);
        if (!kept) return options.fail(kept.error());
        json.push_back({{"serial", serial},
                        {"keys", found.measured},
                        {"worst_key", key_title(device.identity, found.worst_key)},
                        {"worst_mN", found.worst_N / kMilli},
                        {"file", kept.value()}});
        if (!options.json) {
            fmt::print("{}: the cogs of {} motors are known; the strongest, of {}, have {:.0f} mN; kept in '{}'\n",
                       serial, found.measured, key_title(device.identity, found.worst_key), found.worst_N / kMilli,
                       kept.value());
        }
    }
    return kDone;
}

}  // namespace letoff::ui
