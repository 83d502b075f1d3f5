#include "storage/recording_events.h"

#include <bit>

#include "storage/check_sum.h"

namespace letoff::storage {
namespace {

void put(std::uint8_t* at, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i) & 0xFFU);
}

std::uint64_t get(const std::uint8_t* at) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= std::uint64_t{at[i]} << (8 * i);
    return value;
}

enum Field : unsigned { kTicks = 1, kTime = 2, kValue = 4, kBits = 8, kKey = 16, kMessage = 32, kAllFields = 63 };

constexpr std::size_t kMessage_bytes = 4;
constexpr unsigned kMostOfNumber = 10;

void append_number(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
    for (; value > 127; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value & 127U) | 128U);
    bytes.push_back(static_cast<std::uint8_t>(value));
}

void append_whole(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
    bytes.resize(bytes.size() + 8);
    put(bytes.data() + bytes.size() - 8, value);
}

core::MidiMessage message_at(const std::uint8_t* at) {
    return {static_cast<core::MidiKind>(at[0]), static_cast<std::uint8_t>(at[1] & 15U),
            static_cast<std::uint8_t>(at[2] & 127U), static_cast<std::uint8_t>(at[3] & 127U)};
}

/// Takes packed events out of bytes; false: no whole one is left.
class Unpacker {
  public:
    explicit Unpacker(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    bool next(core::TakeEvent& event) {
        if (rest_.size() < 2) return false;
        event.kind = static_cast<core::TakeKind>(rest_[0]);
        const unsigned fields = rest_[1];
        if ((fields & ~kAllFields) != 0) return false;
        rest_ = rest_.subspan(2);
        std::uint64_t ticks = 0, time = 0, value = 0;
        if ((fields & kTicks) != 0 && !number(ticks)) return false;
        if ((fields & kTime) != 0 && !whole(time)) return false;
        if ((fields & kValue) != 0 && !whole(value)) return false;
        if ((fields & kBits) != 0 && !number(event.bits)) return false;
        if ((fields & kKey) != 0) {
            if (rest_.empty()) return false;
            event.key = static_cast<std::int8_t>(rest_[0]);
            rest_ = rest_.subspan(1);
        }
        if ((fields & kMessage) != 0) {
            if (rest_.size() < kMessage_bytes) return false;
            event.message = message_at(rest_.data());
            rest_ = rest_.subspan(kMessage_bytes);
        }
        tick_ += ticks;
        event.tick = static_cast<std::int64_t>(tick_);
        event.time_s = std::bit_cast<double>(time);
        event.value = std::bit_cast<double>(value);
        return true;
    }

  private:
    bool number(std::uint64_t& value) {
        value = 0;
        for (unsigned i = 0; i < kMostOfNumber && i < rest_.size(); ++i) {
            value |= std::uint64_t{rest_[i] & 127U} << (7 * i);
            if (rest_[i] > 127) continue;
            rest_ = rest_.subspan(i + 1);
            return true;
        }
        return false;
    }
    bool whole(std::uint64_t& value) {
        if (rest_.size() < 8) return false;
        value = get(rest_.data());
        rest_ = rest_.subspan(8);
        return true;
    }

    std::span<const std::uint8_t> rest_;
    std::uint64_t tick_ = 0;
};

}  // namespace

std::vector<std::uint8_t> packed_take(std::span<const core::TakeEvent> events) {
    std::vector<std::uint8_t> bytes;
    std::uint64_t tick = 0;
    for (const core::TakeEvent& event : events) {
        const std::uint64_t ticks = static_cast<std::uint64_t>(event.tick) - tick;
        const auto time = std::bit_cast<std::uint64_t>(event.time_s), value = std::bit_cast<std::uint64_t>(event.value);
        const unsigned fields = (ticks != 0 ? kTicks : 0U) | (time != 0 ? kTime : 0U) | (value != 0 ? kValue : 0U) |
                                (event.bits != 0 ? kBits : 0U) | (event.key != 0 ? kKey : 0U) |
                                (event.message != core::MidiMessage() ? kMessage : 0U);
        bytes.push_back(static_cast<std::uint8_t>(event.kind));
        bytes.push_back(static_cast<std::uint8_t>(fields));
        if (ticks != 0) append_number(bytes, ticks);
        if (time != 0) append_whole(bytes, time);
        if (value != 0) append_whole(bytes, value);
        if (event.bits != 0) append_number(bytes, event.bits);
        if (event.key != 0) bytes.push_back(static_cast<std::uint8_t>(event.key));
        if ((fields & kMessage) != 0) {
            bytes.insert(bytes.end(), {static_cast<std::uint8_t>(event.message.kind), event.message.channel,
                                       event.message.data1, event.message.data2});
        }
        tick = static_cast<std::uint64_t>(event.tick);
    }
    return bytes;
}

std::vector<core::TakeEvent> packed_events(std::span<const std::uint8_t> bytes) {
    std::vector<core::TakeEvent> events;
    Unpacker unpacker(bytes);
    for (core::TakeEvent event; unpacker.next(event); event = {}) events.push_back(event);
    return events;
}

std::int64_t sum_of(std::span<const std::uint8_t> bytes) {
    CheckSum sum;
    sum.add(std::as_bytes(bytes));
    return sum.as_stored();
}

std::vector<std::uint8_t> take_bytes(std::span<const core::TakeEvent> events) {
    std::vector<std::uint8_t> bytes(events.size() * kTakeEvent_bytes);
    std::uint8_t* at = bytes.data();
    for (const core::TakeEvent& event : events) {
        put(at, static_cast<std::uint64_t>(event.tick));
        put(at + 8, std::bit_cast<std::uint64_t>(event.time_s));
        put(at + 16, std::bit_cast<std::uint64_t>(event.value));
        put(at + 24, event.bits);
        at[32] = static_cast<std::uint8_t>(event.kind);
        at[33] = static_cast<std::uint8_t>(event.key);
        at[34] = static_cast<std::uint8_t>(event.message.kind);
        at[35] = event.message.channel;
        at[36] = event.message.data1;
        at[37] = event.message.data2;
        at += kTakeEvent_bytes;
    }
    return bytes;
}

std::vector<core::TakeEvent> take_events(std::span<const std::uint8_t> bytes) {
    std::vector<core::TakeEvent> events(bytes.size() / kTakeEvent_bytes);
    const std::uint8_t* at = bytes.data();
    for (core::TakeEvent& event : events) {
        event.tick = static_cast<std::int64_t>(get(at));
        event.time_s = std::bit_cast<double>(get(at + 8));
        event.value = std::bit_cast<double>(get(at + 16));
        event.bits = get(at + 24);
        event.kind = static_cast<core::TakeKind>(at[32]);
        event.key = static_cast<std::int8_t>(at[33]);
        event.message = message_at(at + 34);
        at += kTakeEvent_bytes;
    }
    return events;
}

}  // namespace letoff::storage
