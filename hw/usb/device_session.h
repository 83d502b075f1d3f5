// What the host says to one device and makes of its answers: PROTOCOL.md section 10 as a state machine without USB,
// threads or a clock. Bytes and times go in, bytes come out; the transport carries them.
//
//   kReading     identity, key rows, status                     one control request at a time: next_request(), answered
//   kStarting    lower limits, STREAM                           by on_reply()
//   kWaiting     motion flows; nothing pushes until enable(true) and the clock is locked
//   kCalibrating CALIBRATE; from here on a zero force frame for each motion frame
//   kArming      ARM, then motion must say ARMED
//   kEnabling    ENABLE, then motion must say ENABLED
//   kEnabled     forces go out, within core::ForceLimits, from zero
//   kFallen      the device fell, or motion stopped: nothing pushes until rearm(), by somebody who knows
//   kClosing     forces fade over kClose_s, DISABLE             kClosed
//   kRefused     not a device we can play; why() says it
//
// Motion frames are counted by what is wrong with them. A frame that is missing leaves the keys where they were; forces
// are faded by the age of the motion and by the age of the keybed's forces:
//
//   age <= kCarry_s  1,   from there linearly to 0 at kWatchdogZero_us (10 ms).
//
// Without motion it is DISARM and kFallen then. A keybed that was late comes back from zero, as the device did nothing
// wrong; one that computed no force for kForcesGone_s is in doubt, and the device falls as with a host that stood
// still.
//
// kCarry_s = 3 ms: carried on with its speed, a key under the hardest stroke (100 m/s^2) is then wrong by
// a t^2 / 2 = 0.45 mm, less than a hammer's let-off and the most that may pass as the same stroke; and what is left to
// 10 ms, when the device lets go by itself, is enough to fade without a thump.
//
// One thread (the transport's). No allocation after the identity was read, except for sentences.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/fault/force_limits.h"
#include "hw/protocol/codec.h"
#include "hw/usb/device_clock.h"
#include "hw/usb/round_trip.h"
#include "hw/usb/session_types.h"

namespace letoff::hw {

/// Those of a key, so that its device never has to cut; core::ForceLimits holds them below the protocol's own.
core::ForceLimitSetting limits_of(const KeyRow& row) noexcept;

class DeviceSession {
  public:
    enum class Phase : std::uint8_t {
        kReading,
        kStarting,
        kWaiting,
        kCalibrating,
        kArming,
        kEnabling,
        kEnabled,
        kFallen,
        kClosing,
        kClosed,
        kRefused,
    };
    static constexpr double kCarry_s = 0.003;
    static constexpr double kZero_s = 1e-6 * static_cast<double>(kWatchdogZero_us);
    static constexpr double kForcesGone_s = 0.050;  // a host that stands still for so long has to arm again too
    static constexpr double kLate_s = 0.002;
    static constexpr double kClose_s = 0.050;
    static constexpr double kStateTime_s = 0.5;  // for the device to say that it is where it was told to go
    static constexpr int kZeroFramesFirst = 4;   // before ARM and before ENABLE
    static constexpr int kMostTries = 5;         // of ARM and ENABLE that came before a frame did

    explicit DeviceSession(const SessionOptions& options = {}) : options_(options) {}

    // ---- control

    /// The request to send now; null: none. The same one until on_reply().
    const ControlRequest* next_request(double now_s);
    void on_reply(Reply reply, std::span<const std::uint8_t> data, double now_s);

    void enable(bool wanted) noexcept { wanted_ = wanted; }
    /// After a fall: the way back to kEnabled begins. In other phases nothing.
    void rearm(double now_s);
    void emergency_stop() noexcept { stop_ = true; }
    void close(double now_s);
    /// By whoever knows the other devices: this one cannot be used beside them.
    void refuse(std::string why);

    // ---- frames

    /// True: `view` is the newest motion, and nothing is wrong with it.
    bool on_motion(std::span<const std::uint8_t> bytes, double now_s, MotionView& view);
    /// The force frame to send now, for samples x keys forces in N, computed forces_age_s ago. 0: none is to be sent.
    std::size_t force_frame(std::span<const double> force_N, std::size_t samples, double forces_age_s, double now_s,
                            std::span<std::uint8_t> out);
    /// About once a millisecond: what time alone brings about.
    void poll(double now_s);

    // ---- what there is to know

    Phase phase() const noexcept { return phase_; }
    bool pushes() const noexcept {
        return phase_ == Phase::kEnabled || (phase_ == Phase::kClosing && state_ == DeviceState::kEnabled);
    }
    bool sends_forces() const noexcept { return phase_ >= Phase::kCalibrating && phase_ <= Phase::kClosing; }
    bool has_identity() const noexcept { return has_identity_; }
    const Identity& identity() const noexcept { return identity_; }
    /// Empty until they are read: numbers that are not known yet are no limits of zero.
    std::span<const KeyRow> key_rows() const noexcept {
        return rows_read_ ? std::span<const KeyRow>(rows_) : std::span<const KeyRow>();
    }
    const Stream& stream() const noexcept { return stream_; }
    const DeviceClock& clock() const noexcept { return clock_; }
    const LinkCounts& counts() const noexcept { return counts_; }
    const RoundTrip& round_trip() const noexcept { return round_trip_; }
    /// Of the device's sense_delay_us.
    RoundTrip::Verdict delay_verdict() const noexcept;
    DeviceState state() const noexcept { return state_; }
    /// One sentence: why it fell or was refused.
    const std::string& why() const noexcept { return why_; }
    /// 1, or less while motion or forces are old.
    double fade(double forces_age_s, double now_s) const noexcept;
    std::string title() const;

  private:
    enum class Step : std::uint8_t {
        kIdentity,
        kRows,
        kStatus,
        kLimits,
        kStream,
        kClear,
        kCalibrate,
        kArm,
        kEnable,
        kDisarm,
        kDisable,
        kStop,
        kAskWhy,
    };
    void go(Phase phase, double now_s) noexcept;
    void decide(double now_s);
    void ask(Step step);
    void write_command(const Command& command) noexcept;
    bool choose_stream();
    KeyRow lowered_limits() const;
    void take_identity(std::span<const std::uint8_t> data);
    void take_rows(std::span<const std::uint8_t> data);
    void done(Step step, double now_s);
    void refused(Step step, WriteRefusal why, double now_s);
    void follow_state(double now_s);
    void fall(std::string why, double now_s);
    bool take_sequence(std::uint32_t sequence) noexcept;
    double frame_s() const noexcept;

    const SessionOptions options_;
    Phase phase_ = Phase::kReading;
    Step step_ = Step::kIdentity, refused_step_ = Step::kIdentity;
    bool in_flight_ = false, acknowledged_ = false;  // the phase's own command was
    bool rows_read_ = false, limits_set_ = false, clear_first_ = false, disarm_due_ = false;
    ControlRequest request_;
    bool wanted_ = false, stop_ = false, stop_told_ = false;
    double phase_since_s_ = 0;
    int tries_ = 0, zero_frames_ = 0;

    bool has_identity_ = false;
    Identity identity_;
    std::vector<KeyRow> rows_;
    Stream stream_;
    std::vector<core::ForceLimits> limits_;
    std::vector<std::int16_t> forces_;
    std::string why_;

    DeviceClock clock_;
    RoundTrip round_trip_;
    DeviceState state_ = DeviceState::kDisabled;
    std::uint32_t token_ = 0, armed_token_ = 0;
    std::uint8_t device_fault_ = 0;
    bool any_motion_ = false;
    std::uint32_t motion_sequence_ = 0, force_sequence_ = 0;
    double motion_at_s_ = 0;
    LinkCounts counts_;
};

std::string_view name(DeviceSession::Phase phase) noexcept;

}  // namespace letoff::hw
