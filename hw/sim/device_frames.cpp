#include "hw/sim/device_frames.h"

#include <algorithm>
#include <bit>

namespace letoff::hw::firmware {
namespace {

constexpr auto kCrcTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t c = i;
        for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    return table;
}();

class Writer {
  public:
    explicit Writer(std::size_t expected) { bytes_.reserve(expected); }
    template <typename T>
    Writer& put(T value) {
        auto rest = static_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < sizeof(T); ++i, rest >>= 8) bytes_.push_back(static_cast<std::uint8_t>(rest));
        return *this;
    }
    Writer& magic(char second) { return put(std::uint8_t{0x4C}).put(static_cast<std::uint8_t>(second)); }
    Writer& zeros(std::size_t count) {
        bytes_.insert(bytes_.end(), count, 0);
        return *this;
    }
    /// Cut or zero-padded to its field.
    Writer& text(const std::string& text, std::size_t field) {
        const std::size_t n = std::min(text.size(), field);
        bytes_.insert(bytes_.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n));
        return zeros(field - n);
    }
    Bytes crc() {
        put(crc32(bytes_));
        return std::move(bytes_);
    }
    Bytes plain() { return std::move(bytes_); }

  private:
    Bytes bytes_;
};

template <typename T>
T get(ByteSpan bytes, std::size_t at) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = value << 8 | bytes[at + i];
    return static_cast<T>(value);
}

bool crc_right(ByteSpan bytes) noexcept {
    return get<std::uint32_t>(bytes, bytes.size() - 4) == crc32(bytes.first(bytes.size() - 4));
}

Refusal read_head(ByteSpan bytes, std::size_t length, char magic) noexcept {
    if (bytes.size() != length) return Refusal::bad_length;
    if (!crc_right(bytes)) return Refusal::bad_crc;
    if (bytes[0] != 0x4C || bytes[1] != static_cast<std::uint8_t>(magic) || bytes[2] != kMajor)
        return Refusal::bad_version;
    return Refusal::none;
}

std::size_t padded(std::size_t length) noexcept {
    return length % 512 == 0 ? length + 4 : length;
}

}  // namespace

std::uint32_t crc32(ByteSpan bytes) noexcept {
    std::uint32_t c = 0xFFFFFFFFu;
    for (const std::uint8_t b : bytes) c = kCrcTable[(c ^ b) & 0xFF] ^ (c >> 8);
    return c ^ 0xFFFFFFFFu;
}

std::size_t motion_bytes(std::size_t keys, std::size_t samples, unsigned fields) noexcept {
    const auto values = static_cast<std::size_t>(std::popcount(fields & (kTemperature - 1)));
    const std::size_t temperature = (fields & kTemperature) != 0 ? 2 * keys : 0;
    return padded(36 + 2 * keys * samples * values + temperature + keys + keys % 2 + 4);
}

std::size_t force_bytes(std::size_t keys, std::size_t samples) noexcept {
    return padded(32 + 2 * keys * samples + 4);
}

Bytes encode(const Identity& i) {
    Writer w(96);
    w.magic('I').put(kMajor).put(kMinor).put(i.firmware_major).put(i.firmware_minor);
    w.text(i.serial, 16).text(i.name, 32);
    w.put(i.first_key).put(i.keys).put(i.kind).put(i.stops).put(i.rates).put(i.max_samples).put(i.flags);
    w.put(i.senses).put(i.sense_delay_us).put(i.act_delay_us).zeros(2).put(i.calibration_id).zeros(16);
    return w.crc();
}

Bytes encode(std::span<const KeyRow> rows) {
    Writer w(8 + 24 * rows.size());
    w.magic('K').put(kMajor).put(static_cast<std::uint8_t>(rows.size()));
    for (const KeyRow& r : rows) {
        w.put(r.key).put(r.travel).put(r.moving_mass).put(r.friction);
        w.put(r.peak_force).put(r.peak_ms).put(r.second_force).put(r.continuous_force);
        w.put(r.slew).put(r.current_limit).put(r.temperature_limit).put(r.energy_limit);
    }
    return w.crc();
}

Bytes encode(const Status& s) {
    Writer w(64);
    w.magic('S').put(kMajor).put(static_cast<std::uint8_t>(s.state)).put(s.token).put(s.time_us);
    w.put(static_cast<std::uint8_t>(s.device_fault)).put(s.last_op).put(static_cast<std::uint8_t>(s.last_refusal));
    w.put(s.rate_kHz).put(s.samples).put(s.keys_off).put(s.fields);
    w.put(s.frames_valid).put(s.frames_bad).put(s.frames_stale).put(s.frames_early).put(s.watchdog_trips);
    w.put(s.force_sequence).put(s.calibration_id).zeros(8);
    return w.crc();
}

Bytes encode(const Motion& m) {
    const std::size_t keys = m.key_status.size(), length = motion_bytes(keys, m.samples, m.fields);
    Writer w(length);
    w.magic('M').put(kMajor).put(static_cast<std::uint8_t>(keys)).put(static_cast<std::uint16_t>(length));
    w.put(m.samples).put(static_cast<std::uint8_t>(m.state)).put(m.sequence).put(m.token).put(m.time_us);
    w.put(m.fields).put(m.rate_kHz).put(static_cast<std::uint8_t>(m.device_fault)).put(m.force_sequence);
    w.put(static_cast<std::uint16_t>(m.frames_refused)).put(static_cast<std::uint8_t>(m.last_refusal));
    w.put(static_cast<std::uint8_t>(m.watchdog_trips));
    std::size_t written = 36 + 2 * m.values.size() + keys;
    for (const std::uint16_t value : m.values) w.put(value);
    if ((m.fields & kTemperature) != 0) {
        for (const std::int16_t value : m.temperatures) w.put(value);
        written += 2 * keys;
    }
    for (const std::uint8_t value : m.key_status) w.put(value);
    return w.zeros(length - 4 - written).crc();  // the odd key's byte and the padding
}

Refusal read_command(ByteSpan bytes, Command& command) noexcept {
    if (const Refusal bad = read_head(bytes, kCommandBytes, 'C'); bad != Refusal::none) return bad;
    if (bytes[3] < static_cast<std::uint8_t>(Op::calibrate) || bytes[3] > static_cast<std::uint8_t>(Op::stream))
        return Refusal::unknown_op;
    command = {static_cast<Op>(bytes[3]), get<std::uint32_t>(bytes, 4), get<std::uint32_t>(bytes, 8),
               get<std::uint32_t>(bytes, 12)};
    return Refusal::none;
}

Refusal read_set_key_row(ByteSpan bytes, KeyRow& row) noexcept {
    if (const Refusal bad = read_head(bytes, kSetKeyRowBytes, 'W'); bad != Refusal::none) return bad;
    const auto field = [&](std::size_t at) { return get<std::uint16_t>(bytes, 4 + at); };
    row = {field(0),
           field(2),
           field(4),
           field(6),
           field(8),
           field(10),
           field(12),
           field(14),
           field(16),
           field(18),
           get<std::int16_t>(bytes, 4 + 20),
           field(22)};
    return Refusal::none;
}

bool read_force(ByteSpan bytes, int keys, int most_samples, Force& force) noexcept {
    if (bytes.size() < 36 || bytes[0] != 0x4C || bytes[1] != 'F' || bytes[2] != kMajor || bytes[3] != keys)
        return false;
    const int samples = bytes[6];
    if (samples < 1 || samples > most_samples) return false;
    const auto count = static_cast<std::size_t>(keys * samples);
    if (bytes.size() != force_bytes(static_cast<std::size_t>(keys), static_cast<std::size_t>(samples))) return false;
    if (get<std::uint16_t>(bytes, 4) != bytes.size() || !crc_right(bytes)) return false;
    const int rate_kHz = bytes[24];
    if (rate_kHz != 1 && rate_kHz != 2 && rate_kHz != 4 && rate_kHz != 8) return false;
    if (samples > kMostFrame_ms * rate_kHz) return false;
    if ((bytes[7] & ~kStopBit) != 0 || count > force.force.size()) return false;
    force.samples = bytes[6];
    force.flags = bytes[7];
    force.sequence = get<std::uint32_t>(bytes, 8);
    force.token = get<std::uint32_t>(bytes, 12);
    force.start_us = get<std::uint64_t>(bytes, 16);
    force.rate_kHz = bytes[24];
    force.motion_sequence = get<std::uint32_t>(bytes, 28);
    for (std::size_t i = 0; i < count; ++i) force.force[i] = get<std::int16_t>(bytes, 32 + 2 * i);
    return true;
}

Bytes device_descriptor() {
    return {0x12, 0x01, 0x00, 0x02, 0xFF, 0x00, 0x00, 0x40, 0x09, 0x12, 0x01, 0x00, 0x00, 0x01, 0x01, 0x02, 0x03, 0x01};
}

Bytes configuration_descriptor(std::uint16_t max_packet) {
    Writer w(41);
    for (const int byte : {0x09, 0x02, 0x29, 0x00, 0x01, 0x01, 0x00, 0x80, 0xFA,   // one interface, 500 mA
                           0x09, 0x04, 0x00, 0x00, 0x00, 0xFF, 0x4B, 0x01, 0x00,   // 'K', version 1
                           0x09, 0x04, 0x00, 0x01, 0x02, 0xFF, 0x4B, 0x01, 0x00})  // setting 1: two endpoints
        w.put(static_cast<std::uint8_t>(byte));
    for (const int endpoint : {0x81, 0x01}) {
        w.put(std::uint8_t{7}).put(std::uint8_t{5}).put(static_cast<std::uint8_t>(endpoint)).put(std::uint8_t{3});
        w.put(max_packet).put(std::uint8_t{1});
    }
    return w.plain();
}

Bytes string_descriptor(const std::string& text) {
    const std::size_t n = std::min<std::size_t>(text.size(), 126);
    Writer w(2 + 2 * n);
    w.put(static_cast<std::uint8_t>(2 + 2 * n)).put(std::uint8_t{3});
    for (std::size_t i = 0; i < n; ++i) {
        const char c = text[i];
        w.put(static_cast<std::uint16_t>(c > 0x1F && c < 0x7F ? c : '?'));
    }
    return w.plain();
}

}  // namespace letoff::hw::firmware
