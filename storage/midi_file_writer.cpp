#include <algorithm>
#include <cmath>
#include <string_view>

#include "storage/midi_file.h"
#include "storage/midi_track.h"

namespace letoff::storage {

namespace {

// 5000 ticks a quarter at 120 quarters a minute: a tick of 0.1 ms, well below what a strike is held to (0.25 ms).
constexpr int kTicksPerQuarter = 5000;
constexpr int kTicksPerSecond = 10000;
constexpr std::uint32_t kLargestDelta = (1U << 28) - 1;

void append(std::vector<std::uint8_t>& bytes, std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
}

void append_big_endian(std::vector<std::uint8_t>& bytes, std::size_t value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::uint8_t>(value >> shift & 0xFF));
}

void append_track(std::vector<std::uint8_t>& bytes, const std::vector<std::uint8_t>& events) {
    constexpr std::string_view kEndOfTrack("\x00\xFF\x2F\x00", 4);
    append(bytes, "MTrk");
    append_big_endian(bytes, events.size() + kEndOfTrack.size(), 4);
    bytes.insert(bytes.end(), events.begin(), events.end());
    append(bytes, kEndOfTrack);
}

std::vector<std::uint8_t> tempo_track() {
    std::vector<std::uint8_t> events;
    append(events, std::string_view("\x00\xFF\x51\x03\x07\xA1\x20", 7));      // 500000 us a quarter
    append(events, std::string_view("\x00\xFF\x58\x04\x04\x02\x18\x08", 8));  // 4/4
    return events;
}

std::vector<std::uint8_t> message_track(std::span<const core::TimedMidiMessage> messages) {
    std::vector<std::uint8_t> events;
    std::int64_t last_tick = 0;
    std::uint8_t running_status = 0;
    for (const core::TimedMidiMessage& timed : messages) {
        if (!core::is_channel_message(timed.message.kind)) continue;
        const auto tick = std::max<std::int64_t>(std::llround(timed.time_s * kTicksPerSecond), last_tick);
        std::int64_t delta = tick - last_tick;
        last_tick = tick;
        // A pause of more than seven hours: an empty text bridges it.
        for (; delta > kLargestDelta; delta -= kLargestDelta) {
            append_variable_length(events, kLargestDelta);
            append(events, std::string_view("\xFF\x01\x00", 3));
            running_status = 0;
        }
        append_variable_length(events, static_cast<std::uint32_t>(delta));
        const core::MidiBytes encoded = core::encode(timed.message);
        const bool repeated = encoded.bytes[0] == running_status;
        running_status = encoded.bytes[0];
        const auto span = encoded.span().subspan(repeated ? 1 : 0);
        events.insert(events.end(), span.begin(), span.end());
    }
    return events;
}

}  // namespace

std::vector<std::uint8_t> midi_file_bytes(std::span<const core::TimedMidiMessage> messages) {
    std::vector<std::uint8_t> bytes;
    append(bytes, "MThd");
    append_big_endian(bytes, 6, 4);
    append_big_endian(bytes, 1, 2);  // format
    append_big_endian(bytes, 2, 2);  // tracks
    append_big_endian(bytes, kTicksPerQuarter, 2);
    append_track(bytes, tempo_track());
    append_track(bytes, message_track(messages));
    return bytes;
}

Done write_midi_file(const std::filesystem::path& path, std::span<const core::TimedMidiMessage> messages) {
    return write_file(path, midi_file_bytes(messages));
}

}  // namespace letoff::storage
