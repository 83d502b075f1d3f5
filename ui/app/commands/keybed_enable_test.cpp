#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/unit/key_name.h"
#include "hw/usb/enable_test.h"
#include "ui/app/commands/keybed.h"
#include "ui/app/live/sensor_store.h"

namespace letoff::ui {
namespace {

using hw::EnableResult;

int report(const KeybedOptions& options, const hw::EnableTest& test) {
    int tried = 0, moving = 0;
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    std::string wrong;
    double least_N = 1e9, most_N = 0, noise_m = 0;
    for (int k = 0; k < core::kKeyCount; ++k) {
        const hw::EnableTest::Key& key = test.key(k);
        if (key.result == EnableResult::kNotThere) continue;
        ++tried;
        json.push_back({{"key", k + 1},
                        {"result", what(key.result)},
                        {"moved_at_N", key.moved_at_N},
                        {"noise_um", 1e6 * key.noise_m}});
        if (key.result != EnableResult::kMoves) {
            wrong += fmt::format("\n  {} {}", core::key_name(k), what(key.result));
            continue;
        }
        ++moving;
        least_N = std::min(least_N, key.moved_at_N);
        most_N = std::max(most_N, key.moved_at_N);
        noise_m = std::max(noise_m, key.noise_m);
    }
    if (options.json) fmt::print("{}\n", nlohmann::ordered_json{{"keys", json}}.dump(2));
    if (moving > 0 && !options.json) {
        fmt::print("{} of {} keys move as they should, by {:.2f} to {:.2f} N; sensors tremble by {:.1f} um at most\n",
                   moving, tried, least_N, most_N, 1e6 * noise_m);
    }
    if (tried == 0) return options.fail("no key could be tried");
    return wrong.empty() ? kDone : options.fail("not all is well:" + wrong);
}

}  // namespace

bool has_fallen(const std::vector<hw::DeviceReport>& devices) {
    return std::any_of(devices.begin(), devices.end(), [](const hw::DeviceReport& device) {
        return device.phase == hw::DeviceSession::Phase::kFallen;
    });
}

bool motors_enabled(KeybedSession& session) {
    constexpr double kTick_s = 0.00025, kReady_s = 5.0;
    core::KeyMotion motion;
    core::KeyArray& array = session.keys->array();
    const core::KeyForces none;
    session.keys->hub().enable(true);
    return session.wait(kTick_s, kReady_s, [&] {
        session.keys->poll();  // arms simulated motors again that fell on a busy machine: they hurt nobody
        array.newest_motion(motion);
        array.send_forces(none);
        const auto devices = session.keys->status();
        return std::all_of(devices.begin(), devices.end(), [](const hw::DeviceReport& d) {
            return d.phase == hw::DeviceSession::Phase::kEnabled || !MotorKeys::is_of_use(d);
        });
    });
}

int keybed_enable_test(const KeybedOptions& options) {
    constexpr double kTick_s = 0.00025, kTest_s = 60.0;
    KeybedSession session;
    if (const int opened = session.open(options, array_with_all_kept(), false); opened != kDone) return opened;
    ask(options, "Take your hands off the keys: each will be pulled gently");
    hw::EnableTest test;
    core::KeyMotion motion;
    core::KeyArray& array = session.keys->array();
    const core::KeyForces none;
    // Keys that are live once all devices push are tried.
    if (!motors_enabled(session)) {
        session.tell(options);
        return options.fail_at_wait("the motors could not be enabled");
    }
    const auto fell = [&] { return session.keys->simulated() == nullptr && has_fallen(session.keys->status()); };
    session.wait(kTick_s, kTest_s, [&] {
        session.keys->poll();
        array.newest_motion(motion);
        array.send_forces(test.step(session.clock.now_s(), motion));
        return test.is_over() || fell();
    });
    array.send_forces(none);
    const bool fell_at_last = fell();
    session.tell(options);
    session.keys->stop();
    if (fell_at_last) return options.fail("the motors fell to zero force before all keys were tried");
    if (!test.is_over()) return options.fail_at_wait("not all keys could be tried in time");
    return report(options, test);
}

}  // namespace letoff::ui
