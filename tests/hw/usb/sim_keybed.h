// The simulated motor array of hw/sim - its firmware was written from PROTOCOL.md alone - as a USB device for the bus
// of the tests (usb_device_model.h). Nothing of the protocol is here: bytes go through, a test may spoil frames on
// their way to the host, and what the motors do is noted by the device's own clock. Any thread.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

#include "hw/sim/device.h"
#include "tests/hw/usb/usb_device_model.h"

namespace letoff::test {

struct SimKeybedSetup {
    std::string serial = "SIM-1";
    int first_key = 1, keys = 88;
    double clock_ppm = 0;
    std::uint8_t rates = 0;  // as in GET_IDENTITY; 0: all there are
};

class SimKeybed final : public UsbDeviceModel {
  public:
    explicit SimKeybed(const SimKeybedSetup& setup = {});

    Bytes descriptors() const override;
    std::string string(int index) const override;
    std::optional<Bytes> on_control(const SetupPacket& setup, std::span<const std::uint8_t> data,
                                    std::int64_t now_us) override;
    bool on_out(std::uint8_t endpoint, std::span<const std::uint8_t> bytes, std::int64_t now_us) override;
    std::optional<Bytes> next_in(std::uint8_t endpoint, std::int64_t now_us) override;
    bool is_halted(std::uint8_t endpoint) const override { return halted_ == endpoint; }
    void on_reset(std::int64_t now_us) override;

    // ---- what a test may do
    /// The device as it is at this moment: ailments, fingers, its switch.
    void with(std::int64_t now_us, const std::function<void(hw::SimDevice&)>& use);
    /// Each frame on its way to the host passes here; it may be changed, emptied (lost), or kept for later.
    void set_tamper(std::function<std::vector<Bytes>(Bytes)> tamper);
    void halt(std::uint8_t endpoint, std::int64_t now_us);
    void refuse_out(bool refuse) { refuse_out_ = refuse; }

    // ---- what a test may ask
    hw::firmware::DeviceState state(std::int64_t now_us);
    hw::firmware::Status status(std::int64_t now_us);
    hw::firmware::KeyFault fault(int key, std::int64_t now_us);
    double force_N(int key, std::int64_t now_us);
    std::uint64_t sent_frames() const { return sent_; }
    std::uint64_t halts_cleared() const { return cleared_; }
    /// The greatest |force| in units of the first FORCE frame of each session that had one.
    std::vector<int> first_forces() const;
    /// By the device's clock: when the last valid FORCE frame came, and the end of the last tick in which a motor had a
    /// force to give.
    std::uint64_t last_valid_us() const { return last_valid_us_; }
    std::uint64_t last_push_us() const { return last_push_us_; }

  private:
    void advance(std::int64_t now_us);
    void note_first_force(std::span<const std::uint8_t> frame);

    mutable std::recursive_mutex mutex_;
    hw::SimDevice device_;
    std::int64_t world_zero_us_ = -1;
    double world_s_ = 0;
    bool session_has_force_ = false;
    std::vector<int> first_forces_;
    std::function<std::vector<Bytes>(Bytes)> tamper_;
    std::deque<Bytes> ready_;
    std::atomic<std::uint8_t> halted_{0};
    std::atomic<bool> refuse_out_{false};
    std::atomic<std::uint64_t> sent_{0}, cleared_{0}, last_valid_us_{0}, last_push_us_{0};
};

}  // namespace letoff::test
