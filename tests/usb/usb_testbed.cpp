#include "tests/usb/usb_bed.h"

#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usbdevice_fs.h>
#include <pty.h>
#include <sys/mman.h>
#include <termios.h>
#include <umockdev-1.0/umockdev.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace letoff::test {

namespace {

using Bytes = UsbDeviceModel::Bytes;

constexpr std::int64_t kRound_us = 250;
constexpr auto kLook = std::chrono::microseconds(50);
constexpr int kMostHeldRounds = 3000;  // 0.3 s and more: a host that has given up transfers for good does not stop time

usbdevfs_urb& fields(const Urb& urb) {
    return *reinterpret_cast<usbdevfs_urb*>(urb.data->data);
}

/// What is behind the pointer of an ioctl; zero of a host that was killed.
template <typename T>
T argument(UMockdevIoctlData* arg) {
    T value{};
    if (UMockdevIoctlData* d = umockdev_ioctl_data_resolve(arg, 0, sizeof value, nullptr)) {
        std::memcpy(&value, d->data, sizeof value);
        umockdev_ioctl_data_unref(d);
    }
    return value;
}

}  // namespace

std::atomic<std::int64_t>& UsbTestbed::Bed::shared_time() const {
    if (::ftruncate(time_fd, sizeof(std::atomic<std::int64_t>)) != 0) std::abort();
    void* const page =
        ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED, time_fd, 0);
    if (page == MAP_FAILED) std::abort();
    return *new (page) std::atomic<std::int64_t>(0);
}

bool UsbTestbed::Bed::answer(Socket& s, Urb& urb) {
    for (BusFault& fault : s.faults) {
        if (fault.endpoint != urb.endpoint || fault.times == 0) continue;
        --fault.times;
        finish(s, std::move(urb), -fault.error);
        return true;
    }
    if (urb.endpoint == 0) {
        control(s, urb);
        return true;
    }
    if (s.model->is_halted(urb.endpoint)) {
        finish(s, std::move(urb), -EPIPE);
        return true;
    }
    const std::int64_t now_us = s.bed->now_us();
    const int length = fields(urb).buffer_length;
    if ((urb.endpoint & 0x80) == 0) {
        if (!s.model->on_out(urb.endpoint, urb.out, now_us)) return false;
        urb.actual = length;
        finish(s, std::move(urb), 0);
        return true;
    }
    auto in = s.model->next_in(urb.endpoint, now_us);
    if (!in) return false;
    if (in->size() > static_cast<std::size_t>(length)) {
        finish(s, std::move(urb), -EOVERFLOW);
        return true;
    }
    urb.in = std::move(*in);
    urb.actual = static_cast<int>(urb.in.size());
    finish(s, std::move(urb), 0);
    return true;
}

void UsbTestbed::Bed::control(Socket& s, Urb& urb) {
    const Bytes& b = urb.out;
    const auto word = [&b](std::size_t at) { return static_cast<std::uint16_t>(b[at] | b[at + 1] << 8); };
    const SetupPacket setup{b[0], b[1], word(2), word(4), word(6)};
    std::optional<Bytes> reply;
    if (setup.is(0x80, USB_REQ_GET_DESCRIPTOR) && setup.value >> 8 == USB_DT_STRING) {
        Bytes text = {4, USB_DT_STRING, 9, 4};  // English is what there is
        if ((setup.value & 0xFF) != 0) {
            const std::string words = s.model->string(setup.value & 0xFF);
            text = {static_cast<std::uint8_t>(2 + 2 * words.size()), USB_DT_STRING};
            for (const char c : words) {
                text.push_back(static_cast<std::uint8_t>(c));
                text.push_back(0);
            }
        }
        reply = std::move(text);
    } else {
        const std::span<const std::uint8_t> written =
            setup.is_in() ? std::span<const std::uint8_t>{} : std::span(b).subspan(8);
        reply = s.model->on_control(setup, written, s.bed->now_us());
    }
    if (!reply) return finish(s, std::move(urb), -EPIPE);
    if (setup.is_in()) {
        reply->resize(std::min<std::size_t>(reply->size(), setup.length));
        urb.in = std::move(*reply);
        urb.in_offset = 8;
        urb.actual = static_cast<int>(urb.in.size());
    } else {
        urb.actual = setup.length;
    }
    finish(s, std::move(urb), 0);
}

/// What was answered with NAK, in the order of each endpoint.
void UsbTestbed::Bed::ask_again(Socket& s) {
    std::deque<Urb> left;
    std::array<bool, 256> blocked{};
    for (Urb& urb : s.waiting) {
        const std::uint8_t endpoint = urb.endpoint;
        if (blocked[endpoint] || !answer(s, urb)) {
            blocked[endpoint] = true;
            left.push_back(std::move(urb));
        }
    }
    s.waiting = std::move(left);
}

int UsbTestbed::Bed::submit(Socket& s, UMockdevIoctlData* arg) {
    Urb urb;
    urb.data = umockdev_ioctl_data_resolve(arg, 0, sizeof(usbdevfs_urb), nullptr);
    if (urb.data == nullptr) return ENODEV;  // a host that was killed has no memory any more
    urb.address = urb.data->client_addr;
    usbdevfs_urb& u = fields(urb);
    urb.buffer = umockdev_ioctl_data_resolve(urb.data, offsetof(usbdevfs_urb, buffer),
                                             static_cast<gsize>(u.buffer_length), nullptr);
    if (urb.buffer == nullptr) {
        umockdev_ioctl_data_unref(urb.data);
        return ENODEV;
    }
    const bool is_control = u.type == USBDEVFS_URB_TYPE_CONTROL;
    urb.endpoint = is_control ? std::uint8_t{0} : u.endpoint;
    if (is_control || (u.endpoint & 0x80) == 0) {
        urb.out.assign(urb.buffer->data, urb.buffer->data + u.buffer_length);
    }
    s.waiting.push_back(std::move(urb));
    const auto reads = std::count_if(s.waiting.begin(), s.waiting.end(),
                                     [](const Urb& waiting) { return (waiting.endpoint & 0x80) != 0; });
    s.most_reads = std::max(s.most_reads, static_cast<std::size_t>(reads));
    ask_again(s);
    return 0;
}

int UsbTestbed::Bed::reap(Socket& s, UMockdevIoctlData* arg) {
    if (s.done.empty()) return s.gone ? ENODEV : EAGAIN;
    Urb urb = std::move(s.done.front());
    s.done.pop_front();
    if (!urb.in.empty()) {
        umockdev_ioctl_data_update(urb.buffer, urb.in_offset, urb.in.data(), static_cast<gint>(urb.in.size()));
    }
    fields(urb).status = urb.status;
    fields(urb).actual_length = urb.actual;
    UMockdevIoctlData* pointer = umockdev_ioctl_data_resolve(arg, 0, sizeof(gpointer), nullptr);
    if (pointer != nullptr) {
        umockdev_ioctl_data_set_ptr(pointer, 0, urb.data);
        umockdev_ioctl_data_unref(pointer);
    }
    umockdev_ioctl_data_unref(urb.buffer);
    umockdev_ioctl_data_unref(urb.data);
    return 0;
}

int UsbTestbed::Bed::discard(Socket& s, UMockdevIoctlData* arg) {
    const gulong address = *reinterpret_cast<gulong*>(arg->data);
    const auto found =
        std::find_if(s.waiting.begin(), s.waiting.end(), [address](const Urb& u) { return u.address == address; });
    if (found == s.waiting.end()) return EINVAL;
    Urb urb = std::move(*found);
    s.waiting.erase(found);
    finish(s, std::move(urb), -ENOENT);
    return 0;
}

int UsbTestbed::Bed::tell_model(Socket& s, SetupPacket setup) {
    return s.model->on_control(setup, {}, s.bed->now_us()) ? 0 : EPIPE;
}

gboolean UsbTestbed::Bed::on_ioctl(UMockdevIoctlBase*, UMockdevIoctlClient* client, gpointer socket) {
    Socket& s = *static_cast<Socket*>(socket);
    UMockdevIoctlData* arg = umockdev_ioctl_client_get_arg(client);
    const gulong request = umockdev_ioctl_client_get_request(client);
    int error = 0;
    {
        const std::lock_guard lock(s.bed->mutex);
        switch (request) {
            case USBDEVFS_GET_CAPABILITIES: {
                UMockdevIoctlData* d = umockdev_ioctl_data_resolve(arg, 0, sizeof(guint32), nullptr);
                guint32 capabilities = USBDEVFS_CAP_BULK_CONTINUATION | USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                       USBDEVFS_CAP_REAP_AFTER_DISCONNECT | USBDEVFS_CAP_ZERO_PACKET;
                if (d != nullptr) {
                    umockdev_ioctl_data_update(d, 0, reinterpret_cast<guint8*>(&capabilities), sizeof capabilities);
                    umockdev_ioctl_data_unref(d);
                }
                break;
            }
            case USBDEVFS_RELEASEINTERFACE:  // the kernel goes back to setting 0
                if (!s.gone) tell_model(s, {0x01, USB_REQ_SET_INTERFACE, 0, 0, 0});
                break;
            case USBDEVFS_GETDRIVER:
                error = ENODATA;
                break;
            case USBDEVFS_IOCTL:
                error = ENODATA;
                break;  // no driver of the kernel to detach
            case USBDEVFS_DISCONNECT_CLAIM:
            case USBDEVFS_CLAIMINTERFACE:
            case USBDEVFS_RESET:
                error = s.gone ? ENODEV : 0;
                break;
            case USBDEVFS_SETINTERFACE:
                error =
                    s.gone ? ENODEV
                           : tell_model(s, {0x01, USB_REQ_SET_INTERFACE,
                                            static_cast<std::uint16_t>(argument<usbdevfs_setinterface>(arg).altsetting),
                                            0, 0});
                break;
            case USBDEVFS_SETCONFIGURATION:
                error = s.gone ? ENODEV : tell_model(s, {0x00, USB_REQ_SET_CONFIGURATION, 1, 0, 0});
                break;
            case USBDEVFS_CLEAR_HALT:
                error = s.gone ? ENODEV
                               : tell_model(s, {0x02, USB_REQ_CLEAR_FEATURE, 0,
                                                static_cast<std::uint16_t>(argument<unsigned>(arg)), 0});
                break;
            case USBDEVFS_SUBMITURB:
                error = s.gone ? ENODEV : submit(s, arg);
                break;
            case USBDEVFS_REAPURB:
            case USBDEVFS_REAPURBNDELAY:
                error = reap(s, arg);
                break;
            case USBDEVFS_DISCARDURB:
                error = discard(s, arg);
                break;
            default:
                std::fprintf(stderr, "usb_testbed: ioctl 0x%lx is not known\n", request);
                error = ENOTTY;
        }
        show_ready(s);
    }
    umockdev_ioctl_client_complete(client, error == 0 ? 0 : -1, error);
    return TRUE;
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
