// MOTION and FORCE frames of the simulated device: sections 2 and 8 of hw/protocol/PROTOCOL.md.
#include <algorithm>

#include "hw/sim/device.h"

namespace letoff::hw {
namespace {

using firmware::DeviceFault;
using firmware::DeviceState;

constexpr std::size_t kMostWaiting = 4;
constexpr std::uint64_t kMostAhead_us = 1000 * firmware::kMostFrame_ms;

}  // namespace

UsbAnswer SimDevice::on_out(firmware::ByteSpan packet) {
    if (silent() || !has_endpoints()) return UsbAnswer::nak;
    if (halted(0x01)) return UsbAnswer::stall;
    const bool last = packet.size() < setup_.max_packet;
    // A frame longer than any can be is not kept, but its length is wrong to its end.
    if (out_.size() <= firmware::kForceBuffer) out_.insert(out_.end(), packet.begin(), packet.end());
    if (last) out_trouble.pass(std::exchange(out_, {}), [this](const firmware::Bytes& frame) { on_force(frame); });
    return UsbAnswer::ack;
}

UsbAnswer SimDevice::on_out_transfer(firmware::ByteSpan bytes) {
    UsbAnswer last = UsbAnswer::ack;
    do {
        const std::size_t n = std::min<std::size_t>(bytes.size(), setup_.max_packet);
        last = on_out(bytes.first(n));
        bytes = bytes.subspan(n);
    } while (last == UsbAnswer::ack && !bytes.empty());
    return last;
}

void SimDevice::on_force(firmware::ByteSpan frame) {
    firmware::Force& f = incoming_;
    const std::uint64_t now_us = time_us();
    if (!read_force(frame, keys(), setup_.identity.max_samples, f)) {
        ++counts_.frames_bad;
        return;
    }
    const std::uint32_t newer = f.sequence - counts_.force_sequence;
    const auto values = std::span(f.force).first(f.samples * keys_.size());
    const bool zero = std::all_of(values.begin(), values.end(), [](std::int16_t v) { return v == 0; });
    if (f.start_us > now_us && f.start_us - now_us > kMostAhead_us) {
        ++counts_.frames_bad;
    } else if (f.token != token_ || (seen_force_ && (newer == 0 || newer > 0x7FFFFFFFu))) {
        ++counts_.frames_stale;
    } else if (!zero && state_ != DeviceState::enabled) {
        ++counts_.frames_early;
    } else {
        ++counts_.frames_valid;
        counts_.force_sequence = f.sequence;
        seen_force_ = true;
        watchdog_.fed(ticks_);
        // One that still waits for its start acts now, until the newer one does.
        for (std::size_t k = 0; k < keys_.size(); ++k) held_[k] = command(k, std::max(now_us, force_from_us_));
        force_ = f;
        force_from_us_ = f.start_us == 0 ? now_us : f.start_us;
    }
    if ((f.flags & firmware::kStopBit) != 0) fail(DeviceFault::emergency_stop);
}

void SimDevice::sample() {
    if (counts_.samples == 0) return;
    // Samples stand on the grid of the device's clock: 0, 1/rate, 2/rate ...
    const std::int64_t period = kPlant_hz / 1000 / counts_.rate_kHz;
    if (ticks_ % period != 0) return;
    if (sampled_ == 0) {
        motion_.time_us = time_us();
        motion_.values.clear();
    }
    for (int bit = 0; bit < 6; ++bit) {
        if ((counts_.fields >> bit & 1) == 0) continue;
        for (const DeviceKey& key : keys_) motion_.values.push_back(key.field(bit));
    }
    if (++sampled_ == counts_.samples) send_motion();
}

void SimDevice::send_motion() {
    firmware::Motion& m = motion_;
    sampled_ = 0;
    m.samples = counts_.samples;
    m.rate_kHz = counts_.rate_kHz;
    m.fields = counts_.fields;
    m.state = state_;
    m.sequence = next_sequence_++;
    m.token = token_;
    m.device_fault = device_fault_;
    m.force_sequence = counts_.force_sequence;
    m.frames_refused = counts_.frames_bad + counts_.frames_stale + counts_.frames_early;
    m.last_refusal = counts_.last_refusal;
    m.watchdog_trips = counts_.watchdog_trips;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        m.temperatures[k] = keys_[k].temperature_field();
        m.key_status[k] = keys_[k].status_field();
    }
    const std::int64_t ready_at =
        ticks_ + ((setup_.identity.sense_delay_us + more_sense_delay_us) * kPlant_hz + 999'999) / 1'000'000;
    in_trouble.pass(encode(m), [&](firmware::Bytes frame) { waiting_.push_back({ready_at, std::move(frame)}); });
    while (waiting_.size() > kMostWaiting) waiting_.pop_front();
}

UsbReply SimDevice::next_in() {
    if (silent() || !has_endpoints()) return {UsbAnswer::nak, {}};
    if (halted(0x81)) return {UsbAnswer::stall, {}};
    if (!in_begun_) {
        if (waiting_.empty() || waiting_.front().ready_at > ticks_) return {UsbAnswer::nak, {}};
        in_ = std::move(waiting_.front().frame);
        waiting_.pop_front();
        in_sent_ = 0;
        in_begun_ = true;
    }
    const std::size_t n = std::min<std::size_t>(in_.size() - in_sent_, setup_.max_packet);
    const auto from = in_.begin() + static_cast<std::ptrdiff_t>(in_sent_);
    UsbReply reply{UsbAnswer::ack, {from, from + static_cast<std::ptrdiff_t>(n)}};
    in_sent_ += n;
    in_begun_ = n == setup_.max_packet;  // a short packet, perhaps an empty one, ends the frame
    return reply;
}

UsbReply SimDevice::next_in_transfer() {
    UsbReply whole = next_in();
    while (whole.answer == UsbAnswer::ack && in_begun_) {
        const UsbReply more = next_in();
        whole.bytes.insert(whole.bytes.end(), more.bytes.begin(), more.bytes.end());
    }
    return whole;
}

}  // namespace letoff::hw
