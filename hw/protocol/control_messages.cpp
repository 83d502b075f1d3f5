#include <algorithm>

#include "core/unit/utf8.h"
#include "hw/protocol/bytes-inl.h"
#include "hw/protocol/codec.h"

namespace letoff::hw {

using namespace wire;

namespace {

constexpr std::size_t kRowBytes = 24;

template <std::size_t N>
void put_text(Out b, std::size_t at, const std::array<char, N>& text) noexcept {
    for (std::size_t i = 0; i + 1 < N && text[i] != 0; ++i) b[at + i] = static_cast<std::uint8_t>(text[i]);
}

template <std::size_t N>
void take_text(Bytes b, std::size_t at, std::array<char, N>& text) noexcept {
    text = {};
    for (std::size_t i = 0; i + 1 < N && b[at + i] != 0; ++i) text[i] = static_cast<char>(b[at + i]);
}

/// It is printed and becomes JSON: what is no character that may be shown, a cut one too, is a question mark.
template <std::size_t N>
void make_showable(std::array<char, N>& text) noexcept {
    for (std::size_t at = 0; text[at] != 0;) {
        const std::size_t bytes = core::shown_utf8_bytes(text.data() + at);
        if (bytes == 0) text[at] = '?';
        at += std::max<std::size_t>(bytes, 1);
    }
}

bool serial_is_right(Bytes b) noexcept {
    const Bytes serial = b.subspan(8, 16);
    const auto end = std::find(serial.begin(), serial.end(), std::uint8_t{0});
    const auto is_printable = [](std::uint8_t c) { return c >= 0x21 && c <= 0x7E; };
    return end != serial.begin() && std::all_of(serial.begin(), end, is_printable) &&
           std::all_of(end, serial.end(), [](std::uint8_t c) { return c == 0; });
}

// The fields of each message: way(offset, field). What is no number is written and read beside them.

template <typename Way, typename Row>
void each_field_of_row(const Way& way, Row& r) noexcept {
    way(0, r.key);
    way(2, r.travel);
    way(4, r.moving_mass);
    way(6, r.friction);
    way(8, r.peak_force);
    way(10, r.peak_ms);
    way(12, r.second_force);
    way(14, r.continuous_force);
    way(16, r.slew);
    way(18, r.current_limit_mA);
    way(20, r.temperature_limit);
    way(22, r.energy_limit_mJ);
}

template <typename Way, typename Who>
void each_field_of_identity(const Way& way, Who& i) noexcept {
    way(3, i.minor);
    way(4, i.firmware_major);
    way(6, i.firmware_minor);
    way(56, i.first_key);
    way(58, i.keys);
    way(59, i.kind);
    way(61, i.rates);
    way(62, i.max_samples);
    way(64, i.senses);
    way(66, i.sense_delay_us);
    way(68, i.act_delay_us);
    way(72, i.calibration_id);
}

template <typename Way, typename State>
void each_field_of_status(const Way& way, State& s) noexcept {
    way(3, s.state);
    way(4, s.token);
    way(8, s.time_us);
    way(16, s.device_fault);
    way(17, s.last_op);
    way(18, s.last_refusal);
    way(19, s.stream.rate_kHz);
    way(20, s.stream.samples);
    way(21, s.keys_off);
    way(22, s.stream.fields);
    way(24, s.frames_valid);
    way(28, s.frames_bad);
    way(32, s.frames_stale);
    way(36, s.frames_early);
    way(40, s.watchdog_trips);
    way(44, s.force_sequence);
    way(48, s.calibration_id);
}

template <typename Way, typename Order>
void each_field_of_command(const Way& way, Order& c) noexcept {
    way(3, c.op);
    way(4, c.token);
    way(8, c.a);
    way(12, c.b);
}

bool row_is_right(const KeyRow& r) noexcept {
    if (r.peak_force > kMostPeakForce || r.peak_ms > kMostPeak_ms || r.second_force > kMostSecondForce ||
        r.continuous_force > kMostContinuousForce || r.slew > kMostSlew) {
        return false;
    }
    if (r.continuous_force > r.second_force || r.second_force > r.peak_force) return false;
    return r.peak_ms != 0 && r.slew != 0 && r.current_limit_mA != 0 && r.temperature_limit != 0;
}

}  // namespace

std::array<std::uint8_t, kIdentityBytes> encode(const Identity& identity) noexcept {
    std::array<std::uint8_t, kIdentityBytes> b{};
    put_start(b, 'I');
    each_field_of_identity(Put(b), identity);
    put_text(b, 8, identity.serial);
    put_text(b, 24, identity.name);
    b[60] = static_cast<std::uint8_t>((identity.front_rail ? 1 : 0) | (identity.back_rail ? 2 : 0));
    b[63] = static_cast<std::uint8_t>((identity.self_calibrated ? 1 : 0) | (identity.has_stop_switch ? 2 : 0));
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Identity& identity) noexcept {
    if (b.size() != kIdentityBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'I'); refused != Refused::kNo) return refused;
    Identity i;
    each_field_of_identity(Take(b), i);
    take_text(b, 8, i.serial);
    take_text(b, 24, i.name);
    make_showable(i.name);
    i.front_rail = (b[60] & 1) != 0;
    i.back_rail = (b[60] & 2) != 0;
    i.rates &= 0xF;
    i.self_calibrated = (b[63] & 1) != 0;
    i.has_stop_switch = (b[63] & 2) != 0;
    i.senses &= kAllFields;
    if (i.keys < kFewestKeys || i.keys > kMostKeys || i.first_key < -95 || i.first_key > 88) return Refused::kKeys;
    if (i.max_samples < 1 || i.max_samples > kMostSamples) return Refused::kSamples;
    if (i.rates == 0) return Refused::kRate;
    if (!serial_is_right(b) || i.kind > KeyKind::kLightLever || !senses_suffice(i.senses)) return Refused::kValue;
    identity = i;
    return Refused::kNo;
}

std::array<std::uint8_t, kStatusBytes> encode(const Status& status) noexcept {
    std::array<std::uint8_t, kStatusBytes> b{};
    put_start(b, 'S');
    each_field_of_status(Put(b), status);
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Status& status) noexcept {
    if (b.size() != kStatusBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'S'); refused != Refused::kNo) return refused;
    Status s;
    each_field_of_status(Take(b), s);
    if (static_cast<int>(s.state) >= kDeviceStates || s.token == 0) return Refused::kValue;
    status = s;
    return Refused::kNo;
}

std::array<std::uint8_t, kCommandBytes> encode(const Command& command) noexcept {
    std::array<std::uint8_t, kCommandBytes> b{};
    put_start(b, 'C');
    each_field_of_command(Put(b), command);
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Command& command) noexcept {
    if (b.size() != kCommandBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'C'); refused != Refused::kNo) return refused;
    each_field_of_command(Take(b), command);
    return Refused::kNo;
}

std::array<std::uint8_t, kSetKeyRowBytes> encode_set_key_row(const KeyRow& row) noexcept {
    std::array<std::uint8_t, kSetKeyRowBytes> b{};
    put_start(b, 'W');
    each_field_of_row(Put(Out(b).subspan(4)), row);
    put_crc(b);
    return b;
}

Refused decode_set_key_row(Bytes b, KeyRow& row) noexcept {
    if (b.size() != kSetKeyRowBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'W'); refused != Refused::kNo) return refused;
    each_field_of_row(Take(b.subspan(4)), row);
    return Refused::kNo;
}

std::size_t encode_key_rows(std::span<const KeyRow> rows, Out out) noexcept {
    const std::size_t length = key_rows_bytes(rows.size());
    if (out.size() < length || rows.size() > kMostKeys) return 0;
    const Out b = out.first(length);
    put_start(b, 'K');
    b[3] = static_cast<std::uint8_t>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) each_field_of_row(Put(b.subspan(4 + kRowBytes * i)), rows[i]);
    put_crc(b);
    return length;
}

Refused decode_key_rows(Bytes b, std::span<KeyRow> rows) noexcept {
    if (b.size() != key_rows_bytes(rows.size())) return Refused::kLength;
    if (const Refused refused = check(b, 'K'); refused != Refused::kNo) return refused;
    if (b[3] != rows.size()) return Refused::kKeys;
    const auto take = [&](std::size_t i, KeyRow& row) { each_field_of_row(Take(b.subspan(4 + kRowBytes * i)), row); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        KeyRow row;
        take(i, row);
        if (row.key != i || !row_is_right(row)) return Refused::kValue;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) take(i, rows[i]);
    return Refused::kNo;
}

}  // namespace letoff::hw
