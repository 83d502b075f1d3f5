#include "hw/usb/usb_transport.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "hw/usb/usb_link.h"
#include "hw/usb/usb_place.h"

namespace letoff::hw {

class UsbTransport::Thread {
  public:
    explicit Thread(ArrayHub& hub) : hub_(hub) {}
    ~Thread() { stop(); }

    core::Result<bool> start(core::RtMode rt);
    void stop() noexcept;
    int reopened() const noexcept { return reopened_.load(); }

  private:
    static int LIBUSB_CALL on_hot_plug(libusb_context*, libusb_device* device, libusb_hotplug_event event, void* self);
    void run(core::RtMode rt);
    void round();
    void scan();
    void try_open(libusb_device* device, UsbPlace place);
    void forget_left();
    void sweep();
    void forget_all(std::set<libusb_device*>& devices);

    ArrayHub& hub_;
    libusb_context* context_ = nullptr;
    libusb_hotplug_callback_handle hot_plug_ = 0;
    std::thread thread_;
    std::atomic<bool> stop_{false};
    std::atomic<int> reopened_{0};
    // the thread's
    std::vector<std::unique_ptr<UsbLink>> links_;
    std::vector<libusb_device*> left_;       // each held by a reference, as those below
    std::set<libusb_device*> left_alone_;    // refused, until they leave
    std::set<libusb_device*> told_refused_;  // could not be opened, and the user knows
    bool scan_due_ = false;
    double scan_at_s_ = 0;
};

core::Result<bool> UsbTransport::Thread::start(core::RtMode rt) {
    if (const int error = libusb_init(&context_); error != 0) {
        return core::Error{fmt::format("USB cannot be used: {}.", libusb_strerror(error))};
    }
    if (libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG) != 0) {
        const auto both = LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT;
        libusb_hotplug_register_callback(context_, both, LIBUSB_HOTPLUG_NO_FLAGS, LIBUSB_HOTPLUG_MATCH_ANY,
                                         LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY, &Thread::on_hot_plug, this,
                                         &hot_plug_);
    }
    scan_due_ = true;
    thread_ = std::thread([this, rt] { run(rt); });
    pthread_setname_np(thread_.native_handle(), "letoff-usb");
    return true;
}

void UsbTransport::Thread::stop() noexcept {
    if (!thread_.joinable()) return;
    hub_.close();
    stop_.store(true);
    libusb_interrupt_event_handler(context_);
    thread_.join();
    libusb_exit(context_);
    context_ = nullptr;
}

/// In the thread, but in the middle of libusb's own work: only noted.
int LIBUSB_CALL UsbTransport::Thread::on_hot_plug(libusb_context*, libusb_device* device, libusb_hotplug_event event,
                                                  void* self) {
    Thread& thread = *static_cast<Thread*>(self);
    if (event == LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT) {
        thread.left_.push_back(libusb_ref_device(device));
    } else {
        thread.scan_due_ = true;
    }
    return 0;
}

void UsbTransport::Thread::run(core::RtMode rt) {
    (void)core::make_thread_realtime(rt, core::kArrayPriority);  // the keybed's thread says what is missing
    double stop_by_s = 0;
    while (true) {
        timeval wait{0, hub_.is_urgent() ? 1000 : 20000};
        libusb_handle_events_timeout_completed(context_, &wait, nullptr);
        round();
        if (!stop_.load()) continue;
        if (stop_by_s == 0) stop_by_s = usb_now_s() + UsbTransport::kCloseTime_s;
        if (!hub_.closed() && usb_now_s() < stop_by_s) continue;
        for (auto& link : links_) link->end("was let go", false);
        if (links_.empty()) break;
    }
    libusb_hotplug_deregister_callback(context_, hot_plug_);
    forget_left();
    forget_all(left_alone_);
    forget_all(told_refused_);
}

void UsbTransport::Thread::round() {
    forget_left();
    const double now = usb_now_s();
    if (!stop_.load() && (scan_due_ || now >= scan_at_s_)) {
        scan_due_ = false;
        scan_at_s_ = now + UsbTransport::kRetry_s;
        scan();
    }
    for (auto& link : links_) link->serve();
    hub_.poll();
    sweep();
}

void UsbTransport::Thread::forget_left() {
    for (libusb_device* device : left_) {
        for (auto& link : links_) {
            if (link->device() == device) link->device_left();
        }
        for (auto* devices : {&left_alone_, &told_refused_}) {
            if (devices->erase(device) != 0) libusb_unref_device(device);
        }
        libusb_unref_device(device);
    }
    left_.clear();
}

void UsbTransport::Thread::forget_all(std::set<libusb_device*>& devices) {
    for (libusb_device* device : devices) libusb_unref_device(device);
    devices.clear();
}

/// Links that have ended and got all their transfers back.
void UsbTransport::Thread::sweep() {
    for (auto& link : links_) {
        if (!link->is_over()) continue;
        if (link->is_left_alone() && left_alone_.insert(link->device()).second) libusb_ref_device(link->device());
        if (link->by_error()) {
            ++reopened_;
            scan_due_ = true;
        }
        link.reset();
    }
    std::erase(links_, nullptr);
}

void UsbTransport::Thread::scan() {
    libusb_device** list = nullptr;
    const ssize_t count = libusb_get_device_list(context_, &list);
    for (ssize_t i = 0; i < count; ++i) {
        libusb_device* const device = list[i];
        const bool open =
            std::any_of(links_.begin(), links_.end(), [device](const auto& link) { return link->device() == device; });
        if (open || left_alone_.contains(device)) continue;
        if (const auto place = keybed_place(device)) try_open(device, *place);
    }
    if (count >= 0) libusb_free_device_list(list, 1);
}

void UsbTransport::Thread::try_open(libusb_device* device, UsbPlace where) {
    std::unique_ptr<UsbLink> link;
    const int error = UsbLink::open(device, where, hub_, link);
    if (error == 0) {
        links_.push_back(std::move(link));
        if (told_refused_.erase(device) != 0) libusb_unref_device(device);
        return;
    }
    // One that left in this moment says so itself.
    if (error == LIBUSB_ERROR_NO_DEVICE || !told_refused_.insert(device).second) return;
    libusb_ref_device(device);
    const std::string place = usb_node(device);
    std::string sentence = fmt::format("The motorised keyboard at {} cannot be opened: {}; it is tried again.", place,
                                       libusb_strerror(error));
    if (error == LIBUSB_ERROR_ACCESS) {
        sentence = fmt::format(
            "You may not use the motorised keyboard at {}: install {} into /etc/udev/rules.d and plug it in again.",
            place, kUdevRule);
    } else if (error == LIBUSB_ERROR_BUSY) {
        sentence = fmt::format("The motorised keyboard at {} is used by another program; it is tried again.", place);
    } else if (error == LIBUSB_ERROR_NO_MEM) {
        sentence = fmt::format("The motorised keyboard at {} is left alone: {} are open already.", place, kMostDevices);
    }
    hub_.tell({ArrayEvent::Kind::kRefused, "", std::move(sentence)});
}

UsbTransport::UsbTransport(ArrayHub& hub) : thread_(std::make_unique<Thread>(hub)) {}
UsbTransport::~UsbTransport() = default;
core::Result<bool> UsbTransport::start(core::RtMode rt) {
    return thread_->start(rt);
}
void UsbTransport::stop() noexcept {
    thread_->stop();
}
int UsbTransport::reopened() const noexcept {
    return thread_->reopened();
}

}  // namespace letoff::hw
