// What usbfs does with a host's ioctls, and what the device behind the socket answers to URBs.
#include "tests/usb/usb_bed.h"

#include <linux/usb/ch9.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace letoff::test {
namespace {

using Bytes = UsbDeviceModel::Bytes;

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

}  // namespace letoff::test
