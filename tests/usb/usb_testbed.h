// USB without hardware and without a kernel that has USB: devices of a model (tests/hw/usb/usb_device_model.h) appear
// to this very process, through umockdev, as /dev/bus/usb nodes with usbfs under them, so that unmodified libusb finds,
// opens, feeds and loses them. Everything about usbfs is here, nothing about the device behind it.
//
//   ioctls   claim, release, set interface and configuration, clear halt, SUBMITURB, REAPURB(NDELAY), DISCARDURB. A URB
//            is answered at once, or kept until the model takes or has something (NAK), which a thread asks every 250
//            us.
//   node     umockdev makes it a plain file, which poll() calls ready for ever; it is replaced by a pty whose output is
//            stopped while nothing can be reaped, and whose other end closes on unplug, as usbfs does it
//
// The program must run under umockdev's preload: tests/usb/main.cpp sees to it. Any thread may plug and unplug.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/port/clock.h"
#include "tests/hw/usb/usb_device_model.h"

namespace letoff::test {

/// Of one URB, what the bus does to it instead of asking the model; by -errno, as usbfs tells it.
struct BusFault {
    std::uint8_t endpoint = 0;
    int error = 0;  // EPIPE, EPROTO, EOVERFLOW, EILSEQ ...
    int times = 0;
};

class UsbTestbed {
  public:
    UsbTestbed();
    ~UsbTestbed();
    UsbTestbed(const UsbTestbed&) = delete;
    UsbTestbed& operator=(const UsbTestbed&) = delete;

    /// Into socket 1 to 8; the model must stay while it is plugged in.
    void plug(int socket, UsbDeviceModel& model);
    void unplug(int socket);
    /// The next `times` URBs of this endpoint fail.
    void inject(int socket, BusFault fault);
    /// Opening its node is refused with EACCES, where opening this file for writing is. To be set before it is plugged
    /// in.
    static constexpr const char* kRefusedFile = "/sys/kernel/uevent_seqnum";
    void refuse_open(int socket, bool refuse);
    /// Microseconds since the testbed began: the time that models are told, and that the host under test should be told
    /// (clock()). It stands still while the host has not taken what is finished or does not listen, so that a busy
    /// machine is no host that paused. Freely: it passes whatever the host does.
    std::int64_t now_us() const;
    void run_freely(bool freely);
    /// The page of memory that holds this time, for a host in a process of its own (host_process.h).
    int time_fd() const;
    /// What the kernel does when a host that had it open is no more: its transfers are forgotten. Setting 0 is not
    /// chosen, as if the whole computer had stopped.
    void host_died(int socket);
    /// URBs finished so far, all devices.
    std::uint64_t urbs() const;

  private:
    struct Bed;
    std::unique_ptr<Bed> bed_;
};

/// The testbed's time as the host's clock.
class UsbTestbedClock final : public core::Clock {
  public:
    explicit UsbTestbedClock(const UsbTestbed& bed) noexcept : bed_(bed) {}
    int tick_hz() const noexcept override { return 4000; }
    std::int64_t now_ticks() const noexcept override { return bed_.now_us() / 250; }
    double now_s() const noexcept override { return static_cast<double>(bed_.now_us()) * 1e-6; }
    bool wait_until(std::int64_t) noexcept override { return true; }

  private:
    const UsbTestbed& bed_;
};

}  // namespace letoff::test
