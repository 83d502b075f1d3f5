// A motorised keyboard for the host's own tests: PROTOCOL.md as far as these need it, with its clock off by some ppm,
// keys that move as a test says, and things that go wrong when asked. Written by who wrote the host, so it proves the
// transport, not the document; an independent device stands beside it.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

#include "hw/protocol/codec.h"
#include "tests/hw/usb/usb_device_model.h"

namespace letoff::test {

struct FakeKeybedSetup {
    std::string serial = "FAKE-1";
    int first_key = 1, keys = 88;
    std::uint16_t senses = hw::bit(hw::Field::kPosition) | hw::bit(hw::Field::kVelocity);
    double clock_ppm = 0;
    std::uint64_t time_zero_us = 5'000'000;
    bool rails = true;
};

class FakeKeybed final : public UsbDeviceModel {
  public:
    explicit FakeKeybed(FakeKeybedSetup setup = {});

    Bytes descriptors() const override;
    std::string string(int index) const override;
    std::optional<Bytes> on_control(const SetupPacket& setup, std::span<const std::uint8_t> data,
                                    std::int64_t now_us) override;
    bool on_out(std::uint8_t endpoint, std::span<const std::uint8_t> bytes, std::int64_t now_us) override;
    std::optional<Bytes> next_in(std::uint8_t endpoint, std::int64_t now_us) override;
    bool is_halted(std::uint8_t endpoint) const override { return halted_ == endpoint; }
    void on_reset(std::int64_t now_us) override { begin_session(now_us); }

    // ---- what a test may do; any thread
    using Motion = std::function<void(int key, std::uint64_t device_us, double& position_m, double& velocity_mps)>;
    void set_motion(Motion motion);
    /// Each frame that is ready passes here; it may be changed, emptied (lost), or kept for later.
    void set_tamper(std::function<std::vector<Bytes>(Bytes)> tamper);
    void set_key_status(int key, std::uint8_t status);
    void press_stop_switch(bool pressed);
    void halt(std::uint8_t endpoint) { halted_ = endpoint; }
    void refuse_out(bool refuse) { refuse_out_ = refuse; }
    void be_mute(bool mute) { mute_ = mute; }

    // ---- what a test may ask; any thread
    hw::DeviceState state(std::int64_t now_us);
    /// What acts on the finger now, by the watchdog's and soft start's rules too.
    double force_N(int key, std::int64_t now_us);
    hw::Status status(std::int64_t now_us);
    std::uint64_t sent_frames() const { return sent_; }
    std::uint64_t halts_cleared() const { return cleared_; }
    /// The greatest |force| of the first valid FORCE frame of each session.
    std::vector<int> first_forces() const;
    std::uint64_t device_us(std::int64_t now_us) const;

  private:
    void begin_session(std::int64_t now_us);
    void tick(std::int64_t now_us);
    void leave_to(hw::DeviceState state);
    void make_frame(std::uint64_t time_us);
    std::optional<Bytes> read(const SetupPacket& setup, std::int64_t now_us);
    hw::WriteRefusal command(const hw::Command& command, std::int64_t now_us);
    bool frame_is_recent(std::int64_t now_us) const;
    hw::Status status_locked(std::int64_t now_us) const;
    double factor(std::int64_t now_us) const;

    const FakeKeybedSetup setup_;
    mutable std::recursive_mutex mutex_;
    Motion motion_;
    std::function<std::vector<Bytes>(Bytes)> tamper_;
    std::atomic<std::uint8_t> halted_{0};
    std::atomic<bool> refuse_out_{false}, mute_{false};
    std::atomic<std::uint64_t> sent_{0}, cleared_{0};

    hw::DeviceState state_ = hw::DeviceState::kDisabled;
    hw::Status status_;
    std::uint32_t token_ = 0x1000, motion_sequence_ = 0, last_force_sequence_ = 0;
    bool any_force_frame_ = false, stop_pressed_ = false;
    std::int64_t force_at_us_ = -1'000'000, enabled_at_us_ = 0;  // device time
    std::uint64_t next_sample_us_ = 0;
    std::vector<std::int16_t> forces_;  // of the newest valid frame
    hw::ForceHeader force_header_;
    std::vector<std::uint8_t> key_status_;
    std::deque<Bytes> ready_;
    std::vector<int> first_forces_;
};

}  // namespace letoff::test
