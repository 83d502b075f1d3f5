#include <algorithm>

#include "hw/protocol/bytes-inl.h"
#include "hw/protocol/codec.h"

namespace letoff::hw {

using namespace wire;

namespace {

bool is_rate(int rate_kHz) noexcept {
    return rate_kHz == 1 || rate_kHz == 2 || rate_kHz == 4 || rate_kHz == 8;
}

bool keys_fit(int keys) noexcept {
    return keys >= kFewestKeys && keys <= kMostKeys;
}

bool samples_fit(int samples) noexcept {
    return samples >= 1 && samples <= kMostSamples;
}

bool time_fits(int samples, int rate_kHz) noexcept {
    return samples <= kMostFrame_ms * rate_kHz;
}

/// What both frames have alike: `fixed` bytes at least, the length told, magic, version, CRC, keys and samples.
Refused check_frame(Bytes bytes, char kind, std::size_t fixed) noexcept {
    if (bytes.size() < fixed + kCrcBytes || bytes.size() > kMostMotionBytes || u16(bytes, 4) != bytes.size()) {
        return Refused::kLength;
    }
    if (const Refused refused = check(bytes, kind); refused != Refused::kNo) return refused;
    if (!keys_fit(bytes[3])) return Refused::kKeys;
    return samples_fit(bytes[6]) ? Refused::kNo : Refused::kSamples;
}

std::size_t sampled_bytes(std::size_t keys, const Stream& stream) noexcept {
    return 2 * keys * stream.samples * sampled_fields(stream.fields);
}

// Numbers of each header: way(offset, field); see Put and Take.

template <typename Way, typename Header>
void each_field_of_motion(const Way& way, Header& h) noexcept {
    way(3, h.keys);
    way(6, h.stream.samples);
    way(7, h.state);
    way(8, h.sequence);
    way(12, h.token);
    way(16, h.time_us);
    way(24, h.stream.fields);
    way(26, h.stream.rate_kHz);
    way(27, h.device_fault);
    way(28, h.force_sequence);
    way(32, h.frames_refused);
    way(34, h.last_refusal);
    way(35, h.watchdog_trips);
}

template <typename Way, typename Header>
void each_field_of_force(const Way& way, Header& h) noexcept {
    way(3, h.keys);
    way(6, h.samples);
    way(8, h.sequence);
    way(12, h.token);
    way(16, h.start_us);
    way(24, h.rate_kHz);
    way(28, h.motion_sequence);
}

/// A frame of zeros with its start and length; its header, its rows and its CRC are still to come.
Out begin_frame(Out out, char kind, std::size_t length) noexcept {
    const Out b = out.first(length);
    std::fill(b.begin(), b.end(), std::uint8_t{0});
    put_start(b, kind);
    put16(b, 4, static_cast<std::uint16_t>(length));
    return b;
}

/// Where what follows them begins.
template <typename T>
std::size_t put_values(Out b, std::size_t at, std::span<const T> values) noexcept {
    for (const T value : values) {
        put16(b, at, value);
        at += 2;
    }
    return at;
}

}  // namespace

bool stream_fits(std::size_t keys, const Stream& stream) noexcept {
    if (!is_rate(stream.rate_kHz) || !samples_fit(stream.samples)) return false;
    if (!time_fits(stream.samples, stream.rate_kHz)) return false;
    return motion_frame_bytes(keys, stream) * stream.rate_kHz * 1000 <= kMostMotionBytesPerSecond * stream.samples;
}

std::uint16_t MotionView::raw(int sample, Field field, int key) const noexcept {
    const std::size_t keys = header.keys;
    const std::size_t row =
        static_cast<std::size_t>(sample) * sampled_fields(header.stream.fields) +
        sampled_fields(static_cast<std::uint16_t>(header.stream.fields & static_cast<std::uint16_t>(bit(field) - 1)));
    return u16(bytes_, kMotionHeaderBytes + 2 * (row * keys + static_cast<std::size_t>(key)));
}

std::int16_t MotionView::temperature(int key) const noexcept {
    return i16(bytes_,
               kMotionHeaderBytes + sampled_bytes(header.keys, header.stream) + 2 * static_cast<std::size_t>(key));
}

std::uint8_t MotionView::key_status(int key) const noexcept {
    const std::size_t temperatures = has(Field::kTemperature) ? std::size_t{2} * header.keys : 0;
    return bytes_[kMotionHeaderBytes + sampled_bytes(header.keys, header.stream) + temperatures +
                  static_cast<std::size_t>(key)];
}

Refused decode(Bytes bytes, MotionView& view) noexcept {
    if (const Refused refused = check_frame(bytes, 'M', kMotionHeaderBytes); refused != Refused::kNo) return refused;
    MotionHeader h;
    each_field_of_motion(Take(bytes), h);
    if (static_cast<int>(h.state) >= kDeviceStates) return Refused::kValue;
    if (!is_rate(h.stream.rate_kHz)) return Refused::kRate;
    if (!time_fits(h.stream.samples, h.stream.rate_kHz)) return Refused::kSamples;
    if (h.stream.fields == 0 || (h.stream.fields & ~kAllFields) != 0) return Refused::kReserved;
    if (bytes.size() != motion_frame_bytes(h.keys, h.stream)) return Refused::kLength;
    view.header = h;
    view.bytes_ = bytes;
    return Refused::kNo;
}

std::size_t encode_motion(const MotionHeader& h, std::span<const std::uint16_t> values,
                          std::span<const std::int16_t> temperatures, std::span<const std::uint8_t> key_status,
                          Out out) noexcept {
    const bool has_temperature = (h.stream.fields & bit(Field::kTemperature)) != 0;
    if (!keys_fit(h.keys) || !samples_fit(h.stream.samples)) return 0;
    if (!time_fits(h.stream.samples, h.stream.rate_kHz)) return 0;
    if (values.size() != std::size_t{h.keys} * h.stream.samples * sampled_fields(h.stream.fields)) return 0;
    if (temperatures.size() != (has_temperature ? h.keys : 0U) || key_status.size() != h.keys) return 0;
    const std::size_t length = motion_frame_bytes(h.keys, h.stream);
    if (out.size() < length) return 0;
    const Out b = begin_frame(out, 'M', length);
    each_field_of_motion(Put(b), h);
    std::size_t at = put_values(b, kMotionHeaderBytes, values);
    at = put_values(b, at, temperatures);
    for (const std::uint8_t value : key_status) b[at++] = value;
    put_crc(b);
    return length;
}

std::int16_t ForceView::force(int sample, int key) const noexcept {
    const std::size_t index = static_cast<std::size_t>(sample) * header.keys + static_cast<std::size_t>(key);
    return i16(bytes_, kForceHeaderBytes + 2 * index);
}

Refused decode(Bytes bytes, ForceView& view) noexcept {
    if (const Refused refused = check_frame(bytes, 'F', kForceHeaderBytes); refused != Refused::kNo) return refused;
    ForceHeader h;
    each_field_of_force(Take(bytes), h);
    if ((bytes[7] & 0xFE) != 0) return Refused::kReserved;
    h.emergency_stop = (bytes[7] & 1) != 0;
    if (!is_rate(h.rate_kHz)) return Refused::kRate;
    if (!time_fits(h.samples, h.rate_kHz)) return Refused::kSamples;
    if (bytes.size() != force_frame_bytes(h.keys, h.samples)) return Refused::kLength;
    view.header = h;
    view.bytes_ = bytes;
    return Refused::kNo;
}

std::size_t encode_force(const ForceHeader& h, std::span<const std::int16_t> forces, Out out) noexcept {
    if (!keys_fit(h.keys) || !samples_fit(h.samples) || !is_rate(h.rate_kHz)) return 0;
    if (!time_fits(h.samples, h.rate_kHz)) return 0;
    if (forces.size() != std::size_t{h.keys} * h.samples) return 0;
    const std::size_t length = force_frame_bytes(h.keys, h.samples);
    if (out.size() < length) return 0;
    const Out b = begin_frame(out, 'F', length);
    each_field_of_force(Put(b), h);
    b[7] = h.emergency_stop ? 1 : 0;
    put_values(b, kForceHeaderBytes, forces);
    put_crc(b);
    return length;
}

}  // namespace letoff::hw
