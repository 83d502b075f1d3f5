#include "ui/app/bench/note_latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "core/midi/message.h"
#include "core/midi/stream_decoder.h"
#include "core/rt/snapshot.h"
#include "keyboard/gesture/live_player.h"
#include "ui/app/live/live_sound_out.h"
#include "ui/app/live/live_touch.h"

namespace letoff::ui {
namespace {

constexpr std::int64_t kZero_ns = 1'000'000'000;  // keybed time zero; any other would do
constexpr double kNs = 1e9;
constexpr std::int64_t kNoteFrom_ns = 50'000'000, kNoteWithin_ns = 20'000'000;  // the sound runs; several blocks
constexpr std::int64_t kLongest_ns = 500'000'000;  // the softest real travel takes half of it
constexpr int kLowestNote = 21;                    // A0
constexpr int kSoftest = 20, kLoudest = 120;       // MIDI velocities that every key strikes with
// One block of actions, whose lanes cost the same however many are used; from A0 to C8.
constexpr std::array<int, core::kLanes> kKeys{0, 12, 24, 37, 49, 62, 74, 87};

struct Note {
    int key_index = 0, velocity = 0;
    std::int64_t time_ns = 0;           // after keybed time zero
    std::int64_t first_request_ns = 0;  // the device's
};

/// The instrument as it plays live, its clocks turned by hand.
class VirtualLive {
  public:
    VirtualLive(Instrument& instrument, const keyboard::LiveTables& tables, std::int64_t first_request_ns)
        : rate_hz_(instrument.setting().sample_rate_hz),
          tick_hz_(instrument.setting().tick_hz),
          first_request_ns_(first_request_ns),
          keybed_(instrument.keybed()),
          zero_tick_(keybed_.now_ticks()),
          tables_(std::make_unique<keyboard::LiveTables>(tables)),
          player_(tables_, keybed_.keys(), tick_hz_, nullptr),
          sound_(instrument.strings(), instrument.setting().strings, instrument.setting().sound, tick_hz_, faults_),
          source_(sound_.stream_opening(rate_hz_, kLatencyFrames)) {
        // Time zero of the keybed's count; its ticks before now are the past.
        sound_.set_time_zero_ns(kZero_ns - tick_end_ns(zero_tick_));
    }
    bool opened() const { return source_ != nullptr; }

    void bytes(std::int64_t time_ns, std::span<const std::uint8_t> bytes) {
        core::MidiMessage message;
        for (const std::uint8_t byte : bytes) {
            if (!decoder_.push(byte, message)) continue;
            const double start_s = static_cast<double>(zero_tick_) / tick_hz_;
            player_.message(start_s + static_cast<double>(time_ns) / kNs - sound_.margin_s(), message);
        }
    }
    std::int64_t request_ns() const {
        return first_request_ns_ + std::llround(kNs * static_cast<double>(blocks_) * kLatencyFrames / rate_hz_);
    }
    /// What is past at the device's next request is ticked, then its block is rendered.
    void next_block() {
        const std::int64_t now_ns = request_ns();
        while (tick_end_ns(keybed_.now_ticks() - zero_tick_ + 1) <= now_ns) {
            player_.before_tick(keybed_);
            keybed_.tick(&sound_, &player_);
        }
        source_->render(left.data(), right.data(), kLatencyFrames, kZero_ns + now_ns);
        ++blocks_;
    }
    double delay_s() {
        audio::LiveSoundStatus status;
        return sound_.take_status(status) ? status.delay_s : 0;
    }

    std::array<float, kLatencyFrames> left{}, right{};

  private:
    std::int64_t tick_end_ns(std::int64_t tick) const {
        return std::llround(kNs * static_cast<double>(tick) / tick_hz_);
    }

    int rate_hz_, tick_hz_;
    std::int64_t first_request_ns_, blocks_ = 0;
    keyboard::Keybed keybed_;
    std::int64_t zero_tick_;
    core::FaultCounters faults_;
    core::SnapshotSwap<keyboard::LiveTables> tables_;
    keyboard::LivePlayer player_;
    LiveSoundOut sound_;
    audio::BlockSource* source_;
    core::MidiStreamDecoder decoder_{64};  // bytes of System Exclusive, of which there is none
};

keyboard::LiveTables tables_of(Instrument& instrument) {
    std::vector<keyboard::KeyBuild> builds;
    std::vector<keyboard::StrokeTable> strokes;
    for (const int key : kKeys) {
        builds.push_back(instrument.keys()[static_cast<std::size_t>(key)]);
        strokes.push_back(instrument.stroke_tables()[static_cast<std::size_t>(key)]);
    }
    std::vector<keyboard::CatchUpTable> recorded =
        keyboard::record_catch_up(builds, strokes, instrument.setting().tick_hz, instrument.executor());
    keyboard::LiveTables tables = std::move(*first_tables(instrument));
    tables.catch_up.resize(instrument.keys().size());  // the others hold no stroke and are not played
    for (std::size_t i = 0; i < kKeys.size(); ++i)
        tables.catch_up[static_cast<std::size_t>(kKeys[i])] = std::move(recorded[i]);
    return tables;
}

struct Heard {
    std::optional<double> latency_s;
    double delay_s = 0;  // that the sound says it has
};

core::Result<Heard> play(Instrument& instrument, const keyboard::LiveTables& tables, const Note& note) {
    VirtualLive with(instrument, tables, note.first_request_ns), without(instrument, tables, note.first_request_ns);
    if (!with.opened() || !without.opened())
        return core::Error{fmt::format("live sound cannot be made at {} Hz", instrument.setting().sample_rate_hz)};
    const core::MidiBytes on = core::encode(core::note_on(0, kLowestNote + note.key_index, note.velocity));
    bool sent = false;
    Heard heard;
    while (with.request_ns() < note.time_ns + kLongest_ns) {
        const std::int64_t request_ns = with.request_ns();
        if (!sent && note.time_ns <= request_ns) {
            with.bytes(note.time_ns, on.span());
            sent = true;
        }
        with.next_block();
        without.next_block();
        for (std::size_t n = 0; n < with.left.size(); ++n) {
            if (with.left[n] == without.left[n] && with.right[n] == without.right[n]) continue;
            const double out_ns =
                static_cast<double>(request_ns) + kNs * static_cast<double>(n) / instrument.setting().sample_rate_hz;
            heard.latency_s = (out_ns - static_cast<double>(note.time_ns)) / kNs;
            heard.delay_s = with.delay_s();
            return heard;
        }
    }
    return heard;
}

}  // namespace

core::Result<NoteLatency> measure_note_latency(Instrument& instrument, int notes,
                                               const std::function<void(int)>& show) {
    const keyboard::LiveTables tables = tables_of(instrument);
    NoteLatency result;
    result.tick_s = 1.0 / instrument.setting().tick_hz;
    result.block_s = static_cast<double>(kLatencyFrames) / instrument.setting().sample_rate_hz;
    result.keys = std::min(notes, static_cast<int>(kKeys.size()));
    std::mt19937 random(128);
    const auto below = [&](std::int64_t count) { return static_cast<std::int64_t>(random()) % count; };
    for (int i = 0; i < notes; ++i) {
        show(i);
        Note note;
        note.key_index = kKeys[static_cast<std::size_t>(i) % kKeys.size()];
        note.velocity = kSoftest + static_cast<int>(below(kLoudest - kSoftest + 1));
        note.time_ns = kNoteFrom_ns + below(kNoteWithin_ns);
        note.first_request_ns = below(std::llround(kNs * result.block_s));
        const auto heard = play(instrument, tables, note);
        if (!heard) return core::Error{heard.error()};
        if (!heard.value().latency_s)
            return core::Error{fmt::format("note {} at velocity {} changed no sample within {} ms",
                                           kLowestNote + note.key_index, note.velocity, kLongest_ns / 1'000'000)};
        result.latency_s.push_back(*heard.value().latency_s);
        result.margin_s = heard.value().delay_s - result.block_s - result.tick_s;
    }
    return result;
}

}  // namespace letoff::ui
