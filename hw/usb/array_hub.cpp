#include "hw/usb/array_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace letoff::hw {

namespace {

constexpr double kReportEvery_s = 0.1;

}  // namespace

ArrayHub::ArrayHub(ArrayOptions options, const core::Clock& clock, core::FaultCounters& faults)
    : options_(std::move(options)), clock_(clock), faults_(faults), samples_N_(std::size_t{kMostKeys} * kMostSamples) {}

ArrayHub::~ArrayHub() = default;

// ---- keybed

bool ArrayHub::newest_motion(core::KeyMotion& motion) noexcept {
    bool any_new = false;
    double newest_s = -std::numeric_limits<double>::infinity();
    for (auto& latest : motions_) {
        any_new = latest.update() || any_new;
        if (latest.value().keys > 0) newest_s = std::max(newest_s, latest.value().time_s);
    }
    const double now = now_s();
    std::bitset<core::kKeyCount> live;
    for (const auto& latest : motions_) {
        const DeviceMotion& d = latest.value();
        const bool fresh = now - d.time_s <= DeviceSession::kCarry_s + 2 * d.frame_s;
        if (d.keys == 0 || !fresh) continue;
        for (int i = 0; i < d.keys; ++i) {
            const int key = d.first_key + i;
            if (key < 0 || key >= core::kKeyCount) continue;
            live.set(static_cast<std::size_t>(key), d.live[static_cast<std::size_t>(i)]);
        }
    }
    if (!any_new && live == told_live_) return false;
    told_live_ = motion.live = live;
    if (newest_s > -std::numeric_limits<double>::infinity()) motion.time_s = newest_s;
    for (const auto& latest : motions_) {
        const DeviceMotion& d = latest.value();
        const double carried_s = std::clamp(newest_s - d.time_s, 0.0, DeviceSession::kCarry_s + 2 * d.frame_s);
        for (int i = 0; i < d.keys; ++i) {
            const int key = d.first_key + i;
            if (key < 0 || key >= core::kKeyCount) continue;
            const auto k = static_cast<std::size_t>(key);
            const auto n = static_cast<std::size_t>(i);
            motion.dip_m[k] = d.position_m[n] + d.speed_mps[n] * carried_s;
            motion.dip_speed_mps[k] = d.speed_mps[n];
        }
    }
    return true;
}

// ---- control

std::vector<DeviceReport> ArrayHub::status() const {
    const std::lock_guard lock(mutex_);
    return reports_;
}

std::vector<ArrayEvent> ArrayHub::take_events() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

void ArrayHub::tell(ArrayEvent event) {
    if (!event.sentence.empty() && event.sentence[0] >= 'a' && event.sentence[0] <= 'z') {
        event.sentence[0] = static_cast<char>(event.sentence[0] - 'a' + 'A');
    }
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
}

// ---- transport

int ArrayHub::attach() {
    for (int slot = 0; slot < kMostDevices; ++slot) {
        auto& device = devices_[static_cast<std::size_t>(slot)];
        if (device != nullptr) continue;
        device = std::make_unique<Device>(options_.session);
        return slot;
    }
    return -1;
}

void ArrayHub::detach(int slot, const std::string& why) {
    Device& device = at(slot);
    const bool was_used = device.session.phase() != DeviceSession::Phase::kRefused &&
                          device.session.phase() != DeviceSession::Phase::kClosed;
    if (was_used) {
        faults_.raise(core::Fault::kUsbDeviceLost);
        tell({ArrayEvent::Kind::kLost, std::string(device.session.identity().serial_text()),
              fmt::format("{} {}; its keys are played without it, and it is taken again when it is back.",
                          device.session.title(), why)});
    }
    devices_[static_cast<std::size_t>(slot)].reset();
    motions_[static_cast<std::size_t>(slot)].write(DeviceMotion{});
    report();
}

bool ArrayHub::is_done(int slot) const noexcept {
    const auto phase = at(slot).session.phase();
    return phase == DeviceSession::Phase::kRefused || phase == DeviceSession::Phase::kClosed;
}

bool ArrayHub::is_urgent() const noexcept {
    return std::any_of(devices_.begin(), devices_.end(),
                       [](const auto& device) { return device != nullptr && device->session.sends_forces(); });
}

void ArrayHub::on_reply(int slot, Reply reply, std::span<const std::uint8_t> data) {
    Device& device = at(slot);
    device.session.on_reply(reply, data, now_s());
    if (device.session.has_identity() && !device.told_identity) meet(slot);
    follow_phase(device);
}

void ArrayHub::on_motion(int slot, std::span<const std::uint8_t> bytes) {
    Device& device = at(slot);
    MotionView view;
    if (device.session.on_motion(bytes, now_s(), view)) {
        if (options_.tap) options_.tap(device.session.identity(), view);
        estimate(device, view);
        look_at_keys(device, view);
        look_at_delay(device);
        const DeviceClock& clock = device.session.clock();
        publish(slot, clock.locked() ? clock.host_s(device.last_sample_us) : now_s());
    }
    raise_counts(device);
    follow_phase(device);
}

void ArrayHub::drain_forces() {
    core::KeyForces forces;
    while (forces_in_.try_pop(forces)) {
        recent_[recent_count_++ % kMostSamples] = forces;
        forces_at_s_ = now_s();
    }
}

std::size_t ArrayHub::force_frame(int slot, std::span<std::uint8_t> out) {
    Device& device = at(slot);
    // One that stopped before its first motion has no keys yet that anything is known of.
    if (!device.session.sends_forces() || device.estimators.empty()) return 0;
    drain_forces();
    const std::size_t keys = device.session.identity().keys;
    const std::size_t samples = std::max<std::size_t>(1, device.session.stream().samples);
    const int first = device.session.identity().first_key - 1;
    for (std::size_t s = 0; s < samples; ++s) {
        // The newest last; before there were as many, the oldest there is stands for those before it.
        const std::size_t back = samples - 1 - s;
        const std::size_t which = recent_count_ > back ? recent_count_ - 1 - back : 0;
        const core::KeyForces& forces = recent_[which % kMostSamples];
        for (std::size_t i = 0; i < keys; ++i) {
            const int key = first + static_cast<int>(i);
            const bool plays = key >= 0 && key < core::kKeyCount && !device.estimators[i].failed();
            samples_N_[s * keys + i] = plays ? forces.force_N[static_cast<std::size_t>(key)] : 0;
            if (plays && !device.cogging.empty()) {
                samples_N_[s * keys + i] += device.cogging[i].force_N(device.estimators[i].position_m());
            }
        }
    }
    const double now = now_s();
    const double age_s = recent_count_ == 0 ? std::numeric_limits<double>::infinity() : now - forces_at_s_;
    const std::size_t length =
        device.session.force_frame(std::span(samples_N_).first(samples * keys), samples, age_s, now, out);
    follow_phase(device);
    return length;
}

void ArrayHub::poll() {
    const double now = now_s();
    const bool rearm = rearm_.exchange(false);
    const bool stop = stop_.exchange(false);
    bool any = false;
    for (int slot = 0; slot < kMostDevices; ++slot) {
        if (devices_[static_cast<std::size_t>(slot)] == nullptr) continue;
        Device& device = at(slot);
        if (rearm) {
            for (KeyEstimator& estimator : device.estimators) estimator.reset();
            device.told_out.reset();
            device.session.rearm(now);
        }
        if (stop) device.session.emergency_stop();
        device.session.enable(wanted_.load() && device.is_calibrated);
        if (closing_.load()) device.session.close(now);
        device.session.poll(now);
        follow_phase(device);
        any = any || !is_done(slot);
    }
    all_closed_.store(closing_.load() && !any);
    if (now - reported_at_s_ >= kReportEvery_s || reported_at_s_ < 0) report();
}

void ArrayHub::report() {
    reported_at_s_ = now_s();
    std::vector<DeviceReport> reports;
    for (const auto& device : devices_) {
        if (device == nullptr || !device->session.has_identity()) continue;
        DeviceReport& r = reports.emplace_back();
        const DeviceSession& s = device->session;
        r.identity = s.identity();
        r.key_rows.assign(s.key_rows().begin(), s.key_rows().end());
        r.phase = s.phase();
        r.state = s.state();
        r.why = s.why();
        r.stream = s.stream();
        r.counts = s.counts();
        r.clock_ppm = s.clock().rate_ppm();
        r.round_trip_s = s.round_trip().least_s();
        r.keys_out = device->told_out;
        r.temperature_C = device->temperature_C;
        for (std::size_t i = 0; i < device->estimators.size(); ++i) {
            r.drifting[i] = device->estimators[i].drifting();
            r.position_m[i] = device->estimators[i].position_m();
        }
    }
    const std::lock_guard lock(mutex_);
    reports_ = std::move(reports);
}

}  // namespace letoff::hw
