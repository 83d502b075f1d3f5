// More notes than a pianist has: 12,000 in a minute, forearms, trills, through a JACK server into `letoff play` and out
// again. What the mechanics allows is known here: a key that has been up for a quarter of a second is at rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "core/unit/keys.h"
#include "tests/system/jack_stage.h"

namespace letoff::test {
namespace {

struct PlayServerStorm : JackStage {
    /// Plays a piece, waits for all that it should make the hammers do.
    void play(const std::vector<MidiEvent>& piece) {
        const double seconds = static_cast<double>(piece.back().frame - keys->frame()) / kJackRate_hz;
        ASSERT_TRUE(keys->play(piece, seconds + kSoon_s));
        wanted = listen_to(piece).on;
        EXPECT_TRUE(hears_strikes(wanted)) << heard().on << " of " << wanted;
        EXPECT_TRUE(hears_all_end()) << "a note hangs";
    }
    /// From the cycle that handed a note-on over to the one that brought its strike back, note by note as they were
    /// played; -1: no strike before the key's next note. Counts the strikes that are nobody's.
    std::vector<std::int64_t> strike_latencies(const std::vector<MidiEvent>& piece) {
        std::map<int, std::vector<std::int64_t>> strikes;
        for (const MidiEvent& strike : heard().strikes) strikes[strike.bytes[1]].push_back(strike.frame);
        std::map<int, std::vector<std::size_t>> notes;  // indices in the piece
        for (std::size_t i = 0; i < piece.size(); ++i) {
            if (piece[i].bytes[0] == 0x90) notes[piece[i].bytes[1]].push_back(i);
        }
        std::vector<std::int64_t> by_event(piece.size(), -1), all;
        for (const auto& [note, indices] : notes) {
            const auto& of_key = strikes[note];
            auto strike = of_key.begin();
            for (std::size_t n = 0; n < indices.size(); ++n) {
                const std::int64_t sent = keys->sent_cycles()[indices[n]];
                const std::int64_t next = n + 1 < indices.size() ? keys->sent_cycles()[indices[n + 1]] : INT64_MAX;
                for (bool first = true; strike != of_key.end() && *strike <= next; ++strike, first = false) {
                    if (first) {
                        by_event[indices[n]] = *strike - sent;
                    } else if (piece[indices[n]].bytes[2] >= kCaught) {
                        ++uncaught;
                    }
                }
            }
        }
        for (std::size_t i = 0; i < piece.size(); ++i) {
            if (piece[i].bytes[0] == 0x90) all.push_back(by_event[i]);
        }
        return all;
    }
    /// Every note that was played struck and ended, on the wire and by the program's own count.
    void expect_all_struck() {
        const HeardNotes notes = heard();
        const auto report = stop_and_report(*letoff);
        const int extra = report["extra_strikes"].get<int>();
        EXPECT_EQ(report["notes"], wanted);
        EXPECT_EQ(report["strikes"], wanted);
        EXPECT_EQ(notes.on, wanted + extra);
        EXPECT_EQ(notes.off, wanted + extra);
        EXPECT_EQ(notes.unmatched_off, 0);
        EXPECT_EQ(notes.on_while_sounding, 0);
        EXPECT_EQ(uncaught, 0) << "hammers of blows that are loud enough for their checks struck twice";
        for (const char* none : {"silent", "superseded", "messages_dropped", "keybed_faults"})
            EXPECT_EQ(report[none], 0) << none;
        for (const char* none : {"midi_input_overflow", "midi_output_overflow", "midi_malformed", "midi_port_lost"})
            EXPECT_FALSE(report["faults"].contains(none)) << report["faults"].dump();
        EXPECT_EQ(keys->missed_frames(), 0) << "the server did not wait for the keyboard";
        EXPECT_EQ(tape->missed_frames(), 0) << "the server did not wait for the tape";
        fmt::print(
            "{} notes; second strikes of soft blows: {}; not caught up: {}\nlate ticks {}, a tick's work {}, xruns "
            "{}\n",
            wanted, extra, report["not_caught_up"].dump(), report["late_ticks"].dump(), report["tick_cpu_us"].dump(),
            report["audio"]["xruns"].dump());
    }

    // A softer blow's hammer does not reach its check; in the top two octaves it may bounce off its lever to the
    // strings once more, off line too: the action's own doing.
    static constexpr int kCaught = 60;
    int uncaught = 0;
    int wanted = 0;
};

std::int64_t median(std::vector<std::int64_t> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

// Each key every 0.44 s, held for 80 ms: in between it comes to rest, so each of the 12,000 can strike, and does.
TEST_F(PlayServerStorm, TwoHundredNotesASecondForAMinuteStrikeEachAndTheLastAsSoonAsTheFirst) {
    ASSERT_TRUE(begin());
    constexpr int kNotes = 12000, kPerSecond = 200;
    constexpr int kStride = 37;  // without a common factor with 88: neighbours in time are far apart on the keys
    std::vector<MidiEvent> piece;
    const std::int64_t start = soon();
    for (int i = 0; i < kNotes; ++i) {
        const std::int64_t on = start + std::int64_t{i} * kJackRate_hz / kPerSecond;
        const int note = core::kFirstMidiNote + i * kStride % core::kKeyCount;
        piece.push_back(key_down(on, note, 30 + i * 7 % 80));
        piece.push_back(key_up(on + frames_of(0.08), note));
    }
    piece = in_order(piece);
    play(piece);
    const auto latency = strike_latencies(piece);
    ASSERT_EQ(latency.size(), static_cast<std::size_t>(kNotes));
    EXPECT_GE(*std::min_element(latency.begin(), latency.end()), 0) << "a note without a strike";
    constexpr std::ptrdiff_t kSome = 1000;
    const std::int64_t first = median({latency.begin(), latency.begin() + kSome});
    const std::int64_t last = median({latency.end() - kSome, latency.end()});
    fmt::print("note-on to strike, cycle to cycle: median of the first thousand {} frames, of the last {}, worst {}\n",
               first, last, *std::max_element(latency.begin(), latency.end()));
    // A drift of 50 ppm would be 144 frames after a minute; MIDI comes and goes by cycles of 128.
    EXPECT_LE(std::abs(last - first), kJackFrames);
    expect_all_struck();
}

TEST_F(PlayServerStorm, ForearmsStrikeEveryKeyUnderThem) {
    ASSERT_TRUE(begin());
    struct Forearm {
        int lowest, keys, velocity;
    };
    std::vector<MidiEvent> piece;
    std::int64_t at = soon();
    for (const Forearm arm : {Forearm{21, 24, 100}, Forearm{45, 30, 64}, Forearm{80, 29, 110}, Forearm{40, 25, 30},
                              Forearm{21, 88, 90}, Forearm{21, 88, 50}}) {
        for (int note = arm.lowest; note < arm.lowest + arm.keys; ++note)
            piece.push_back(key_down(at, note, arm.velocity));
        for (int note = arm.lowest; note < arm.lowest + arm.keys; ++note)
            piece.push_back(key_up(at + frames_of(0.3), note));
        at += frames_of(0.8);
    }
    play(piece);
    const auto latency = strike_latencies(piece);
    fmt::print("forearms: note-on to strike {} to {} frames\n", *std::min_element(latency.begin(), latency.end()),
               *std::max_element(latency.begin(), latency.end()));
    expect_all_struck();
}

// Four trills at once, from the lowest keys to the highest, fourteen notes a second each: seven a key, what a key that
// leaves its check in time can do.
TEST_F(PlayServerStorm, TrillsOfTwentyNotesLoseNone) {
    ASSERT_TRUE(begin());
    std::vector<MidiEvent> piece;
    const std::int64_t start = soon();
    for (const int velocity : {40, 64, 90, 115}) {
        const std::int64_t round = start + frames_of(2.5) * (velocity / 25 - 1);
        for (const int lower : {21, 45, 69, 106}) {
            for (int i = 0; i < 20; ++i) {
                const std::int64_t on = round + i * kJackRate_hz / 14;
                piece.push_back(key_down(on, lower + 2 * (i % 2), velocity));
                piece.push_back(key_up(on + kJackRate_hz / 14, lower + 2 * (i % 2)));
            }
        }
    }
    piece = in_order(piece);
    play(piece);
    strike_latencies(piece);
    expect_all_struck();
}

}  // namespace
}  // namespace letoff::test
