// Simulated motor arrays as the transport of an ArrayHub, in place of USB (hw/usb/usb_transport.h): a thread of its own
// moves devices of hw/sim through the hub's time and carries requests and frames, byte for byte those of the protocol.
// Only the cable is missing. Their keys have fingers that the keybed moves (core::Hands).
//
// Threads: start() and stop() by the owner; press() and lift() on the keybed's thread. The hub and its clock must
// outlive it.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "core/port/clock.h"
#include "core/port/hands.h"
#include "core/rt/privilege.h"
#include "core/rt/ring.h"
#include "hw/sim/device.h"
#include "hw/usb/array_hub.h"

namespace letoff::hw {

/// What a simulated finger is to do.
struct SimMove {
    enum class Kind { kPress, kLift, kHold } kind = Kind::kPress;
    int key_index = 0;
    double start_s = 0, of = 0;  // acceleration, speed or dip
    double hold_s = 0;
};

class SimTransport final : public core::Hands {
  public:
    static constexpr double kRound_s = 0.00025;
    static constexpr double kCloseTime_s = 0.4;
    static constexpr std::size_t kMostStrokes = 1024;  // waiting; more are not played

    /// One device each, at most kMostDevices. Times of strokes are the hub's clock's.
    SimTransport(ArrayHub& hub, const core::Clock& clock, const std::vector<DeviceSetup>& setups);
    ~SimTransport() override;
    SimTransport(const SimTransport&) = delete;
    SimTransport& operator=(const SimTransport&) = delete;

    /// `rt`: of its thread, as far as the system grants it.
    void start(core::RtMode rt = core::RtMode::off);
    /// Forces fade, devices are disabled; within about half a second.
    void stop() noexcept;

    void press(int key_index, double start_s, double acceleration_mps2) noexcept override;
    void lift(int key_index, double start_s, double speed_mps) noexcept override;
    /// On the same thread: a gauge for hold_s, at a dip that the key is moved to and back from with 0.1 m/s.
    void hold(int key_index, double start_s, double dip_m, double hold_s) noexcept;

    /// One round at this moment of the hub's clock, for tests on a clock of their own; not while started.
    void round(double now_s);
    SimDevice& device(std::size_t i) { return plugs_[i].device; }

  private:
    void make(SimDevice& device, int key, const SimMove& move) const;
    struct Plug {
        SimDevice device;
        int slot = -1;
        std::vector<std::uint8_t> out;
    };

    void run(core::RtMode rt);
    void take_moves();
    void plug_in(Plug& plug);
    void carry(Plug& plug);

    ArrayHub& hub_;
    const core::Clock& clock_;
    std::vector<Plug> plugs_;
    core::Ring<SimMove> moves_{kMostStrokes};
    double zero_s_ = 0;  // of the devices' time, on the hub's clock
    bool begun_ = false;
    std::thread thread_;
    std::atomic<bool> stop_{false};
};

}  // namespace letoff::hw
