// Where a USB device speaks the keybed protocol (PROTOCOL.md, section 2), and where it is plugged in. From the
// descriptors that the system keeps: no I/O with the device.
#pragma once

#include <libusb-1.0/libusb.h>

#include <optional>
#include <string>

namespace letoff::hw {

struct UsbPlace {
    int interface_number = 0, setting = 0;
};

/// Nothing where it does not speak it.
std::optional<UsbPlace> keybed_place(libusb_device* device);
/// "/dev/bus/usb/001/004"
std::string usb_node(libusb_device* device);

}  // namespace letoff::hw
