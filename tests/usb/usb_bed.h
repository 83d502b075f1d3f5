// What is behind UsbTestbed's cable: sockets, URBs under way (usb_bed.cpp), and the time (usb_testbed.cpp).
#pragma once

#include <linux/usbdevice_fs.h>
#include <sys/mman.h>
#include <termios.h>
#include <umockdev-1.0/umockdev.h>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/usb/usb_testbed.h"

namespace letoff::test {

/// A URB that the host gave us.
struct Urb {
    UMockdevIoctlData* data = nullptr;
    UMockdevIoctlData* buffer = nullptr;
    gulong address = 0;  // of the host's struct: DISCARDURB names it
    std::uint8_t endpoint = 0;
    UsbDeviceModel::Bytes out;
    // the answer
    int status = 0;
    int actual = 0;
    UsbDeviceModel::Bytes in;
    std::size_t in_offset = 0;  // after the setup packet of a control transfer
};

struct UsbTestbed::Bed {
    struct Socket {
        Bed* bed = nullptr;
        int number = 0, device_number = 0;
        UsbDeviceModel* model = nullptr;
        UMockdevIoctlBase* ioctls = nullptr;
        bool gone = true;
        bool refused = false;
        int master = -1, slave = -1;
        std::deque<Urb> waiting, done;
        std::size_t most_reads = 0;  // that were under way at a time since the interface was claimed
        std::vector<BusFault> faults;
        std::string node, sys;
    };

    UMockdevTestbed* testbed = nullptr;
    std::mutex mutex;
    std::array<Socket, 8> sockets;
    int next_device_number = 2;
    std::atomic<std::uint64_t> urbs{0};
    std::atomic<bool> stop{false};
    std::thread pump;
    const int time_fd = ::memfd_create("letoff-usb-time", 0);
    std::atomic<std::int64_t>& time_us = shared_time();
    std::atomic<bool> free_running{false};
    int held_rounds = 0;

    std::int64_t now_us() const { return time_us; }
    std::atomic<std::int64_t>& shared_time() const;
    /// The host has taken what is finished, and listens again.
    bool host_keeps_up() const;
    void round();
    /// POLLOUT of the node: there is something to reap.
    static void show_ready(Socket& s) {
        if (s.slave >= 0) tcflow(s.slave, !s.done.empty() || s.gone ? TCOON : TCOOFF);
    }
    static void finish(Socket& s, Urb urb, int status) {
        urb.status = status;
        s.done.push_back(std::move(urb));
        ++s.bed->urbs;
    }
    /// True: answered; false: NAK.
    static bool answer(Socket& s, Urb& urb);
    static void control(Socket& s, Urb& urb);
    static void ask_again(Socket& s);
    static gboolean on_ioctl(UMockdevIoctlBase*, UMockdevIoctlClient* client, gpointer socket);
    static int submit(Socket& s, UMockdevIoctlData* arg);
    static int reap(Socket& s, UMockdevIoctlData* arg);
    static int discard(Socket& s, UMockdevIoctlData* arg);
    static int tell_model(Socket& s, SetupPacket setup);
    void add_node(Socket& s);
};

}  // namespace letoff::test
