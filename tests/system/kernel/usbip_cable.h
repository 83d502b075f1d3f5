// The device's end of a cable of USB/IP (Documentation/usb/usbip_protocol.rst of the kernel), with a device of a model
// (tests/hw/usb/usb_device_model.h) at it. The other end is the kernel's vhci_hcd, which was given its side of the
// connection directly: no usbipd, and nothing is listed or imported. What the host sees is the kernel's own:
// enumeration, usbfs, hot plug.
//
// One thread.
#pragma once

#include <cstdint>
#include <deque>

#include "tests/hw/usb/usb_device_model.h"

namespace letoff::test {

class UsbIpCable {
  public:
    explicit UsbIpCable(UsbDeviceModel& model) : model_(model) {}
    ~UsbIpCable() { unplug(); }
    UsbIpCable(const UsbIpCable&) = delete;
    UsbIpCable& operator=(const UsbIpCable&) = delete;

    /// Takes the connection over.
    void plug(int socket);
    /// As a cable is pulled: whatever is under way is lost.
    void unplug();
    /// -1: it is not plugged in, or the host let go.
    int socket() const { return socket_; }
    /// The socket has something to read.
    void take();
    /// Offers what waits to the model once more.
    void carry();
    /// The time that the model is told: CLOCK_MONOTONIC.
    static std::int64_t now_us();

  private:
    struct Urb {
        std::uint32_t sequence = 0;
        std::uint8_t endpoint = 0;  // with bit 7 for those to the host
        std::uint32_t length = 0;
        UsbDeviceModel::Bytes data;
    };
    bool read_all(void* to, std::size_t bytes);
    void answer(const Urb& urb, std::int32_t status, const UsbDeviceModel::Bytes& data = {});
    void control(const Urb& urb, const std::uint8_t* setup);
    UsbDeviceModel::Bytes descriptor(int type, int index) const;
    bool try_now(const Urb& urb);
    void unlink(std::uint32_t sequence, std::uint32_t which);

    UsbDeviceModel& model_;
    int socket_ = -1;
    std::deque<Urb> waiting_;
};

}  // namespace letoff::test
