// The motorised keys that are played: those on the USB, or simulated ones, as one array of 88, and what becomes of them
// in sentences. Nothing else of the program knows which of the two it is.
//
// Threads: everything on the control thread, but for array() and hands(), which are the keybed's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fault/fault.h"
#include "core/port/clock.h"
#include "core/port/hands.h"
#include "core/result.h"
#include "hw/sim/sim_transport.h"
#include "hw/usb/array_hub.h"
#include "hw/usb/usb_transport.h"
#include "keyboard/haptic/haptic_rows.h"

namespace letoff::ui {

enum class KeybedWay { kNone, kAuto, kUsb, kSim };
/// auto, usb, sim or none.
core::Result<KeybedWay> parse_keybed(std::string_view text);

class MotorKeys {
  public:
    /// Runs when it returns, with `rt` for the thread that carries frames. Clock and counters must outlive it. Error:
    /// USB was asked for by name and cannot be used; with kAuto there are no keys then. kNone is refused.
    static core::Result<std::unique_ptr<MotorKeys>> start(KeybedWay way, const core::Clock& clock,
                                                          core::FaultCounters& faults, hw::ArrayOptions options = {},
                                                          const hw::DeviceSetup& simulated = simulated_keys(),
                                                          core::RtMode rt = core::RtMode::automatic);
    static hw::DeviceSetup simulated_keys();
    ~MotorKeys();
    MotorKeys(const MotorKeys&) = delete;
    MotorKeys& operator=(const MotorKeys&) = delete;

    core::KeyArray& array() { return hub_; }
    /// Null: nobody but the player moves these keys.
    core::Hands* hands() { return sim_.get(); }
    hw::SimTransport* simulated() { return sim_.get(); }
    hw::ArrayHub& hub() { return hub_; }

    /// Every 50 ms or so. A simulated array that fell is armed again, as it can hurt nobody.
    void poll();
    /// By somebody who has looked: what fell is armed again, keys that were taken out are tried again. A sentence says
    /// which and why they had fallen.
    std::string rearm();
    std::vector<std::string> take_sentences();
    std::vector<hw::DeviceReport> status() const { return hub_.status(); }
    /// It is played, or could be soon.
    static bool is_of_use(const hw::DeviceReport& device);
    /// And what its keys are is known.
    static bool can_be_played(const hw::DeviceReport& device) { return is_of_use(device) && !device.key_rows.empty(); }
    /// Forces fade, devices are disabled; within half a second.
    void stop();

  private:
    MotorKeys(const core::Clock& clock, core::FaultCounters& faults, hw::ArrayOptions options);

    const core::Clock& clock_;
    hw::ArrayHub hub_;
    std::unique_ptr<hw::UsbTransport> usb_;
    std::unique_ptr<hw::SimTransport> sim_;
    double rearmed_s_ = 0;
};

/// Of the 88 keys: those of the devices that can be played, where they have one.
std::vector<keyboard::HapticValues> haptics_of_keys(std::span<const hw::DeviceReport> devices,
                                                    const keyboard::HapticValues& values);
/// The numbers of a device's key, where the device says them; the others as given.
keyboard::HapticValues haptics_on(const hw::DeviceReport& device, int device_key, keyboard::HapticValues values);

}  // namespace letoff::ui
