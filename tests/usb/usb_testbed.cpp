#include "tests/usb/usb_bed.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/mman.h>
#include <termios.h>
#include <umockdev-1.0/umockdev.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace letoff::test {

namespace {

constexpr std::int64_t kRound_us = 250;
constexpr auto kLook = std::chrono::microseconds(50);
constexpr int kMostHeldRounds = 3000;  // 0.3 s and more: a host that has given up transfers for good does not stop time

}  // namespace

std::atomic<std::int64_t>& UsbTestbed::Bed::shared_time() const {
    if (::ftruncate(time_fd, sizeof(std::atomic<std::int64_t>)) != 0) std::abort();
    void* const page =
        ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED, time_fd, 0);
    if (page == MAP_FAILED) std::abort();
    return *new (page) std::atomic<std::int64_t>(0);
}

void UsbTestbed::Bed::add_node(Socket& s) {
    char node[64];
    std::snprintf(node, sizeof node, "/dev/bus/usb/001/%03d", s.device_number);
    s.node = node;
    s.sys = "/sys/devices/usb1/1-" + std::to_string(s.number);
    std::string hex;
    for (const std::uint8_t byte : s.model->descriptors()) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", byte);
        hex += two;
    }
    char text[2048];
    std::snprintf(text, sizeof text,
                  "P: /devices/usb1/1-%d\nN: bus/usb/001/%03d\nE: SUBSYSTEM=usb\nE: DRIVER=usb\nE: BUSNUM=001\n"
                  "E: DEVNUM=%03d\nE: DEVNAME=%s\nE: DEVTYPE=usb_device\nA: bConfigurationValue=1\\n\n"
                  "A: busnum=1\\n\nA: devnum=%d\\n\nA: speed=480\\n\nH: descriptors=%s\n",
                  s.number, s.device_number, s.device_number, node, s.device_number, hex.c_str());
    GError* error = nullptr;
    umockdev_testbed_attach_ioctl(testbed, node, s.ioctls, &error);
    if (error == nullptr) umockdev_testbed_add_from_string(testbed, text, &error);
    if (error != nullptr) {
        std::fprintf(stderr, "usb_testbed: %s\n", error->message);
        g_clear_error(&error);
    }
    char* root = umockdev_testbed_get_root_dir(testbed);
    const std::string path = std::string(root) + node;
    g_free(root);
    if (s.refused) {
        // A read-only file of the kernel is refused to root too.
        ::unlink(path.c_str());
        if (::symlink(UsbTestbed::kRefusedFile, path.c_str()) != 0) std::perror("usb_testbed: symlink");
        return;
    }
    char slave_name[128];
    if (::openpty(&s.master, &s.slave, slave_name, nullptr, nullptr) != 0) return;
    termios t{};
    tcgetattr(s.slave, &t);
    cfmakeraw(&t);
    tcsetattr(s.slave, TCSANOW, &t);
    ::unlink(path.c_str());
    if (::symlink(slave_name, path.c_str()) != 0) std::perror("usb_testbed: symlink");
    show_ready(s);
}

bool UsbTestbed::Bed::host_keeps_up() const {
    return std::all_of(sockets.begin(), sockets.end(), [](const Socket& s) {
        const auto reads = std::count_if(s.waiting.begin(), s.waiting.end(),
                                         [](const Urb& urb) { return (urb.endpoint & 0x80) != 0; });
        return s.gone || (s.done.empty() && static_cast<std::size_t>(reads) >= s.most_reads);
    });
}

void UsbTestbed::Bed::round() {
    // A host that was stopped in the middle of an ioctl keeps the lock: its memory cannot be read.
    if (free_running) time_us += kRound_us;
    const std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock) return;
    if (!free_running && (host_keeps_up() || ++held_rounds > kMostHeldRounds)) {
        held_rounds = 0;
        time_us += kRound_us;
    }
    for (Socket& s : sockets) {
        if (s.gone || s.waiting.empty()) continue;
        ask_again(s);
        show_ready(s);
    }
}

UsbTestbed::UsbTestbed() : bed_(std::make_unique<Bed>()) {
    bed_->testbed = umockdev_testbed_new();
    for (std::size_t i = 0; i < bed_->sockets.size(); ++i) {
        bed_->sockets[i].bed = bed_.get();
        bed_->sockets[i].number = static_cast<int>(i) + 1;
    }
    bed_->pump = std::thread([bed = bed_.get()] {
        while (!bed->stop) {
            std::this_thread::sleep_for(kLook);
            bed->round();
        }
    });
}

UsbTestbed::~UsbTestbed() {
    for (auto& s : bed_->sockets) {
        if (!s.gone) unplug(s.number);
    }
    bed_->stop = true;
    bed_->pump.join();
    g_object_unref(bed_->testbed);
    ::munmap(&bed_->time_us, sizeof(std::atomic<std::int64_t>));
    ::close(bed_->time_fd);
}

void UsbTestbed::plug(int socket, UsbDeviceModel& model) {
    Bed::Socket& s = bed_->sockets[static_cast<std::size_t>(socket - 1)];
    {
        const std::lock_guard lock(bed_->mutex);
        s.model = &model;
        s.device_number = bed_->next_device_number++;
        s.gone = false;
        s.waiting.clear();
        s.done.clear();
        s.faults.clear();
        s.most_reads = 0;
        s.ioctls = umockdev_ioctl_base_new();
        g_signal_connect(s.ioctls, "handle-ioctl", G_CALLBACK(&Bed::on_ioctl), &s);
        model.on_reset(bed_->now_us());
    }
    bed_->add_node(s);
    umockdev_testbed_uevent(bed_->testbed, s.sys.c_str(), "add");
}

void UsbTestbed::unplug(int socket) {
    Bed::Socket& s = bed_->sockets[static_cast<std::size_t>(socket - 1)];
    {
        const std::lock_guard lock(bed_->mutex);
        if (s.gone) return;
        s.gone = true;
        while (!s.waiting.empty()) {
            Urb urb = std::move(s.waiting.front());
            s.waiting.pop_front();
            Bed::finish(s, std::move(urb), -ESHUTDOWN);
        }
        Bed::show_ready(s);
    }
    umockdev_testbed_uevent(bed_->testbed, s.sys.c_str(), "remove");
    umockdev_testbed_remove_device(bed_->testbed, s.sys.c_str());
    // usbfs says POLLHUP once the device is gone, and lets what is done be reaped all the same.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (s.master >= 0) {
        ::close(s.master);
        ::close(s.slave);
        const std::lock_guard lock(bed_->mutex);
        s.master = s.slave = -1;
    }
}

void UsbTestbed::inject(int socket, BusFault fault) {
    const std::lock_guard lock(bed_->mutex);
    bed_->sockets[static_cast<std::size_t>(socket - 1)].faults.push_back(fault);
}

void UsbTestbed::refuse_open(int socket, bool refuse) {
    const std::lock_guard lock(bed_->mutex);
    bed_->sockets[static_cast<std::size_t>(socket - 1)].refused = refuse;
}

std::int64_t UsbTestbed::now_us() const {
    return bed_->now_us();
}
int UsbTestbed::time_fd() const {
    return bed_->time_fd;
}
void UsbTestbed::host_died(int socket) {
    const std::lock_guard lock(bed_->mutex);
    Bed::Socket& s = bed_->sockets[static_cast<std::size_t>(socket - 1)];
    for (auto* urbs : {&s.waiting, &s.done}) {
        for (Urb& urb : *urbs) {
            umockdev_ioctl_data_unref(urb.buffer);
            umockdev_ioctl_data_unref(urb.data);
        }
        urbs->clear();
    }
    s.most_reads = 0;
}
void UsbTestbed::run_freely(bool freely) {
    bed_->free_running = freely;
}
std::uint64_t UsbTestbed::urbs() const {
    return bed_->urbs;
}

}  // namespace letoff::test
