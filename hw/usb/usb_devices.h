// The motorised keyboards that are plugged in, as a list, and why one cannot be used: what `letoff devices` and `letoff
// doctor` print. Opens each for a moment, claims and sends nothing, so that a program that plays is not disturbed.
//
// Threads: the control thread.
#pragma once

#include <string>
#include <vector>

namespace letoff::hw {

struct UsbKeybed {
    std::string node;       // "/dev/bus/usb/001/004"
    std::string product{};  // as the device calls itself; empty where it cannot be read
    std::string why_not{};  // empty: it may be used
    bool refused = false;   // by the system's permissions
};

struct UsbKeybeds {
    std::vector<UsbKeybed> devices;
    std::string sentence;  // why USB cannot be used at all; empty: it can
};

UsbKeybeds list_usb_keybeds();

}  // namespace letoff::hw
