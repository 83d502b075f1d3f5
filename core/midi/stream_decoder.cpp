#include "core/midi/stream_decoder.h"

namespace letoff::core {

namespace {

constexpr std::uint8_t kSysExStart = 0xF0;
constexpr std::uint8_t kSysExEnd = 0xF7;
constexpr std::uint8_t kFirstRealTime = 0xF8;

}  // namespace

MidiStreamDecoder::MidiStreamDecoder(std::size_t sysex_capacity_bytes) : sysex_(sysex_capacity_bytes) {}

void MidiStreamDecoder::reset() {
    sysex_size_ = 0;
    in_sysex_ = false;
    sysex_overflow_ = false;
    status_ = 0;
    data_seen_ = 0;
}

bool MidiStreamDecoder::push(std::uint8_t byte, MidiMessage& message) {
    if (byte >= kFirstRealTime) {  // leaves running status, half a message and a System Exclusive alone
        if (data_bytes_after(byte) != 0) {
            ++counts_.undefined_statuses;
            return false;
        }
        message = message_of(byte, 0, 0);
        return true;
    }
    return byte >= 0x80 ? push_status(byte, message) : push_data(byte, message);
}

bool MidiStreamDecoder::push_status(std::uint8_t status, MidiMessage& message) {
    if (status == kSysExEnd && in_sysex_) {
        in_sysex_ = false;
        if (sysex_overflow_) {
            ++counts_.oversized_sysex;
            sysex_size_ = 0;
            return false;
        }
        message = {MidiKind::system_exclusive, 0, 0, 0};
        return true;
    }
    if (in_sysex_) ++counts_.broken_sysex;
    if (data_seen_ != 0) ++counts_.broken_messages;
    reset();  // every system common status also ends running status
    if (status == kSysExStart) {
        in_sysex_ = true;
        return false;
    }
    const int data = data_bytes_after(status);
    if (data < 0) {
        ++counts_.undefined_statuses;
        return false;
    }
    if (data == 0) {
        message = message_of(status, 0, 0);
        return true;
    }
    status_ = status;
    return false;
}

bool MidiStreamDecoder::push_data(std::uint8_t data, MidiMessage& message) {
    if (in_sysex_) {
        if (sysex_size_ < sysex_.size()) {
            sysex_[sysex_size_++] = data;
        } else {
            sysex_overflow_ = true;
        }
        return false;
    }
    if (status_ == 0) {
        ++counts_.stray_data_bytes;
        return false;
    }
    if (data_seen_ == 0 && data_bytes_after(status_) == 2) {
        first_data_ = data;
        data_seen_ = 1;
        return false;
    }
    message = data_seen_ == 0 ? message_of(status_, data, 0) : message_of(status_, first_data_, data);
    data_seen_ = 0;
    if (status_ >= 0xF0) status_ = 0;
    return true;
}

}  // namespace letoff::core
