// `letoff play` at a JACK server, between a keyboard and a tape that are clients of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "tests/support/spectrum.h"
#include "tests/system/jack_stage.h"

namespace letoff::test {
namespace {

constexpr double kTick_s = 1.0 / 4000;

struct PlayServerJack : JackStage {
    /// The first frame from `begin` on that is not silence; -1: none.
    std::int64_t first_sample(std::int64_t begin, std::int64_t end) const {
        const auto sound = tape->sound(begin, end);
        const auto found = std::find_if(sound.begin(), sound.end(), [](float sample) { return sample != 0; });
        return found == sound.end() ? -1 : begin + (found - sound.begin());
    }
    /// From the cycle that handed a note-on over to the first sample that it changed, in frames; one note at a time,
    /// out of silence.
    std::vector<std::int64_t> latencies(const std::vector<int>& notes) {
        std::vector<std::int64_t> all;
        for (const int note : notes) {
            if (!wait_for_silence()) {
                ADD_FAILURE() << "no silence before note " << note;
                return all;
            }
            const std::int64_t on = soon();
            EXPECT_TRUE(keys->play({key_down(on, note, 70), key_up(on + frames_of(0.2), note)}, kSoon_s));
            EXPECT_TRUE(tape->wait_until(on + frames_of(0.2)));
            const std::int64_t sent = keys->sent_cycles()[0];
            const std::int64_t first = first_sample(sent, on + frames_of(0.2));
            EXPECT_GE(first, 0) << "note " << note << " was not heard";
            all.push_back(first - sent);
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

// C8 is the highest; below A1 the first partial is too weak to be told.
TEST_F(PlayServerJack, EveryNoteSoundsAtItsPitch) {
    ASSERT_TRUE(begin());
    constexpr int kLowest = 33, kHighest = 108, kStep = 5;
    std::vector<MidiEvent> piece;
    std::int64_t at = soon();
    for (int note = kLowest; note <= kHighest; note += kStep, at += frames_of(0.8)) {
        piece.push_back(key_down(at, note, 70));
        piece.push_back(key_up(at + frames_of(0.6), note));
    }
    ASSERT_TRUE(keys->play(piece, 60));
    ASSERT_TRUE(tape->wait_until(at));
    double worst_cents = 0;
    for (const MidiEvent& event : piece) {
        if (event.bytes[0] != 0x90) continue;
        const int key = core::key_of_midi_note(event.bytes[1]);
        const auto sound = tape->sound(event.frame + frames_of(0.05), event.frame + frames_of(0.55));
        const double cents = cents_off(sound, kJackRate_hz, core::tuned_hz({}, key));
        worst_cents = std::max(worst_cents, std::abs(cents));
        // A semitone is a hundred. The sets of a note's strings lie half a cent apart and beat.
        EXPECT_LT(std::abs(cents), 3) << core::key_name(key);
    }
    fmt::print("worst pitch: {:.2f} cents\n", worst_cents);
    const HeardNotes notes = heard();
    EXPECT_EQ(notes.on, static_cast<int>(piece.size() / 2));
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["caught_up"], piece.size() / 2);
    EXPECT_EQ(report["strikes"], piece.size() / 2);
}

// Design, section 7: at most one tick and one block from the byte to its first changed sample, beyond the device's own
// buffer. Counted in the server's frames: from the first frame of the cycle in which the server hands the message over
// (the program cannot know it earlier) to the frame at which the server gets the first sample that is not silence (what
// follows is the device's buffer). Into the block's length goes that a block is asked for at its beginning and holds
// what happened in the block before.
//   tick: 12 frames; block: 128; margin that live sound keeps against a keybed that needs part of its tick: 6.
// On top comes what the machine needs from the start of a cycle until it lets the program's MIDI thread run: of the
// machine, not ours; the median may have a millisecond of it.
TEST_F(PlayServerJack, ANoteIsHeardATickAndABlockAfterItsMessage) {
    ASSERT_TRUE(begin());
    std::vector<int> notes;
    for (int i = 0; i < 20; ++i) notes.push_back(36 + 7 * i % 48);  // keys with dampers: silence comes soon
    const auto frames = latencies(notes);
    ASSERT_EQ(frames.size(), notes.size());
    const auto ms = [&](std::size_t i) { return 1e3 * static_cast<double>(frames[i]) / kJackRate_hz; };
    fmt::print("note-on to first sample at {} frames: least {:.2f} ms ({} frames), median {:.2f} ms, most {:.2f} ms\n",
               kJackFrames, ms(0), frames[0], ms(10), ms(19));
    const double bound_frames = kJackFrames + 1.5 * kTick_s * kJackRate_hz;
    // A filtered clock may foretell a request some frames early; much earlier, and the sound would be before its note.
    EXPECT_GT(static_cast<double>(frames[0]), bound_frames - 0.5 * kJackFrames);
    EXPECT_LT(static_cast<double>(frames[10]), bound_frames + 0.001 * kJackRate_hz);
    stop_and_report(*letoff);
}

TEST_F(PlayServerJack, SigtermEndsEveryNoteAndLiftsThePedal) {
    ASSERT_TRUE(begin());
    const std::int64_t on = soon();
    std::vector<MidiEvent> chord{pedal(on, 127)};
    for (const int note : {36, 43, 52, 60, 67}) chord.push_back(key_down(on, note, 80));
    ASSERT_TRUE(keys->play(chord, kSoon_s));
    ASSERT_TRUE(hears_strikes(5));
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["strikes"], 5);
    EXPECT_TRUE(wait_for(kSoon_s, [&] { return heard().off >= 5; }));
    const HeardNotes notes = heard();
    EXPECT_EQ(notes.still_sounding(), 0);
    EXPECT_EQ(notes.unmatched_off, 0);
    int last_pedal = -1;
    for (const MidiEvent& event : tape->midi()) {
        if ((event.bytes[0] & 0xF0) == 0xB0 && event.bytes[1] == 64) last_pedal = event.bytes[2];
    }
    EXPECT_EQ(last_pedal, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// While notes pour in, from ports that are about to be closed.
TEST_F(PlayServerJack, SigtermInAStormEndsItInGoodOrder) {
    for (int round = 0; round < 5; ++round) {
        ASSERT_TRUE(begin());
        std::vector<MidiEvent> piece;
        const std::int64_t start = soon();
        for (int i = 0; i < 5000; ++i) {  // far longer than it has to live
            const std::int64_t on = start + std::int64_t{i} * kJackRate_hz / 1000;
            piece.push_back(key_down(on, 21 + i % 88, 64));
            piece.push_back(key_up(on + frames_of(0.04), 21 + i % 88));
        }
        keys->begin_to_play(in_order(piece));
        ASSERT_TRUE(hears_strikes(50 + 100 * round));
        const auto report = stop_and_report(*letoff);
        EXPECT_GT(report["strikes"], 50);
        EXPECT_FALSE(keys->played()) << "it was over before the signal came";
        unplug();
    }
}

}  // namespace
}  // namespace letoff::test
