#include "hw/usb/usb_devices.h"

#include <fmt/format.h>

#include "hw/usb/usb_place.h"
#include "hw/usb/usb_transport.h"

namespace letoff::hw {

namespace {

UsbKeybed look_at(libusb_device* device) {
    UsbKeybed keybed{.node = usb_node(device)};
    libusb_device_handle* handle = nullptr;
    const int error = libusb_open(device, &handle);
    if (error == LIBUSB_ERROR_ACCESS) {
        keybed.refused = true;
        keybed.why_not =
            fmt::format("you may not use it: install {} into /etc/udev/rules.d and plug it in again", kUdevRule);
    } else if (error != 0) {
        keybed.why_not = fmt::format("it cannot be opened: {}", libusb_strerror(error));
    }
    if (error != 0) return keybed;
    libusb_device_descriptor descriptor{};
    unsigned char text[256] = {};
    if (libusb_get_device_descriptor(device, &descriptor) == 0 && descriptor.iProduct != 0) {
        const int length = libusb_get_string_descriptor_ascii(handle, descriptor.iProduct, text, sizeof text);
        if (length > 0) keybed.product.assign(text, text + length);
    }
    libusb_close(handle);
    return keybed;
}

}  // namespace

UsbKeybeds list_usb_keybeds() {
    UsbKeybeds found;
    libusb_context* context = nullptr;
    if (const int error = libusb_init(&context); error != 0) {
        found.sentence = fmt::format("USB cannot be used: {}", libusb_strerror(error));
        return found;
    }
    libusb_device** list = nullptr;
    const ssize_t count = libusb_get_device_list(context, &list);
    for (ssize_t i = 0; i < count; ++i) {
        if (keybed_place(list[i])) found.devices.push_back(look_at(list[i]));
    }
    if (count >= 0) libusb_free_device_list(list, 1);
    if (count < 0) found.sentence = fmt::format("USB cannot be used: {}", libusb_strerror(static_cast<int>(count)));
    libusb_exit(context);
    return found;
}

}  // namespace letoff::hw
