// Control requests of the simulated device: sections 2, 3 and 6 of hw/protocol/PROTOCOL.md.
#include <algorithm>

#include "hw/sim/device.h"

namespace letoff::hw {
namespace {

using firmware::DeviceFault;
using firmware::DeviceState;
using firmware::Op;
using firmware::Refusal;
using firmware::Request;

constexpr std::uint8_t kVendorIn = 0xC1, kVendorOut = 0x41;
constexpr std::size_t kMostBytes_per_s = 7'000'000;
constexpr std::size_t kMostPackets_per_s = 8000;  // bInterval 1: one each microframe

bool allowed_in(Op op, DeviceState state) {
    const bool disabled = state == DeviceState::disabled, calibrated = state == DeviceState::calibrated;
    const bool armed = state == DeviceState::armed, enabled = state == DeviceState::enabled;
    switch (op) {
        case Op::calibrate:
        case Op::stream:
            return disabled || calibrated;
        case Op::arm:
            return calibrated || armed;
        case Op::enable:
            return armed || enabled;
        case Op::disarm:
            return calibrated || armed || enabled;
        case Op::disable:
            return disabled || calibrated || armed || enabled;
        case Op::clear_fault:
            return disabled || state == DeviceState::fault;
        default:
            return op == Op::emergency_stop;
    }
}

UsbReply stalled() {
    return {UsbAnswer::stall, {}};
}

UsbReply read_reply(const firmware::Bytes& message, std::uint16_t length) {
    const std::size_t n = std::min<std::size_t>(message.size(), length);
    return {UsbAnswer::ack, {message.begin(), message.begin() + static_cast<std::ptrdiff_t>(n)}};
}

}  // namespace

UsbReply SimDevice::control(const UsbSetup& setup, firmware::ByteSpan data) {
    if (silent()) return {UsbAnswer::nak, {}};
    if ((setup.type & 0x60) == 0) return standard_request(setup);
    if (setup.value != 0 || setup.index != 0) return stalled();
    const auto request = static_cast<Request>(setup.request);
    if (setup.type == kVendorIn) {
        if (request == Request::get_identity) return read_reply(encode(setup_.identity), setup.length);
        if (request == Request::get_key_rows) return read_reply(encode(std::span(rows_)), setup.length);
        if (request == Request::get_status) return read_reply(encode(status()), setup.length);
    } else if (setup.type == kVendorOut) {
        if (request == Request::command) {
            firmware::Command command;
            Refusal refusal = read_command(data, command);
            if (refusal == Refusal::none) refusal = obey(command);
            return answer(refusal, data.size() > 3 ? data[3] : std::uint8_t{0});
        }
        if (request == Request::set_key_row) {
            firmware::KeyRow row;
            Refusal refusal = read_set_key_row(data, row);
            if (refusal == Refusal::none) refusal = set_key_row(row);
            return answer(refusal, 0xFF);
        }
    }
    return stalled();
}

UsbReply SimDevice::answer(Refusal refusal, std::uint8_t op) {
    if (refusal == Refusal::none) return {UsbAnswer::ack, {}};
    counts_.last_op = op;
    counts_.last_refusal = refusal;
    return stalled();
}

Refusal SimDevice::obey(const firmware::Command& c) {
    if (state_ == DeviceState::fault && c.op != Op::emergency_stop &&
        (c.op != Op::clear_fault || cause_present()))  // nothing is forgotten by a CLEAR_FAULT that is refused
        return Refusal::fault_active;
    if (!allowed_in(c.op, state_)) return Refusal::wrong_state;
    if (c.op == Op::arm || c.op == Op::enable) {
        if (c.token != token_) return Refusal::stale_token;
        if (!watchdog_.alive(ticks_)) return Refusal::no_frames;
    }
    switch (c.op) {
        case Op::calibrate:
            if ((setup_.identity.flags & firmware::kSelfCalibrated) != 0 && c.a != setup_.identity.calibration_id)
                return Refusal::not_calibrated;
            counts_.calibration_id = c.a;
            if (state_ == DeviceState::disabled) enter(DeviceState::calibrated);
            break;
        case Op::arm:
            if (state_ == DeviceState::calibrated) enter(DeviceState::armed);
            break;
        case Op::enable:
            if (state_ == DeviceState::armed) enter(DeviceState::enabled);  // else soft start goes on as it was
            break;
        case Op::disarm:
            if (state_ != DeviceState::calibrated) enter(DeviceState::calibrated);
            break;
        case Op::disable:
            if (state_ != DeviceState::disabled) enter(DeviceState::disabled);
            break;
        case Op::clear_fault:
            for (DeviceKey& key : keys_)
                if (!key.cause_present()) key.forget_fault();
            device_fault_ = DeviceFault::none;
            if (state_ == DeviceState::fault) enter(DeviceState::disabled);
            break;
        case Op::emergency_stop:
            fail(DeviceFault::emergency_stop);
            break;
        default:
            return start_stream(c);
    }
    return Refusal::none;
}

Refusal SimDevice::start_stream(const firmware::Command& c) {
    const unsigned samples = c.a & 0xFF, rate_kHz = c.a >> 8 & 0xFF, fields = c.b & 0xFFFF;
    if (samples != 0) {
        const unsigned rate_bit = rate_kHz == 1   ? 1u
                                  : rate_kHz == 2 ? 2u
                                  : rate_kHz == 4 ? 4u
                                  : rate_kHz == 8 ? 8u
                                                  : 0u;
        if ((setup_.identity.rates & rate_bit) == 0 || samples > setup_.identity.max_samples)
            return Refusal::bad_argument;
        if (samples > firmware::kMostFrame_ms * rate_kHz) return Refusal::bad_argument;
        if (fields == 0 || (fields & ~unsigned{setup_.identity.senses}) != 0) return Refusal::bad_argument;
        // Frames a second are 1000 rate / samples. A device of 512-byte packets runs out of packets before bytes.
        const std::size_t bytes = firmware::motion_bytes(keys_.size(), samples, fields);
        const std::size_t packets = bytes / setup_.max_packet + 1;
        if (bytes * 1000 * rate_kHz > kMostBytes_per_s * samples) return Refusal::bad_argument;
        if (packets * 1000 * rate_kHz > kMostPackets_per_s * samples) return Refusal::bad_argument;
    }
    counts_.samples = static_cast<std::uint8_t>(samples);
    counts_.rate_kHz = static_cast<std::uint8_t>(samples == 0 ? 0 : rate_kHz);
    counts_.fields = static_cast<std::uint16_t>(samples == 0 ? 0 : fields);
    waiting_.clear();
    in_trouble.forget();
    motion_.values.clear();
    sampled_ = 0;
    next_sequence_ = 0;
    return Refusal::none;
}

Refusal SimDevice::set_key_row(const firmware::KeyRow& asked) {
    if (state_ == DeviceState::fault) return Refusal::fault_active;
    if (state_ != DeviceState::disabled && state_ != DeviceState::calibrated) return Refusal::wrong_state;
    const bool all = asked.key == 0xFFFF;
    if (!all && asked.key >= rows_.size()) return Refusal::bad_argument;
    std::vector<firmware::KeyRow> rows = rows_;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if ((all || k == asked.key) && !firmware::lower_limits(rows[k], setup_.rows[k], asked))
            return Refusal::bad_argument;
    rows_ = std::move(rows);
    for (std::size_t k = 0; k < keys_.size(); ++k) keys_[k].set_limits(rows_[k]);
    return Refusal::none;
}

// What chapter 9 of USB 2.0 asks of every device; SET_ADDRESS is the USB part's own.
UsbReply SimDevice::standard_request(const UsbSetup& s) {
    const auto read = [&](const firmware::Bytes& bytes) { return read_reply(bytes, s.length); };
    const bool endpoint = has_endpoints() && (s.index == 0x81 || s.index == 0x01);
    switch (s.type << 8 | s.request) {
        case 0x8006:  // GET_DESCRIPTOR
            switch (s.value) {
                case 0x0100:
                    return read(firmware::device_descriptor());
                case 0x0200:
                    return read(firmware::configuration_descriptor(setup_.max_packet));
                case 0x0300:
                    return read({4, 3, 0x09, 0x04});
                case 0x0301:
                    return read(firmware::string_descriptor("Letoff"));
                case 0x0302:
                    return read(firmware::string_descriptor(setup_.identity.name));
                case 0x0303:
                    return read(firmware::string_descriptor(setup_.identity.serial));
                default:
                    return stalled();
            }
        case 0x8008:
            return read({configuration_});  // GET_CONFIGURATION
        case 0x810A:
            return s.index == 0 ? read({setting_}) : stalled();  // GET_INTERFACE
        case 0x8000:
        case 0x8100:
            return read({0, 0});  // GET_STATUS of device and interface
        case 0x8200:
            if (!endpoint) return stalled();
            return read({static_cast<std::uint8_t>(halted(s.index) ? 1 : 0), 0});
        case 0x0009:  // SET_CONFIGURATION
            if (s.value > 1) return stalled();
            configuration_ = static_cast<std::uint8_t>(s.value);
            setting_ = 0;
            begin_session();
            return {UsbAnswer::ack, {}};
        case 0x010B:  // SET_INTERFACE
            if (s.value > 1 || s.index != 0) return stalled();
            setting_ = static_cast<std::uint8_t>(s.value);
            begin_session();
            return {UsbAnswer::ack, {}};
        case 0x0201:  // CLEAR_FEATURE and SET_FEATURE, ENDPOINT_HALT
        case 0x0203:
            if (s.value != 0 || !endpoint) return stalled();
            halted(s.index) = s.request == 3;
            if (s.index == 0x81) {
                in_.clear();
                in_begun_ = false;
            } else {
                out_.clear();
            }
            return {UsbAnswer::ack, {}};
        default:
            return stalled();
    }
}

}  // namespace letoff::hw
