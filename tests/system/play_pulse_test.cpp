// `letoff play` into a PulseAudio server with a null sink, recorded at the sink's monitor; MIDI goes over JACK.
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "tests/support/spectrum.h"
#include "tests/system/jack_stage.h"

namespace letoff::test {
namespace {

using audio::test::Process;

constexpr int kPulseRate_hz = 48000;

struct PlayServerPulse : JackStage {
    PlayServerPulse() { hears.reset(); }

    void record(const std::string& name) {
        raw = folder.path() / name;
        recorder = std::make_unique<Process>(
            std::vector<std::string>{"parec", "-d", "letoff.monitor", "--raw", "--format=float32le", "--rate=48000",
                                     "--channels=2", "--latency-msec=20", raw.string()});
        ASSERT_TRUE(wait_for(kSoon_s, [&] { return recorded_s() > 0.1; })) << "parec records nothing";
    }
    double recorded_s() const {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(raw, error);
        return error ? 0 : static_cast<double>(bytes) / (2 * sizeof(float) * kPulseRate_hz);
    }
    /// The left side of what is recorded from now on for so long.
    std::vector<float> next(double seconds) const {
        const double from_s = recorded_s();
        EXPECT_TRUE(wait_for(seconds + kSoon_s, [&] { return recorded_s() > from_s + seconds; }));
        std::ifstream in(raw, std::ios::binary);
        in.seekg(static_cast<std::streamoff>(from_s * kPulseRate_hz) * static_cast<std::streamoff>(2 * sizeof(float)));
        std::vector<float> left;
        for (float pair[2]; in.read(reinterpret_cast<char*>(pair), sizeof pair);) left.push_back(pair[0]);
        return left;
    }
    /// Plays one note and expects it in the recording at its pitch.
    void expect_heard(int note) {
        ASSERT_NO_FATAL_FAILURE(strike(note));
        ++strikes_before;
        // The sound is a second or less in PulseAudio's buffers; a held note goes on sounding for longer.
        const auto sound = next(1.5);
        ASSERT_TRUE(keys->play({key_up(keys->frame(), note)}, kSoon_s));
        const int key = core::key_of_midi_note(note);
        const double expected_hz = core::tuned_hz({}, key);
        EXPECT_LT(std::abs(cents_off(sound, kPulseRate_hz, expected_hz)), 5) << core::key_name(key);
        EXPECT_GT(peak_of(sound), 0.003);
        // Nothing else sounds: the note's own octave above is weaker than it in every note from the middle on.
        const double top_hz = strongest_hz(sound, kPulseRate_hz, 200, 3000);
        EXPECT_LT(std::abs(std::remainder(top_hz / expected_hz, 1.0)), 0.02) << top_hz << " is no partial of the note";
    }

    audio::test::PulseServer pulse;
    std::filesystem::path raw;
    std::unique_ptr<Process> recorder;
    int strikes_before = 0;
};

TEST_F(PlayServerPulse, NotesSoundAtTheirPitchesAndAgainAfterTheServerDied) {
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(begin({"--audio", "pulse", "--frames", "512"}));
    record("before.raw");
    for (const int note : {55, 62, 69, 76, 84}) ASSERT_NO_FATAL_FAILURE(expect_heard(note));

    // In mid-chord: the mechanics and MIDI go on without sound.
    const std::int64_t on = soon();
    ASSERT_TRUE(keys->play({key_down(on, 57, 80), key_down(on, 64, 80), key_down(on, 73, 80)}, kSoon_s));
    ASSERT_TRUE(hears_strikes(strikes_before + 3));
    const std::size_t said = letoff->err().size();
    pulse.process().end(SIGKILL);
    recorder.reset();
    ASSERT_TRUE(letoff->says("the audio device pulse", kSoon_s, said));
    EXPECT_NE(letoff->err().find("is lost", said), std::string::npos) << letoff->err();
    ASSERT_TRUE(keys->play({key_down(soon(), 50, 80)}, kSoon_s));
    ASSERT_TRUE(hears_strikes(strikes_before + 4)) << "MIDI stopped with the sound";
    strikes_before += 4;
    ASSERT_TRUE(keys->play({key_up(0, 57), key_up(0, 64), key_up(0, 73), key_up(0, 50)}, kSoon_s));
    EXPECT_TRUE(hears_all_end());

    pulse.start();
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(letoff->says("is back", kSoon_s, said));
    record("after.raw");
    for (const int note : {60, 69}) ASSERT_NO_FATAL_FAILURE(expect_heard(note));
    EXPECT_TRUE(hears_all_end());
    recorder.reset();
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["audio"]["way"], "pulse");
    EXPECT_EQ(report["strikes"], strikes_before);
    EXPECT_EQ(report["extra_strikes"], 0);
    EXPECT_FALSE(report["faults"].contains("midi_port_lost"));
}

// Ten thousand more, without JACK's sound: counted on the wire and by the program.
TEST_F(PlayServerPulse, TenThousandNotesAreAllStruck) {
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(begin({"--audio", "pulse", "--frames", "512"}));
    constexpr int kNotes = 10000, kPerSecond = 200;
    std::vector<MidiEvent> piece;
    const std::int64_t start = soon();
    for (int i = 0; i < kNotes; ++i) {
        const std::int64_t at = start + std::int64_t{i} * kJackRate_hz / kPerSecond;
        const int note = core::kFirstMidiNote + i * 51 % core::kKeyCount;
        piece.push_back(key_down(at, note, 64 + i % 50));
        piece.push_back(key_up(at + frames_of(0.08), note));
    }
    ASSERT_TRUE(keys->play(in_order(piece), 60 + kSoon_s));
    EXPECT_TRUE(hears_strikes(kNotes)) << heard().on;
    EXPECT_TRUE(hears_all_end());
    const auto report = stop_and_report(*letoff);
    EXPECT_EQ(report["notes"], kNotes);
    EXPECT_EQ(report["strikes"], kNotes);
    EXPECT_EQ(heard().on, kNotes + report["extra_strikes"].get<int>());
    EXPECT_EQ(heard().off, heard().on);
}

TEST_F(PlayServerPulse, SigtermEndsItWhileItsServerStandsStill) {
    ASSERT_TRUE(pulse.up());
    ASSERT_TRUE(begin({"--audio", "pulse"}));
    pulse.process().send(SIGSTOP);
    stop_and_report(*letoff);
    pulse.process().send(SIGCONT);
}

}  // namespace
}  // namespace letoff::test
