#include <algorithm>

#include "tests/hw/usb/fake_keybed.h"

namespace letoff::test {

using namespace hw;

namespace {

template <std::size_t N>
void set(std::array<char, N>& text, const std::string& value) {
    std::copy_n(value.begin(), std::min(value.size(), N - 1), text.begin());
}

template <typename Array>
UsbDeviceModel::Bytes bytes_of(const Array& array) {
    return {array.begin(), array.end()};
}

}  // namespace

std::optional<UsbDeviceModel::Bytes> FakeKeybed::read(const SetupPacket& setup, std::int64_t now_us) {
    Bytes reply;
    switch (static_cast<Request>(setup.request)) {
        case Request::kIdentity: {
            Identity i;
            set(i.serial, setup_.serial);
            set(i.name, "Fake keybed");
            i.first_key = static_cast<std::int16_t>(setup_.first_key);
            i.keys = static_cast<std::uint8_t>(setup_.keys);
            i.front_rail = i.back_rail = setup_.rails;
            i.rates = 0xF;
            i.max_samples = kMostSamples;
            i.self_calibrated = true;
            i.senses = setup_.senses;
            i.calibration_id = 7;
            reply = bytes_of(encode(i));
            break;
        }
        case Request::kKeyRows: {
            std::vector<KeyRow> rows;
            for (int key = 0; key < setup_.keys; ++key) {
                rows.push_back(
                    {static_cast<std::uint16_t>(key), 20000, 5000, 50, 30000, 20, 7500, 2500, 2500, 3000, 900, 2000});
            }
            reply.resize(key_rows_bytes(rows.size()));
            encode_key_rows(rows, reply);
            break;
        }
        case Request::kStatus:
            reply = bytes_of(encode(status_locked(now_us)));
            break;
        default:
            return std::nullopt;
    }
    reply.resize(std::min<std::size_t>(reply.size(), setup.length));
    return reply;
}

std::optional<UsbDeviceModel::Bytes> FakeKeybed::on_control(const SetupPacket& setup,
                                                            std::span<const std::uint8_t> data, std::int64_t now_us) {
    const std::lock_guard lock(mutex_);
    tick(now_us);
    if (setup.is(0x01, 11) || setup.is(0x00, 9)) {
        begin_session(now_us);
        return Bytes{};
    }
    if (setup.is(0x02, 1)) {
        halted_ = 0;
        ++cleared_;
        return Bytes{};
    }
    if (setup.request_type == kRequestTypeIn) return read(setup, now_us);
    if (setup.request_type != kRequestTypeOut) return std::nullopt;
    WriteRefusal refusal = WriteRefusal::kNone;
    std::uint8_t op = 0xFF;
    if (setup.request == static_cast<std::uint8_t>(Request::kSetKeyRow)) {
        KeyRow row;
        if (decode_set_key_row(data, row) != Refused::kNo) refusal = WriteRefusal::kBadCrc;
    } else {
        Command c;
        if (decode(data, c) != Refused::kNo) {
            refusal = WriteRefusal::kBadCrc;
        } else {
            op = static_cast<std::uint8_t>(c.op);
            refusal = command(c, now_us);
        }
    }
    if (refusal == WriteRefusal::kNone) return Bytes{};
    status_.last_op = op;
    status_.last_refusal = refusal;
    return std::nullopt;
}

WriteRefusal FakeKeybed::command(const Command& c, std::int64_t now_us) {
    const bool fault = state_ == DeviceState::kFault;
    if (fault && c.op != Op::kClearFault && c.op != Op::kEmergencyStop) return WriteRefusal::kFaultActive;
    switch (c.op) {
        case Op::kCalibrate:
            if (state_ > DeviceState::kCalibrated) return WriteRefusal::kWrongState;
            if (c.a != 7) return WriteRefusal::kNotCalibrated;
            state_ = DeviceState::kCalibrated;
            status_.calibration_id = c.a;
            return WriteRefusal::kNone;
        case Op::kArm:
            if (state_ != DeviceState::kCalibrated && state_ != DeviceState::kArmed) return WriteRefusal::kWrongState;
            if (c.token != token_) return WriteRefusal::kStaleToken;
            if (!frame_is_recent(now_us)) return WriteRefusal::kNoFrames;
            state_ = DeviceState::kArmed;
            return WriteRefusal::kNone;
        case Op::kEnable:
            if (state_ != DeviceState::kArmed && state_ != DeviceState::kEnabled) return WriteRefusal::kWrongState;
            if (c.token != token_) return WriteRefusal::kStaleToken;
            if (!frame_is_recent(now_us)) return WriteRefusal::kNoFrames;
            if (state_ == DeviceState::kArmed) enabled_at_us_ = static_cast<std::int64_t>(device_us(now_us));
            state_ = DeviceState::kEnabled;
            return WriteRefusal::kNone;
        case Op::kDisarm:
            if (state_ == DeviceState::kDisabled) return WriteRefusal::kWrongState;
            leave_to(DeviceState::kCalibrated);
            return WriteRefusal::kNone;
        case Op::kDisable:
            leave_to(DeviceState::kDisabled);
            return WriteRefusal::kNone;
        case Op::kClearFault:
            if (stop_pressed_) return WriteRefusal::kFaultActive;
            if (!fault && state_ != DeviceState::kDisabled) return WriteRefusal::kWrongState;
            leave_to(DeviceState::kDisabled);
            status_.device_fault = 0;
            return WriteRefusal::kNone;
        case Op::kEmergencyStop:
            leave_to(DeviceState::kFault);
            status_.device_fault = 1;
            return WriteRefusal::kNone;
        case Op::kStream: {
            if (state_ > DeviceState::kCalibrated) return WriteRefusal::kWrongState;
            const Stream stream{static_cast<std::uint8_t>(c.a >> 8 & 0xFF), static_cast<std::uint8_t>(c.a & 0xFF),
                                static_cast<std::uint16_t>(c.b)};
            if (stream.samples != 0 && !stream_fits(static_cast<std::size_t>(setup_.keys), stream)) {
                return WriteRefusal::kBadArgument;
            }
            status_.stream = stream;
            motion_sequence_ = 0;
            next_sample_us_ = device_us(now_us);
            ready_.clear();
            return WriteRefusal::kNone;
        }
    }
    return WriteRefusal::kUnknownOp;
}

}  // namespace letoff::test
