#include "hw/usb/usb_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/rt/monotonic_clock.h"

namespace letoff::hw {

namespace {

constexpr std::size_t kInBuffer = 9600;
constexpr std::size_t kControlBuffer = LIBUSB_CONTROL_SETUP_SIZE + key_rows_bytes(kMostKeys);

}  // namespace

double usb_now_s() noexcept {
    return static_cast<double>(core::monotonic_now_ns()) * 1e-9;
}

int UsbLink::open(libusb_device* device, UsbPlace place, ArrayHub& hub, std::unique_ptr<UsbLink>& link) {
    const int interface_number = place.interface_number;
    libusb_device_handle* handle = nullptr;
    if (const int error = libusb_open(device, &handle); error != 0) return error;
    int error = libusb_claim_interface(handle, interface_number);
    // The device forgets what an earlier host left: disabled, no stream, a new token.
    if (error == 0) error = libusb_set_interface_alt_setting(handle, interface_number, place.setting);
    const int slot = error == 0 ? hub.attach() : -1;
    if (error == 0 && slot < 0) error = LIBUSB_ERROR_NO_MEM;
    if (error != 0) {
        libusb_close(handle);
        return error;
    }
    link.reset(new UsbLink(handle, device, interface_number, hub, slot));
    for (Transfer& transfer : link->in_) link->submit_in(transfer);
    return 0;
}

UsbLink::UsbLink(libusb_device_handle* handle, libusb_device* device, int interface_number, ArrayHub& hub, int slot)
    : handle_(handle), device_(libusb_ref_device(device)), interface_number_(interface_number), hub_(hub), slot_(slot) {
    const auto prepare = [this](Transfer& transfer, std::size_t bytes) {
        transfer.link = this;
        transfer.usb = libusb_alloc_transfer(0);
        transfer.buffer.resize(bytes);
    };
    for (Transfer& transfer : in_) prepare(transfer, kInBuffer);
    for (Transfer& transfer : out_) prepare(transfer, kMostForceBytes);
    prepare(control_, kControlBuffer);
}

UsbLink::~UsbLink() {
    for (Transfer& transfer : in_) libusb_free_transfer(transfer.usb);
    for (Transfer& transfer : out_) libusb_free_transfer(transfer.usb);
    libusb_free_transfer(control_.usb);
    libusb_release_interface(handle_, interface_number_);
    libusb_close(handle_);
    libusb_unref_device(device_);
}

bool UsbLink::submit(Transfer& transfer) {
    if (ended_) return false;
    const int error = libusb_submit_transfer(transfer.usb);
    if (error == 0) {
        transfer.busy = true;
        ++in_flight_;
        return true;
    }
    if (error == LIBUSB_ERROR_NO_DEVICE) {
        device_left();
    } else if (++failures_ >= UsbTransport::kMostFailures) {
        end(fmt::format("takes no transfers any more ({})", libusb_error_name(error)), true);
    }
    return false;
}

void UsbLink::submit_in(Transfer& transfer) {
    libusb_fill_interrupt_transfer(transfer.usb, handle_, kEndpointIn, transfer.buffer.data(),
                                   static_cast<int>(transfer.buffer.size()), &UsbLink::on_in, &transfer, 0);
    submit(transfer);
}

void UsbLink::end(const std::string& why, bool by_error) {
    if (ended_) return;
    ended_ = true;
    by_error_ = by_error;
    left_alone_ = hub_.is_done(slot_);
    hub_.detach(slot_, why);
    const auto cancel = [](Transfer& transfer) {
        if (transfer.busy) libusb_cancel_transfer(transfer.usb);
    };
    std::for_each(in_.begin(), in_.end(), cancel);
    std::for_each(out_.begin(), out_.end(), cancel);
    cancel(control_);
}

void UsbLink::serve() {
    if (ended_) return;
    if (hub_.is_done(slot_)) return end("was let go", false);
    if (in_stalled_ || out_stalled_) {
        if (in_stalled_) libusb_clear_halt(handle_, kEndpointIn);
        if (out_stalled_) libusb_clear_halt(handle_, kEndpointOut);
        in_stalled_ = out_stalled_ = false;
    }
    for (Transfer& transfer : in_) {
        if (!transfer.busy && !ended_) submit_in(transfer);
    }
    if (!ended_) ask();
    if (!ended_ && usb_now_s() - sent_at_s_ >= UsbTransport::kForceEvery_s) send_force();
}

void UsbLink::ask() {
    if (control_.busy) return;
    const ControlRequest* request = hub_.next_request(slot_);
    if (request == nullptr) return;
    std::uint8_t* const buffer = control_.buffer.data();
    libusb_fill_control_setup(buffer, request->in ? kRequestTypeIn : kRequestTypeOut,
                              static_cast<std::uint8_t>(request->request), 0,
                              static_cast<std::uint16_t>(interface_number_), request->length);
    const auto out = request->out();
    std::copy(out.begin(), out.end(), buffer + LIBUSB_CONTROL_SETUP_SIZE);
    libusb_fill_control_transfer(control_.usb, handle_, buffer, &UsbLink::on_control, &control_,
                                 UsbTransport::kControlTimeout_ms);
    submit(control_);
}

void UsbLink::send_force() {
    const auto free = std::find_if(out_.begin(), out_.end(), [](const Transfer& t) { return !t.busy; });
    if (out_stalled_) return;
    if (free == out_.end()) return hub_.on_send_late();
    const std::size_t length = hub_.force_frame(slot_, free->buffer);
    if (length == 0) return;
    sent_at_s_ = usb_now_s();
    libusb_fill_interrupt_transfer(free->usb, handle_, kEndpointOut, free->buffer.data(), static_cast<int>(length),
                                   &UsbLink::on_out, &*free, UsbTransport::kSendTimeout_ms);
    submit(*free);
}

/// False: the link has ended, or `status` asks for something to be done first.
bool UsbLink::survives(libusb_transfer_status status, const char* what) {
    if (ended_ || status == LIBUSB_TRANSFER_CANCELLED) return false;
    if (status == LIBUSB_TRANSFER_NO_DEVICE) {
        device_left();
        return false;
    }
    if (++failures_ >= UsbTransport::kMostFailures) {
        end(fmt::format("fails to {}", what), true);
        return false;
    }
    return true;
}

UsbLink* UsbLink::landed(Transfer& transfer) noexcept {
    UsbLink& link = *transfer.link;
    transfer.busy = false;
    --link.in_flight_;
    return link.ended_ ? nullptr : &link;
}

void LIBUSB_CALL UsbLink::on_in(libusb_transfer* usb) {
    Transfer& transfer = *static_cast<Transfer*>(usb->user_data);
    UsbLink* const there = landed(transfer);
    if (there == nullptr) return;
    UsbLink& link = *there;
    if (usb->status == LIBUSB_TRANSFER_COMPLETED) {
        link.failures_ = 0;
        link.hub_.on_motion(link.slot_, std::span(transfer.buffer).first(static_cast<std::size_t>(usb->actual_length)));
        link.send_force();
    } else if (usb->status == LIBUSB_TRANSFER_STALL) {
        link.in_stalled_ = true;  // I/O is for the thread's round
        link.survives(usb->status, "send key motion");
        return;
    } else if (!link.survives(usb->status, "send key motion")) {
        return;
    }
    link.submit_in(transfer);
}

void LIBUSB_CALL UsbLink::on_out(libusb_transfer* usb) {
    UsbLink* const there = landed(*static_cast<Transfer*>(usb->user_data));
    if (there == nullptr) return;
    UsbLink& link = *there;
    if (usb->status == LIBUSB_TRANSFER_COMPLETED) {
        link.failed_sends_ = 0;
        return;
    }
    if (usb->status == LIBUSB_TRANSFER_STALL) link.out_stalled_ = true;
    if (usb->status == LIBUSB_TRANSFER_NO_DEVICE) return link.device_left();
    link.hub_.on_send_late();
    if (++link.failed_sends_ >= UsbTransport::kMostFailures) link.end("takes no force frames any more", true);
}

void LIBUSB_CALL UsbLink::on_control(libusb_transfer* usb) {
    UsbLink* const there = landed(*static_cast<Transfer*>(usb->user_data));
    if (there == nullptr) return;
    UsbLink& link = *there;
    const std::span<const std::uint8_t> data(libusb_control_transfer_get_data(usb),
                                             static_cast<std::size_t>(usb->actual_length));
    switch (usb->status) {
        case LIBUSB_TRANSFER_COMPLETED:
            return link.hub_.on_reply(link.slot_, Reply::kDone, data);
        case LIBUSB_TRANSFER_STALL:
            return link.hub_.on_reply(link.slot_, Reply::kStalled, {});
        case LIBUSB_TRANSFER_NO_DEVICE:
            return link.device_left();
        case LIBUSB_TRANSFER_CANCELLED:
            return;
        default:
            return link.end("does not answer a request", true);
    }
}

}  // namespace letoff::hw
