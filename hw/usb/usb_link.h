// One open device: its transfers and what became of them. For usb_transport.cpp alone; everything in its thread.
#pragma once

#include <libusb-1.0/libusb.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/usb/usb_place.h"
#include "hw/usb/usb_transport.h"

namespace letoff::hw {

/// The clock of the USB thread.
double usb_now_s() noexcept;

class UsbLink {
  public:
    /// Opens, claims and begins a session. An error of libusb, or 0.
    static int open(libusb_device* device, UsbPlace place, ArrayHub& hub, std::unique_ptr<UsbLink>& link);
    /// Only when is_over().
    ~UsbLink();
    UsbLink(const UsbLink&) = delete;
    UsbLink& operator=(const UsbLink&) = delete;

    /// Once each round of the thread: requests, stalls, forces that are due.
    void serve();
    /// Keys are taken from the hub at once; transfers come back by and by.
    void end(const std::string& why, bool by_error);
    void device_left() { end("was unplugged", false); }
    bool is_over() const noexcept { return ended_ && in_flight_ == 0; }
    bool by_error() const noexcept { return by_error_; }
    /// The session is over and the device is not wanted any more.
    bool is_left_alone() const noexcept { return left_alone_; }
    libusb_device* device() const noexcept { return device_; }

  private:
    struct Transfer {
        UsbLink* link = nullptr;
        libusb_transfer* usb = nullptr;
        std::vector<std::uint8_t> buffer;
        bool busy = false;
    };

    UsbLink(libusb_device_handle* handle, libusb_device* device, int interface_number, ArrayHub& hub, int slot);
    bool submit(Transfer& transfer);
    void submit_in(Transfer& transfer);
    void send_force();
    void ask();
    bool survives(libusb_transfer_status status, const char* what);
    /// The transfer has come back; its link, or null where that has ended.
    static UsbLink* landed(Transfer& transfer) noexcept;
    static void LIBUSB_CALL on_in(libusb_transfer* usb);
    static void LIBUSB_CALL on_out(libusb_transfer* usb);
    static void LIBUSB_CALL on_control(libusb_transfer* usb);

    libusb_device_handle* const handle_;
    libusb_device* const device_;
    const int interface_number_;
    ArrayHub& hub_;
    int slot_;
    std::array<Transfer, UsbTransport::kInTransfers> in_;
    std::array<Transfer, UsbTransport::kOutTransfers> out_;
    Transfer control_;
    int in_flight_ = 0;
    int failures_ = 0, failed_sends_ = 0;
    bool in_stalled_ = false, out_stalled_ = false;
    bool ended_ = false, by_error_ = false, left_alone_ = false;
    double sent_at_s_ = 0;
};

}  // namespace letoff::hw
