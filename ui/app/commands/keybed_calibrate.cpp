#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "hw/sensing/calibration_recorder.h"
#include "ui/app/commands/keybed.h"
#include "ui/app/live/sensor_store.h"

namespace letoff::ui {
namespace {

constexpr double kLook_s = 0.1;
constexpr double kMilli = 1e-3;

/// What comes from the devices that have raw voltages only, on the transport's thread.
class Recorders {
  public:
    void take(const hw::Identity& identity, const hw::MotionView& view) {
        if (!view.has(hw::Field::kHallFront) || !view.has(hw::Field::kHallRear)) return;
        const std::lock_guard lock(mutex_);
        auto [place, is_new] = all_.try_emplace(std::string(identity.serial_text()), identity.keys);
        One& one = place->second;
        if (is_new) one.identity = identity;
        const auto& stream = view.header.stream;
        const double step_s = kMilli / stream.rate_kHz;
        for (int sample = 0; sample < stream.samples; ++sample) {
            hw::SensorSample s;
            s.time_s = 1e-6 * static_cast<double>(view.header.time_us) + step_s * sample;
            for (int key = 0; key < view.header.keys; ++key) {
                s.front_V = view.raw(sample, hw::Field::kHallFront, key) * hw::kHallUnit_V;
                s.rear_V = view.raw(sample, hw::Field::kHallRear, key) * hw::kHallUnit_V;
                s.coil_V = view.has(hw::Field::kCoil) ? view.value(sample, hw::Field::kCoil, key) * hw::kCoilUnit_V : 0;
                one.recorder.take(key, s);
            }
        }
    }
    template <typename Each>
    void each(Each&& each) {
        const std::lock_guard lock(mutex_);
        for (auto& [serial, one] : all_) each(one.identity, one.recorder);
    }
    bool empty() {
        const std::lock_guard lock(mutex_);
        return all_.empty();
    }
    int left() {
        int left = 0;
        each([&](const hw::Identity&, const hw::CalibrationRecorder& r) { left += r.left(); });
        return left;
    }
    std::string missing() {
        std::string names;
        each([&](const hw::Identity& identity, const hw::CalibrationRecorder& r) {
            for (int key = 0; key < r.keys(); ++key) {
                if (!r.is_done(key)) names += (names.empty() ? "" : ", ") + key_title(identity, key);
            }
        });
        return names;
    }

  private:
    struct One {
        explicit One(int keys) : recorder(keys) {}
        hw::Identity identity;
        hw::CalibrationRecorder recorder;
    };
    std::mutex mutex_;
    std::map<std::string, One> all_;
};

/// Simulated levers whose firmware knows voltages only; springs lift them, as no finger can.
hw::DeviceSetup raw_keys() {
    hw::DeviceNumbers numbers = hw::light_lever();
    numbers.weight_N = -0.2;
    return hw::DeviceSetup::of_voltages(numbers, "SIM-RAW", 1, core::kKeyCount);
}

/// The technician of simulated keys.
void move_simulated(KeybedSession& session, double dip_m, double hold_s) {
    if (session.keys->simulated() == nullptr) return;
    for (int key = 0; key < core::kKeyCount; ++key)
        session.keys->simulated()->hold(key, session.clock.now_s() + 0.01, dip_m, hold_s);
}

int report(const KeybedOptions& options, Recorders& recorders, nlohmann::ordered_json& json) {
    std::string wrong;
    std::vector<std::pair<hw::Identity, std::vector<hw::KeySensorCalibration>>> found;
    recorders.each([&](const hw::Identity& identity, const hw::CalibrationRecorder& recorder) {
        auto& keys = found.emplace_back(identity, std::vector<hw::KeySensorCalibration>{}).second;
        for (int key = 0; key < recorder.keys(); ++key) {
            const auto fit = recorder.fit(key);
            if (fit) {
                keys.push_back(fit.value());
            } else {
                wrong += fmt::format("\n  {}: {}", key_title(identity, key), fit.error());
            }
        }
    });
    if (!wrong.empty()) return options.fail("nothing was kept, as these keys cannot be calibrated:" + wrong);
    for (const auto& [identity, keys] : found) {
        const auto kept = keep_calibration(identity, keys);
        if (!kept) return options.fail(kept.error());
        const auto worst = std::max_element(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
            return a.position_worst_m < b.position_worst_m;
        });
        const int worst_key = static_cast<int>(worst - keys.begin());
        json.push_back({{"serial", identity.serial_text()},
                        {"keys", keys.size()},
                        {"worst_key", key_title(identity, worst_key)},
                        {"worst_mm", worst->position_worst_m / kMilli},
                        {"file", kept.value()}});
        if (!options.json) {
            fmt::print("{}: {} keys calibrated; the worst, {}, is {:.3f} mm off its gauges; kept in '{}'\n",
                       identity.serial_text(), keys.size(), key_title(identity, worst_key),
                       worst->position_worst_m / kMilli, kept.value());
        }
    }
    return kDone;
}

/// Nothing is done where every device measures positions itself.
int calibrate_sensors(const CalibrateOptions& all, nlohmann::ordered_json& json) {
    const KeybedOptions& options = all.keybed;
    const double patience_s = all.patience_s;
    Recorders recorders;
    KeybedSession session;
    hw::ArrayOptions array;
    array.tap = [&recorders](const hw::Identity& identity, const hw::MotionView& view) {
        recorders.take(identity, view);
    };
    if (const int opened = session.open(options, std::move(array), false, raw_keys()); opened != kDone) return opened;
    session.wait(kLook_s, options.wait_s, [&] { return !recorders.empty(); });
    for (const hw::DeviceReport& device : session.keys->status()) {
        if ((device.identity.senses & hw::bit(hw::Field::kPosition)) != 0)
            fmt::print(stderr, "{} measures positions itself: its sensors need no calibration\n",
                       device.identity.serial_text());
    }
    if (recorders.empty()) return kDone;

    // One step of all keys; the simulated technician repeats his movement until it is done.
    const auto step = [&](const char* what, const auto& begin, double dip_m, double hold_s) -> int {
        recorders.each([&](const hw::Identity&, hw::CalibrationRecorder& recorder) { begin(recorder); });
        double moved_s = -1e9;
        const bool done = session.wait(kLook_s, patience_s, [&] {
            const double movement_s = hold_s + 2 * (dip_m + 0.002) / 0.1;
            if (dip_m > 0 && session.clock.now_s() > moved_s + movement_s + 0.2) {
                moved_s = session.clock.now_s();
                move_simulated(session, dip_m, hold_s);
            }
            return recorders.left() == 0;
        });
        if (done) return kDone;
        return options.fail_at_wait(fmt::format("{}: these keys did not do it in {:g} s: {}; nothing was kept", what,
                                                patience_s, recorders.missing()));
    };
    ask(options, "Leave all keys alone");
    if (const int done = step("at rest", [](hw::CalibrationRecorder& r) { r.begin_rest(); }, 0, 0); done != kDone)
        return done;
    for (const double gauge_mm : all.gauges_mm) {
        ask(options,
            fmt::format("Hold each key down on the gauge of {:g} mm for half a second, in any order", gauge_mm));
        const auto begin = [&](hw::CalibrationRecorder& r) { r.begin_gauge(gauge_mm * kMilli); };
        const std::string what = fmt::format("on the gauge of {:g} mm", gauge_mm);
        if (const int done = step(what.c_str(), begin, gauge_mm * kMilli, 0.6); done != kDone) return done;
    }
    ask(options, "Move each key up and down for some seconds, as fast as you play softly");
    if (const int done = step(
            "up and down", [](hw::CalibrationRecorder& r) { r.begin_strokes(); }, 0.009, 0.05);
        done != kDone)
        return done;
    session.keys->stop();
    return report(options, recorders, json);
}

}  // namespace

int keybed_calibrate(const CalibrateOptions& options) {
    if (options.gauges_mm.size() < 2) {
        return options.keybed.wrong(
            fmt::format("{} gauge is too few: two or more are needed", options.gauges_mm.size()));
    }
    nlohmann::ordered_json sensors = nlohmann::ordered_json::array(), cogs = nlohmann::ordered_json::array();
    int done = calibrate_sensors(options, sensors);
    if (done == kDone && !options.motors_rest) done = keybed_find_cogs(options.keybed, raw_keys(), cogs);
    if (options.keybed.json && (done == kDone || !sensors.empty()))
        fmt::print("{}\n", nlohmann::ordered_json{{"devices", sensors}, {"cogs", cogs}}.dump(2));
    return done;
}

}  // namespace letoff::ui
