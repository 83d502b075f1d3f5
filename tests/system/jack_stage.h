// What the tests of `letoff play` at a JACK server share: the server, the program, a keyboard and a tape, and pieces to
// play.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/audio/device/sound_servers.h"
#include "tests/system/jack_peers.h"
#include "tests/system/play_stage.h"

namespace letoff::test {

inline constexpr int kJackFrames = 128;
inline constexpr int kJackRate_hz = 48000;

constexpr std::int64_t frames_of(double seconds) {
    return static_cast<std::int64_t>(seconds * kJackRate_hz);
}

inline MidiEvent key_down(std::int64_t frame, int note, int velocity) {
    return {frame, {0x90, static_cast<std::uint8_t>(note), static_cast<std::uint8_t>(velocity)}};
}
inline MidiEvent key_up(std::int64_t frame, int note) {
    return {frame, {0x80, static_cast<std::uint8_t>(note), 64}};
}
inline MidiEvent pedal(std::int64_t frame, int value) {
    return {frame, {0xB0, 64, static_cast<std::uint8_t>(value)}};
}
/// In the order of their frames, those of one frame as they were.
inline std::vector<MidiEvent> in_order(std::vector<MidiEvent> events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const MidiEvent& a, const MidiEvent& b) { return a.frame < b.frame; });
    return events;
}

inline double peak_of(const std::vector<float>& sound) {
    double peak = 0;
    for (const float sample : sound) peak = std::max(peak, std::abs(static_cast<double>(sample)));
    return peak;
}

class JackStage : public testing::Test {
  protected:
    using Server = audio::test::JackServer;

    /// A server that waits for its clients loses no message to a busy machine.
    explicit JackStage(Server::Clients clients = Server::Clients::kWaits) : server(kJackFrames, clients) {}

    /// The program with these options more, playing with its tables, between keyboard and tape; false: not everything
    /// is there.
    bool begin(const std::vector<std::string>& more = {}) {
        return start(more) && letoff->plays_with_tables() && plug_in();
    }
    /// The program alone.
    bool start(const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"play", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        letoff = std::make_unique<PlayingProgram>(arguments, folder.path());
        return server.up();
    }
    /// Keyboard and tape, connected; again after a new start of the server.
    bool plug_in() {
        const std::size_t said = letoff->err().size();
        keys = std::make_unique<JackKeyboard>("Keystation");
        tape = std::make_unique<JackTape>("Tape", kTape_s);
        return letoff->says("MIDI is taken from \"Keystation:out\" (JACK)", kSoon_s, said) &&
               tape->connect("Letoff-out:out", "Tape:midi") && (!hears || tape->connect(*hears, "Tape:sound"));
    }
    /// With everything at it, which the program has said since that byte of its messages.
    bool server_comes_back(std::size_t said) {
        server.start();
        return server.up() && letoff->says("the audio device jack (system) is back", kSoon_s, said) && plug_in();
    }
    void unplug() {
        keys.reset();
        tape.reset();
    }
    /// A little later than now, so that everything of a piece is in time.
    std::int64_t soon() const { return keys->frame() + frames_of(0.1); }
    HeardNotes heard() const { return listen_to(tape->midi()); }
    bool hears_strikes(int count) {
        return wait_for(kSoon_s, [&] { return heard().on >= count; });
    }
    bool hears_all_end() {
        return wait_for(kSoon_s, [&] { return heard().still_sounding() == 0; });
    }
    /// What the tape has of the last tenth of a second.
    std::vector<float> last_sound() const {
        const std::int64_t now = tape->frame();
        return tape->sound(now - kLately, now);
    }
    /// Waits until the sound is silence to the last bit: the next sample that is not belongs to the next note.
    bool wait_for_silence() const {
        return wait_for(60, [&] {
            const auto sound = last_sound();
            return sound.size() >= kLately && peak_of(sound) == 0;
        });
    }
    /// Presses a key and waits for its strike.
    void strike(int note) {
        const int before = heard().on;
        ASSERT_TRUE(keys->play({key_down(soon(), note, 80)}, kSoon_s));
        ASSERT_TRUE(hears_strikes(before + 1)) << letoff->err();
    }

    static constexpr double kTape_s = 120;
    static constexpr std::int64_t kLately = frames_of(0.1);

    Server server;
    const TempDir folder;
    std::unique_ptr<PlayingProgram> letoff;
    std::unique_ptr<JackKeyboard> keys;
    std::unique_ptr<JackTape> tape;
    std::optional<std::string> hears = "letoff:outport 0";  // the tape; nothing: the sound goes another way
};

}  // namespace letoff::test
