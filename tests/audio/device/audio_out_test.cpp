#include "audio/device/audio_out.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "audio/device/rtaudio_api.h"
#include "audio/modal/string_bank.h"
#include "core/rt/monotonic_clock.h"
#include "tests/audio/device/tone.h"
#include "tests/support/heard_file.h"

namespace letoff::audio {
namespace {

using test::longest_unbroken;
using test::setting_for;
using test::Tone;
using test::wait_for;

TEST(AudioChoiceText, IsReadAndRefusedWithOneSentence) {
    EXPECT_EQ(parse_audio_choice("auto").value().way, AudioChoice::Way::kAuto);
    const auto alsa = parse_audio_choice("alsa:hw:1,0").value();
    EXPECT_EQ(alsa.way, AudioChoice::Way::kAlsa);
    EXPECT_EQ(alsa.device, "hw:1,0");
    const auto wav = parse_audio_choice("wav:/tmp/a.wav").value();
    EXPECT_EQ(wav.way, AudioChoice::Way::kWav);
    EXPECT_EQ(wav.wav_file, "/tmp/a.wav");
    EXPECT_EQ(parse_audio_choice("oss").error(),
              "there is no audio output named 'oss': auto, jack, pulse, alsa (each also with :DEVICE), none or "
              "wav:FILE are possible");
    EXPECT_EQ(parse_audio_choice("wav").error(), "wav needs the name of a file: wav:FILE");
    EXPECT_FALSE(parse_audio_choice("none:x").ok());
}

// A JACK server has one rate, its own: whatever of ours it is, it is played at.
TEST(AudioRates, TheWantedOneElseAnyThatTheStringsCanDo) {
    EXPECT_EQ(choose_rate_hz({44100, 48000, 96000}, 96000), 96000);
    EXPECT_EQ(choose_rate_hz({32000, 44100, 96000}, 48000), 44100);
    for (const int rate_hz : kSampleRates_hz)
        EXPECT_EQ(choose_rate_hz({static_cast<unsigned>(rate_hz)}, 48000), rate_hz);
    EXPECT_EQ(choose_rate_hz({8000, 32000}, 48000), 0);
}

TEST(AudioOutNone, PacesBlocksByTheWallClock) {
    Tone tone;
    AudioSetting setting = setting_for("none");
    setting.frames = 64;
    setting.measure_thread_time = true;
    auto out = AudioOut::open(setting, tone);
    ASSERT_TRUE(out.ok()) << out.error();
    EXPECT_EQ(tone.frames, 64);
    const std::int64_t begin_ns = core::monotonic_now_ns(), begin = tone.blocks;
    ASSERT_TRUE(wait_for(20, [&] { return tone.blocks > begin + 750; }));  // a second's blocks
    const double took_s = 1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns);
    EXPECT_GT(took_s, 0.9);
    EXPECT_TRUE(out.value()->poll().empty());
    const CallbackCounters& counters = out.value()->counters();
    EXPECT_GE(counters.blocks, 750);
    EXPECT_EQ(counters.wall_us.count(), static_cast<std::uint64_t>(counters.blocks));
    EXPECT_LT(counters.thread_us.quantile_us(0.5), 500);
    EXPECT_TRUE(out.value()->stop().ok());
    EXPECT_EQ(tone.stops, 1);
    const std::int64_t after = tone.blocks;
    EXPECT_FALSE(wait_for(0.05, [&] { return tone.blocks != after; }));
}

TEST(AudioOutWav, FileIsCompleteAfterStop) {
    const letoff::test::TempDir folder;
    const std::string path = folder.path() / "out.wav";
    Tone tone;
    AudioSetting setting = setting_for("wav:" + path);
    setting.rate_hz = 44100;
    auto out = AudioOut::open(setting, tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(wait_for(20, [&] { return tone.blocks > 200; }));
    EXPECT_FALSE(std::filesystem::exists(path));  // not before it is complete
    const auto stopped = out.value()->stop();
    EXPECT_TRUE(stopped.ok());
    const auto heard = letoff::test::heard_file(path);
    EXPECT_EQ(heard.rate_hz, 44100);
    EXPECT_EQ(heard.frames, tone.blocks * 128);
    EXPECT_GT(longest_unbroken(heard.left, 44100), heard.left.size() - 10);
}

TEST(AudioOutErrors, AreSentences) {
    Tone tone;
    auto folder = AudioOut::open(setting_for("wav:/nowhere/at/all.wav"), tone);
    ASSERT_FALSE(folder.ok());
    EXPECT_NE(folder.error().find("cannot write the sound to /nowhere/at/all.wav"), std::string::npos);
    setenv("JACK_DEFAULT_SERVER", "letoff-test-nobody", 1);
    setenv("JACK_NO_START_SERVER", "1", 1);
    auto jack = AudioOut::open(setting_for("jack"), tone);
    ASSERT_FALSE(jack.ok());
    EXPECT_EQ(jack.error().find("no sound through jack: no JACK server is running"), 0u) << jack.error();
    setenv("PULSE_SERVER", "unix:/nowhere/pulse.sock", 1);
    auto any = AudioOut::open(setting_for("auto"), tone);
    if (!any.ok()) {
        EXPECT_EQ(any.error().find("there is no audio device; jack: no JACK server"), 0u) << any.error();
        EXPECT_NE(any.error().find("pulse: "), std::string::npos) << any.error();
        EXPECT_NE(any.error().find("alsa: "), std::string::npos) << any.error();
    }
    AudioSetting setting = setting_for("none");
    setting.frames = 5;
    EXPECT_FALSE(AudioOut::open(setting, tone).ok());
    tone.refuse = true;
    auto refused = AudioOut::open(setting_for("none"), tone);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error(), "the sound cannot be played at 48000 Hz");
}

}  // namespace
}  // namespace letoff::audio
