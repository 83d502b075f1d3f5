// The transport's side of the hub: a device that is met for the first time, and what its motion frames mean.
#include <fmt/format.h>

#include <algorithm>

#include "core/unit/key_name.h"
#include "hw/usb/array_hub.h"

namespace letoff::hw {

namespace {

std::string key_title(const Identity& identity, int device_key) {
    const int key = identity.first_key - 1 + device_key;
    if (key >= 0 && key < core::kKeyCount) return "Key " + core::key_name(key);
    return fmt::format("Key {} of the device", device_key);
}

KeyReading reading(const MotionView& view, int sample, int key, const KeySensorCalibration* calibration) noexcept {
    KeyReading r;
    if (view.has(Field::kPosition)) {
        r.position_m = view.value(sample, Field::kPosition, key) * kPositionUnit_m;
    } else if (calibration != nullptr) {
        r.position_m = calibration->position_m(view.raw(sample, Field::kHallFront, key) * kHallUnit_V,
                                               view.raw(sample, Field::kHallRear, key) * kHallUnit_V);
    }
    if (view.has(Field::kVelocity)) {
        r.has_velocity = true;
        r.velocity_mps = view.value(sample, Field::kVelocity, key) * kVelocityUnit_mps;
    } else if (view.has(Field::kCoil) && calibration != nullptr && calibration->has_coil()) {
        r.has_velocity = true;
        r.velocity_mps = calibration->velocity_mps(view.value(sample, Field::kCoil, key) * kCoilUnit_V);
    }
    return r;
}

}  // namespace

/// Why it cannot be used beside the others; empty: it can.
std::string ArrayHub::objection(const Device& device) const {
    const Identity& mine = device.session.identity();
    for (const auto& other : devices_) {
        if (other == nullptr || other.get() == &device || !other->session.has_identity()) continue;
        if (other->session.phase() == DeviceSession::Phase::kRefused) continue;
        const Identity& theirs = other->session.identity();
        if (mine.serial_text() == theirs.serial_text()) {
            return fmt::format("Two motorised keyboards call themselves {}; the second is left alone.",
                               mine.serial_text());
        }
        if (mine.first_key < theirs.first_key + theirs.keys && theirs.first_key < mine.first_key + mine.keys) {
            return fmt::format(
                "The motorised keyboard {} has keys {} to {}, which overlap those of {}, {} to {}; it is left alone.",
                mine.serial_text(), mine.first_key, mine.first_key + mine.keys - 1, theirs.serial_text(),
                theirs.first_key, theirs.first_key + theirs.keys - 1);
        }
    }
    return {};
}

void ArrayHub::meet(int slot) {
    Device& device = at(slot);
    device.told_identity = true;
    const Identity& identity = device.session.identity();
    const std::string serial(identity.serial_text());
    if (std::string why = objection(device); !why.empty()) return device.session.refuse(std::move(why));
    tell({ArrayEvent::Kind::kFound, serial,
          fmt::format("{} is there: keys {} to {}, {}, firmware {}.{}.", device.session.title(), identity.first_key,
                      identity.first_key + identity.keys - 1,
                      identity.kind == KeyKind::kWoodenKey ? "wooden keys" : "light levers", identity.firmware_major,
                      identity.firmware_minor)});
    if (!identity.front_rail || !identity.back_rail) {
        tell({ArrayEvent::Kind::kNote, serial,
              fmt::format("{} has no {} of real felt; its motors stand for it, softer than felt is.",
                          device.session.title(),
                          !identity.front_rail && !identity.back_rail ? "front and back rail"
                          : !identity.front_rail                      ? "front rail"
                                                                      : "back rail")});
    }
    if (options_.cogging) device.cogging = options_.cogging(identity);
    if (device.cogging.size() != identity.keys) device.cogging.clear();
    device.is_calibrated = (identity.senses & bit(Field::kPosition)) != 0;
    if (!device.is_calibrated) {
        if (options_.calibration) device.calibration = options_.calibration(identity);
        device.is_calibrated = device.calibration.size() == identity.keys;
        if (!device.is_calibrated) {
            tell({ArrayEvent::Kind::kNote, serial,
                  fmt::format("{} is not calibrated; run letoff keybed calibrate.", device.session.title())});
        }
    }
}

void ArrayHub::estimate(Device& device, const MotionView& view) {
    const MotionHeader& h = view.header;
    if (device.estimators.empty()) {
        for (const KeyRow& row : device.session.key_rows()) {
            device.estimators.emplace_back(row.travel * kPositionUnit_m);
        }
    }
    const bool raw = !view.has(Field::kPosition);
    const std::uint64_t step_us = 1000 / h.stream.rate_kHz;
    for (int sample = 0; sample < h.stream.samples; ++sample) {
        const std::uint64_t time_us = h.time_us + static_cast<std::uint64_t>(sample) * step_us;
        // Over frames that are missing the estimate is carried on in one step.
        const auto since_us = static_cast<std::int64_t>(time_us - device.last_sample_us);
        const double dt_s = device.any_sample ? std::max(0.0, static_cast<double>(since_us) * 1e-6) : 0;
        device.last_sample_us = time_us;
        device.any_sample = true;
        for (int key = 0; key < h.keys; ++key) {
            const auto k = static_cast<std::size_t>(key);
            const KeySensorCalibration* calibration = raw && device.is_calibrated ? &device.calibration[k] : nullptr;
            if (raw && calibration == nullptr) continue;
            device.estimators[k].take(reading(view, sample, key, calibration), dt_s);
        }
    }
}

void ArrayHub::look_at_keys(Device& device, const MotionView& view) {
    const Identity& identity = device.session.identity();
    for (int key = 0; key < view.header.keys; ++key) {
        const auto k = static_cast<std::size_t>(key);
        const std::uint8_t status = view.key_status(key);
        const std::uint8_t fault = status & kKeyFaultMask;
        device.out_by_device[k] = fault != 0;
        if (view.has(Field::kTemperature)) device.temperature_C[k] = view.temperature(key) * kTemperatureUnit_C;
        if ((status & kKeyLimitedBit) != 0) faults_.raise(core::Fault::kForceLimited);
        const bool out = fault != 0 || device.estimators[k].failed();
        if (out && !device.told_out[k]) {
            tell({ArrayEvent::Kind::kKeyOut, std::string(identity.serial_text()),
                  fmt::format("{} is taken out: {}; the other keys play.", key_title(identity, key),
                              fault != 0 ? key_fault_name(fault) : what(device.estimators[k].trouble()))});
        }
        device.told_out[k] = out;
    }
}

void ArrayHub::publish(int slot, double time_s) {
    const Device& device = at(slot);
    const Identity& identity = device.session.identity();
    const Stream& stream = device.session.stream();
    auto& latest = motions_[static_cast<std::size_t>(slot)];
    DeviceMotion& d = latest.draft();
    d.time_s = time_s;
    d.frame_s = 1e-3 * stream.samples / stream.rate_kHz;
    d.first_key = identity.first_key - 1;
    d.keys = identity.keys;
    const bool pushes = device.session.pushes();
    for (std::size_t i = 0; i < identity.keys; ++i) {
        const KeyEstimator& e = device.estimators[i];
        d.position_m[i] = e.position_m();
        d.speed_mps[i] = e.velocity_mps();
        d.live[i] = pushes && !e.failed() && !device.out_by_device[i];
    }
    latest.publish();
}

void ArrayHub::raise_counts(Device& device) noexcept {
    const LinkCounts& now = device.session.counts();
    const LinkCounts& was = device.raised;
    faults_.raise(core::Fault::kUsbFrameMissing, now.missing - was.missing);
    faults_.raise(core::Fault::kUsbFrameCorrupt, now.corrupt() - was.corrupt());
    faults_.raise(core::Fault::kForceLimited, now.limited - was.limited);
    device.raised = now;
}

void ArrayHub::look_at_delay(Device& device) {
    const auto verdict = device.session.delay_verdict();
    const bool wrong = verdict == RoundTrip::Verdict::kLater || verdict == RoundTrip::Verdict::kSooner;
    if (!wrong || device.told_delay) return;
    device.told_delay = true;
    const Identity& identity = device.session.identity();
    tell({ArrayEvent::Kind::kNote, std::string(identity.serial_text()),
          fmt::format(
              "{} states that it senses within {:.2f} ms, but answers a force after {:.2f} ms at best: it is {} "
              "than it says, and its keys do not feel as they should.",
              device.session.title(), 1e-3 * identity.sense_delay_us, 1e3 * device.session.round_trip().least_s(),
              verdict == RoundTrip::Verdict::kLater ? "slower" : "faster")});
}

void ArrayHub::follow_phase(Device& device) {
    using Phase = DeviceSession::Phase;
    const Phase phase = device.session.phase();
    if (phase == device.told_phase) return;
    device.told_phase = phase;
    const std::string serial(device.session.identity().serial_text());
    if (phase == Phase::kEnabled) {
        tell({ArrayEvent::Kind::kReady, serial, fmt::format("{} gives the forces back.", device.session.title())});
    } else if (phase == Phase::kFallen) {
        tell({ArrayEvent::Kind::kFallen, serial,
              device.session.why() + " It waits to be armed again (letoff keybed rearm)."});
    } else if (phase == Phase::kRefused) {
        tell({ArrayEvent::Kind::kRefused, serial, device.session.why()});
    }
}

}  // namespace letoff::hw
