#include "hw/usb/usb_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/protocol/messages.h"

namespace letoff::hw {

namespace {

bool speaks_keybed(const libusb_interface_descriptor& d) {
    if (d.bInterfaceClass != kInterfaceClass || d.bInterfaceSubClass != kInterfaceSubClass ||
        d.bInterfaceProtocol != kInterfaceProtocol) {
        return false;
    }
    const auto has = [&d](std::uint8_t address) {
        return std::any_of(d.endpoint, d.endpoint + d.bNumEndpoints,
                           [address](const auto& endpoint) { return endpoint.bEndpointAddress == address; });
    };
    return has(kEndpointIn) && has(kEndpointOut);
}

}  // namespace

std::optional<UsbPlace> keybed_place(libusb_device* device) {
    libusb_config_descriptor* config = nullptr;
    if (libusb_get_active_config_descriptor(device, &config) != 0) return std::nullopt;
    std::optional<UsbPlace> place;
    for (int i = 0; i < config->bNumInterfaces && !place; ++i) {
        const libusb_interface& interface = config->interface[i];
        for (int a = 0; a < interface.num_altsetting && !place; ++a) {
            const libusb_interface_descriptor& d = interface.altsetting[a];
            if (speaks_keybed(d)) place = UsbPlace{d.bInterfaceNumber, d.bAlternateSetting};
        }
    }
    libusb_free_config_descriptor(config);
    return place;
}

std::string usb_node(libusb_device* device) {
    return fmt::format("/dev/bus/usb/{:03}/{:03}", libusb_get_bus_number(device), libusb_get_device_address(device));
}

}  // namespace letoff::hw
