// Motorised keyboards on the USB (libusb), carried to and from an ArrayHub by one thread of its own.
//
//   hot plug   the callback only notes what came or went; devices are looked for, opened and read in the thread. They
//              are known by the interface's class triple (PROTOCOL.md, section 2) and, once read, by their serial.
//   in         kInTransfers are always under way; each finished one is handed to the hub and sent again
//   out        a force frame follows each motion frame, or comes after kForceEvery_s while forces fade without motion.
//              kOutTransfers at most are under way; when none is free the frame is not made (Fault::kUsbTransferLate)
//   trouble    a stalled endpoint is cleared; kMostFailures failed transfers in a row, an unanswered request or a
//              device that is gone end the connection: transfers are cancelled, everything is freed only when the last
//              of them came back, and the device is opened anew when it is there (again)
//   no permission   is told once with the udev rule's name, and tried again each second
//
// Threads: start() and stop() by the owner; all callbacks of libusb run in the thread. stop() lets forces fade,
// disables the devices and returns within about half a second. The hub must outlive it.
#pragma once

#include <memory>

#include "core/result.h"
#include "core/rt/privilege.h"
#include "hw/usb/array_hub.h"

namespace letoff::hw {

inline constexpr const char* kUdevRule = "packaging/udev/70-letoff-keybed.rules";

class UsbTransport {
  public:
    static constexpr int kInTransfers = 8, kOutTransfers = 2;
    static constexpr double kForceEvery_s = 0.0015;
    static constexpr unsigned kSendTimeout_ms = 20, kControlTimeout_ms = 250;
    static constexpr int kMostFailures = 10;
    static constexpr double kRetry_s = 1.0;
    static constexpr double kCloseTime_s = 0.4;

    explicit UsbTransport(ArrayHub& hub);
    ~UsbTransport();
    UsbTransport(const UsbTransport&) = delete;
    UsbTransport& operator=(const UsbTransport&) = delete;

    /// `rt`: of its thread, as far as the system grants it. Error: the sentence why USB cannot be used at all.
    core::Result<bool> start(core::RtMode rt = core::RtMode::off);
    void stop() noexcept;
    /// Connections that were closed because of an error and not by unplugging or stop().
    int reopened() const noexcept;

  private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace letoff::hw
