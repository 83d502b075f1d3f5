// Any bytes as the events of a recording, as a keyboard's map and as MIDI 2.0 packets: no crash, what is accepted comes
// back the same, and what a map makes of messages is messages.
#include <cmath>
#include <string_view>

#include "core/midi/clock_follower.h"
#include "core/midi/input_fit.h"
#include "core/midi/stream_decoder.h"
#include "core/midi/ump.h"
#include "storage/input_map_store.h"
#include "storage/recording_events.h"
#include "tests/fuzz/require.h"

using namespace letoff;

namespace {

bool is_whole(const core::MidiMessage& message) {
    return message.channel < core::kMidiChannels && message.data1 < 128 && message.data2 < 128 &&
           (message.kind != core::MidiKind::note_on || message.data2 > 0);
}

void check_events(std::span<const std::uint8_t> bytes) {
    const auto events = storage::take_events(bytes);
    require(events.size() == bytes.size() / storage::kTakeEvent_bytes);
    const auto back = storage::take_bytes(events);
    require(storage::take_bytes(storage::take_events(back)) == back);
}

void check_packed(std::span<const std::uint8_t> bytes) {
    const auto events = storage::packed_events(bytes);
    require(events.size() <= bytes.size() / 2);
    const auto back = storage::packed_take(events);
    require(storage::packed_take(storage::packed_events(back)) == back);
}

void check_packets(std::span<const std::uint8_t> bytes) {
    core::UmpDecoder decoder;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        std::uint32_t word = 0;
        for (std::size_t b = 0; b < 4; ++b) word = word << 8 | bytes[i + b];
        for (const core::MidiMessage& message : decoder.push(word)) require(is_whole(message));
    }
}

void check_map(const core::InputMap& map, std::span<const std::uint8_t> bytes) {
    core::InputMapper mapper(map);
    core::MidiStreamDecoder decoder(16);
    core::InputFit fit;
    core::ClockFollower clock;
    core::MidiMessage message;
    std::int64_t time_ns = 0;
    // Each is fitted several times, so that few bytes are the many notes that a fit needs.
    constexpr int kTimes = 16;
    for (const std::uint8_t byte : bytes) {
        time_ns += byte * 100'000;
        if (!decoder.push(byte, message)) continue;
        for (int i = 0; i < kTimes; ++i) fit.see(message);
        clock.see(message, time_ns);
        if (const auto bpm = clock.tempo_bpm()) require(std::isfinite(*bpm) && *bpm > 0);
        for (const core::MidiMessage& meant : mapper.map(message)) require(is_whole(meant));
    }
    if (const auto learnt = fit.map(map)) require(std::string_view(core::problem_of(learnt.value())).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(data, size);
    if (size == 0) return 0;
    // One reader a run, chosen by the first byte: ten million runs are then a matter of minutes.
    if (data[0] != '{') {
        switch (data[0] % 4) {
            case 0:
                check_events(bytes.subspan(1));
                break;
            case 1:
                check_packets(bytes.subspan(1));
                break;
            case 3:
                check_packed(bytes.subspan(1));
                break;
            default:
                check_map({}, bytes.subspan(1));
        }
        return 0;
    }
    // A map in front, what it is applied to behind the first byte 0.
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\0');
    const auto map = storage::parse_input_map(text.substr(0, end), "fuzz");
    if (!map) {
        require(!map.error().empty());
        return 0;
    }
    const auto again = storage::parse_input_map(storage::input_map_json(map.value()), "again");
    require(again.ok() && again.value() == map.value());
    if (end != std::string_view::npos) check_map(map.value(), bytes.subspan(end + 1));
    return 0;
}
