#include "storage/recording_events.h"

#include <bit>

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

}  // namespace

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
        event.message = {static_cast<core::MidiKind>(at[34]), static_cast<std::uint8_t>(at[35] & 15U),
                         static_cast<std::uint8_t>(at[36] & 127U), static_cast<std::uint8_t>(at[37] & 127U)};
        at += kTakeEvent_bytes;
    }
    return events;
}

}  // namespace letoff::storage
