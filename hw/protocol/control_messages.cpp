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

void put_row(Out b, std::size_t at, const KeyRow& r) noexcept {
    put16(b, at, r.key);
    put16(b, at + 2, r.travel);
    put16(b, at + 4, r.moving_mass);
    put16(b, at + 6, r.friction);
    put16(b, at + 8, r.peak_force);
    put16(b, at + 10, r.peak_ms);
    put16(b, at + 12, r.second_force);
    put16(b, at + 14, r.continuous_force);
    put16(b, at + 16, r.slew);
    put16(b, at + 18, r.current_limit_mA);
    put16(b, at + 20, r.temperature_limit);
    put16(b, at + 22, r.energy_limit_mJ);
}

KeyRow take_row(Bytes b, std::size_t at) noexcept {
    KeyRow r;
    r.key = u16(b, at);
    r.travel = u16(b, at + 2);
    r.moving_mass = u16(b, at + 4);
    r.friction = u16(b, at + 6);
    r.peak_force = u16(b, at + 8);
    r.peak_ms = u16(b, at + 10);
    r.second_force = u16(b, at + 12);
    r.continuous_force = u16(b, at + 14);
    r.slew = u16(b, at + 16);
    r.current_limit_mA = u16(b, at + 18);
    r.temperature_limit = i16(b, at + 20);
    r.energy_limit_mJ = u16(b, at + 22);
    return r;
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
    b[3] = identity.minor;
    put16(b, 4, identity.firmware_major);
    put16(b, 6, identity.firmware_minor);
    put_text(b, 8, identity.serial);
    put_text(b, 24, identity.name);
    put16(b, 56, identity.first_key);
    b[58] = identity.keys;
    b[59] = static_cast<std::uint8_t>(identity.kind);
    b[60] = static_cast<std::uint8_t>((identity.front_rail ? 1 : 0) | (identity.back_rail ? 2 : 0));
    b[61] = identity.rates;
    b[62] = identity.max_samples;
    b[63] = static_cast<std::uint8_t>((identity.self_calibrated ? 1 : 0) | (identity.has_stop_switch ? 2 : 0));
    put16(b, 64, identity.senses);
    put16(b, 66, identity.sense_delay_us);
    put16(b, 68, identity.act_delay_us);
    put32(b, 72, identity.calibration_id);
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Identity& identity) noexcept {
    if (b.size() != kIdentityBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'I'); refused != Refused::kNo) return refused;
    Identity i;
    i.minor = b[3];
    i.firmware_major = u16(b, 4);
    i.firmware_minor = u16(b, 6);
    take_text(b, 8, i.serial);
    take_text(b, 24, i.name);
    make_showable(i.name);
    i.first_key = i16(b, 56);
    i.keys = b[58];
    i.front_rail = (b[60] & 1) != 0;
    i.back_rail = (b[60] & 2) != 0;
    i.rates = b[61] & 0xF;
    i.max_samples = b[62];
    i.self_calibrated = (b[63] & 1) != 0;
    i.has_stop_switch = (b[63] & 2) != 0;
    i.senses = static_cast<std::uint16_t>(u16(b, 64) & kAllFields);
    i.sense_delay_us = u16(b, 66);
    i.act_delay_us = u16(b, 68);
    i.calibration_id = u32(b, 72);
    if (i.keys < kFewestKeys || i.keys > kMostKeys || i.first_key < -95 || i.first_key > 88) return Refused::kKeys;
    if (i.max_samples < 1 || i.max_samples > kMostSamples) return Refused::kSamples;
    if (i.rates == 0) return Refused::kRate;
    if (!serial_is_right(b) || b[59] > 1 || !senses_suffice(i.senses)) return Refused::kValue;
    i.kind = static_cast<KeyKind>(b[59]);
    identity = i;
    return Refused::kNo;
}

std::array<std::uint8_t, kStatusBytes> encode(const Status& s) noexcept {
    std::array<std::uint8_t, kStatusBytes> b{};
    put_start(b, 'S');
    b[3] = static_cast<std::uint8_t>(s.state);
    put32(b, 4, s.token);
    put64(b, 8, s.time_us);
    b[16] = s.device_fault;
    b[17] = s.last_op;
    b[18] = static_cast<std::uint8_t>(s.last_refusal);
    b[19] = s.stream.rate_kHz;
    b[20] = s.stream.samples;
    b[21] = s.keys_off;
    put16(b, 22, s.stream.fields);
    put32(b, 24, s.frames_valid);
    put32(b, 28, s.frames_bad);
    put32(b, 32, s.frames_stale);
    put32(b, 36, s.frames_early);
    put32(b, 40, s.watchdog_trips);
    put32(b, 44, s.force_sequence);
    put32(b, 48, s.calibration_id);
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Status& status) noexcept {
    if (b.size() != kStatusBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'S'); refused != Refused::kNo) return refused;
    if (b[3] >= kDeviceStates || u32(b, 4) == 0) return Refused::kValue;
    Status s;
    s.state = static_cast<DeviceState>(b[3]);
    s.token = u32(b, 4);
    s.time_us = u64(b, 8);
    s.device_fault = b[16];
    s.last_op = b[17];
    s.last_refusal = static_cast<WriteRefusal>(b[18]);
    s.stream = {b[19], b[20], u16(b, 22)};
    s.keys_off = b[21];
    s.frames_valid = u32(b, 24);
    s.frames_bad = u32(b, 28);
    s.frames_stale = u32(b, 32);
    s.frames_early = u32(b, 36);
    s.watchdog_trips = u32(b, 40);
    s.force_sequence = u32(b, 44);
    s.calibration_id = u32(b, 48);
    status = s;
    return Refused::kNo;
}

std::array<std::uint8_t, kCommandBytes> encode(const Command& c) noexcept {
    std::array<std::uint8_t, kCommandBytes> b{};
    put_start(b, 'C');
    b[3] = static_cast<std::uint8_t>(c.op);
    put32(b, 4, c.token);
    put32(b, 8, c.a);
    put32(b, 12, c.b);
    put_crc(b);
    return b;
}

Refused decode(Bytes b, Command& command) noexcept {
    if (b.size() != kCommandBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'C'); refused != Refused::kNo) return refused;
    command = {static_cast<Op>(b[3]), u32(b, 4), u32(b, 8), u32(b, 12)};
    return Refused::kNo;
}

std::array<std::uint8_t, kSetKeyRowBytes> encode_set_key_row(const KeyRow& row) noexcept {
    std::array<std::uint8_t, kSetKeyRowBytes> b{};
    put_start(b, 'W');
    put_row(b, 4, row);
    put_crc(b);
    return b;
}

Refused decode_set_key_row(Bytes b, KeyRow& row) noexcept {
    if (b.size() != kSetKeyRowBytes) return Refused::kLength;
    if (const Refused refused = check(b, 'W'); refused != Refused::kNo) return refused;
    row = take_row(b, 4);
    return Refused::kNo;
}

std::size_t encode_key_rows(std::span<const KeyRow> rows, Out out) noexcept {
    const std::size_t length = key_rows_bytes(rows.size());
    if (out.size() < length || rows.size() > kMostKeys) return 0;
    const Out b = out.first(length);
    put_start(b, 'K');
    b[3] = static_cast<std::uint8_t>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) put_row(b, 4 + kRowBytes * i, rows[i]);
    put_crc(b);
    return length;
}

Refused decode_key_rows(Bytes b, std::span<KeyRow> rows) noexcept {
    if (b.size() != key_rows_bytes(rows.size())) return Refused::kLength;
    if (const Refused refused = check(b, 'K'); refused != Refused::kNo) return refused;
    if (b[3] != rows.size()) return Refused::kKeys;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const KeyRow row = take_row(b, 4 + kRowBytes * i);
        if (row.key != i || !row_is_right(row)) return Refused::kValue;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = take_row(b, 4 + kRowBytes * i);
    return Refused::kNo;
}

}  // namespace letoff::hw
