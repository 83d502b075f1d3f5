// Up to eight motorised keyboards as the one key array of 88 keys: sessions on the transport's side, motion and forces
// on the keybed's, and what people want to know on the control side. No USB in it.
//
//   transport thread   attach, detach, next_request, on_reply, on_motion, force_frame, poll
//   keybed thread      newest_motion, send_forces (core::KeyArray): no wait, no allocation, no lock
//   control thread     enable, rearm, emergency_stop, close, status, take_events
//
// Motion: every sample goes through the key's estimator (hw/sensing); the newest estimate of each device is a latest
// value. The devices measure at moments of their own; their newest estimates are carried, each with its own speeds, to
// the newest moment among them, which is the time of the motion. Never further than DeviceSession::kCarry_s and one
// frame (why: device_session.h): a device that is silent longer is not live. Nor is a key that its sensor or its device
// took out; it is named in an event, the other keys play.
//
// Forces: a ring; each device gets the newest `samples` of them with each of its motion frames, and on top what its
// motors' cogs need where the key is (hw/sensing/cogging.h).
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/fault/fault.h"
#include "core/port/clock.h"
#include "core/port/key_array.h"
#include "core/rt/latest_value.h"
#include "core/rt/ring.h"
#include "hw/sensing/calibration.h"
#include "hw/sensing/cogging.h"
#include "hw/sensing/key_estimator.h"
#include "hw/usb/device_session.h"

namespace letoff::hw {

struct ArrayOptions {
    SessionOptions session;
    /// The kept calibration of a device that senses raw voltages, one a key; empty: there is none. Transport thread.
    std::function<std::vector<KeySensorCalibration>(const Identity&)> calibration = {};  // NOLINT
    /// Looks at every good motion frame. Transport thread.
    std::function<void(const Identity&, const MotionView&)> tap = {};  // NOLINT
    /// The kept cogging tables of a device, one a key; empty: there are none. Transport thread.
    std::function<std::vector<CoggingTable>(const Identity&)> cogging = {};  // NOLINT
};

struct ArrayEvent {
    enum class Kind { kFound, kReady, kFallen, kLost, kKeyOut, kRefused, kNote };
    Kind kind = Kind::kNote;
    std::string serial;
    std::string sentence;
};

/// One device as people see it.
struct DeviceReport {
    Identity identity;
    std::vector<KeyRow> key_rows;  // empty until they are read
    DeviceSession::Phase phase = DeviceSession::Phase::kReading;
    DeviceState state = DeviceState::kDisabled;
    std::string why;
    Stream stream;
    LinkCounts counts;
    double clock_ppm = 0;
    double round_trip_s = 0;          // least of a second; 0: not known yet
    std::bitset<kMostKeys> keys_out;  // quarantined or taken out by the device
    std::bitset<kMostKeys> drifting;
    std::array<double, kMostKeys> position_m{};
    std::array<double, kMostKeys> temperature_C{};
};

class ArrayHub final : public core::KeyArray {
  public:
    ArrayHub(ArrayOptions options, const core::Clock& clock, core::FaultCounters& faults);
    ~ArrayHub() override;

    // ---- keybed
    bool newest_motion(core::KeyMotion& motion) noexcept override;
    bool send_forces(const core::KeyForces& forces) noexcept override { return forces_in_.try_push(forces); }

    // ---- control
    void enable(bool wanted) noexcept { wanted_.store(wanted); }
    /// The way back after a fall, for every device that fell; quarantined keys are tried again.
    void rearm() noexcept { rearm_.store(true); }
    void emergency_stop() noexcept { stop_.store(true); }
    /// Forces fade, devices are disabled; closed() when that is done.
    void close() noexcept { closing_.store(true); }
    bool closed() const noexcept { return all_closed_.load(); }
    std::vector<DeviceReport> status() const;
    std::vector<ArrayEvent> take_events();

    // ---- transport
    /// A device was opened. -1: eight are open already.
    int attach();
    void detach(int slot, const std::string& why);
    const ControlRequest* next_request(int slot) { return at(slot).session.next_request(now_s()); }
    void on_reply(int slot, Reply reply, std::span<const std::uint8_t> data);
    void on_motion(int slot, std::span<const std::uint8_t> bytes);
    std::size_t force_frame(int slot, std::span<std::uint8_t> out);
    /// A force frame did not go out in time.
    void on_send_late() noexcept { faults_.raise(core::Fault::kUsbTransferLate); }
    void poll();
    /// It was refused, or closed: the transport may let it go.
    bool is_done(int slot) const noexcept;
    /// Something has to be looked at every millisecond.
    bool is_urgent() const noexcept;
    const DeviceSession& session(int slot) const noexcept { return at(slot).session; }
    void tell(ArrayEvent event);

  private:
    struct DeviceMotion {
        double time_s = 0, frame_s = 0;
        int first_key = 0, keys = 0;  // index 0..87 of the device's key 0; keys 0: no device
        std::array<double, kMostKeys> position_m{}, speed_mps{};
        std::bitset<kMostKeys> live;
    };
    struct Device {
        explicit Device(const SessionOptions& options) : session(options) {}
        DeviceSession session;
        std::vector<KeyEstimator> estimators;
        std::vector<KeySensorCalibration> calibration;
        std::vector<CoggingTable> cogging;  // one a key, or none
        bool is_calibrated = false, told_identity = false, told_delay = false;
        DeviceSession::Phase told_phase = DeviceSession::Phase::kReading;
        std::uint64_t last_sample_us = 0;
        bool any_sample = false;
        std::bitset<kMostKeys> told_out, out_by_device;
        std::array<double, kMostKeys> temperature_C{};
        LinkCounts raised;  // of which the fault counters know
    };

    Device& at(int slot) noexcept { return *devices_[static_cast<std::size_t>(slot)]; }
    const Device& at(int slot) const noexcept { return *devices_[static_cast<std::size_t>(slot)]; }
    double now_s() const noexcept { return clock_.now_s(); }
    void meet(int slot);
    std::string objection(const Device& device) const;
    void estimate(Device& device, const MotionView& view);
    void publish(int slot, double time_s);
    void look_at_keys(Device& device, const MotionView& view);
    void raise_counts(Device& device) noexcept;
    void follow_phase(Device& device);
    void look_at_delay(Device& device);
    void drain_forces();
    void report();

    const ArrayOptions options_;
    const core::Clock& clock_;
    core::FaultCounters& faults_;
    std::array<std::unique_ptr<Device>, kMostDevices> devices_;  // transport thread
    std::array<core::LatestValue<DeviceMotion>, kMostDevices> motions_;

    core::Ring<core::KeyForces> forces_in_{64};  // 16 ms at 4 kHz
    std::array<core::KeyForces, kMostSamples> recent_{};
    std::size_t recent_count_ = 0;  // ever; the newest is at (recent_count_ - 1) % kMostSamples
    double forces_at_s_ = 0;
    std::vector<double> samples_N_;
    double reported_at_s_ = -1;

    std::bitset<core::kKeyCount> told_live_;  // keybed thread
    std::atomic<bool> wanted_{false}, rearm_{false}, stop_{false}, closing_{false}, all_closed_{false};
    mutable std::mutex mutex_;
    std::vector<ArrayEvent> events_;
    std::vector<DeviceReport> reports_;
};

}  // namespace letoff::hw
