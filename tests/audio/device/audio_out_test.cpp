#include "audio/device/audio_out.h"

#include <gtest/gtest.h>
#include <sndfile.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "audio/device/device_list.h"
#include "core/rt/monotonic_clock.h"
#include "core/unit/constants.h"
#include "tests/audio/device/sound_servers.h"
#include "tests/audio/device/tone.h"

// What RtAudio 5.2 and libpulse leave behind when a server dies under them is not ours to free.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
    return "leak:RtApiPulse\nleak:pa_xmalloc\n";
}

namespace letoff::audio {
namespace {

using test::count;
using test::kTone_hz;
using test::plays_steadily;
using test::poll_until;
using test::setting_for;
using test::Tone;
using test::wait_for;
using Kind = AudioEvent::Kind;

/// The most samples on end that go on as a sine of kTone_hz does. A busy host makes servers drop sound, but not over
/// whole stretches of many blocks, and a block of ours that did not join the last would leave no stretch at all.
size_t longest_unbroken(const std::vector<float>& sound, int rate_hz) {
    const double c = 2 * std::cos(2 * core::kPi * kTone_hz / rate_hz);
    size_t run = 0, longest = 0;
    for (size_t i = 1; i + 1 < sound.size(); ++i) {
        const double expected = c * static_cast<double>(sound[i]) - static_cast<double>(sound[i - 1]);
        const bool silent = sound[i] == 0 && sound[i + 1] == 0;
        const bool joins = !silent && std::abs(static_cast<double>(sound[i + 1]) - expected) < 1e-5;
        run = joins ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

std::vector<float> left_of_wav(const std::string& path, int& rate_hz) {
    SF_INFO info{};
    SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
    if (file == nullptr) return {};
    std::vector<float> both(static_cast<size_t>(info.frames * info.channels)), left;
    sf_readf_float(file, both.data(), info.frames);
    sf_close(file);
    for (size_t i = 0; i < both.size(); i += static_cast<size_t>(info.channels)) left.push_back(both[i]);
    rate_hz = info.samplerate;
    return left;
}

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
    const test::TempFolder folder;
    const std::string path = folder.file("out.wav");
    Tone tone;
    AudioSetting setting = setting_for("wav:" + path);
    setting.rate_hz = 44100;
    auto out = AudioOut::open(setting, tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(wait_for(20, [&] { return tone.blocks > 200; }));
    EXPECT_FALSE(std::filesystem::exists(path));  // not before it is complete
    const auto stopped = out.value()->stop();
    EXPECT_TRUE(stopped.ok());
    int rate_hz = 0;
    const auto left = left_of_wav(path, rate_hz);
    EXPECT_EQ(rate_hz, 44100);
    EXPECT_EQ(left.size(), static_cast<size_t>(tone.blocks) * 128);
    EXPECT_GT(longest_unbroken(left, 44100), left.size() - 10);
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

TEST(AudioOutJack, PlaysWithoutABreakAndIsListed) {
    test::JackServer server;
    ASSERT_TRUE(server.up()) << "jackd with its dummy driver does not start";
    Tone tone;
    AudioSetting setting = setting_for("jack");
    setting.rate_hz = 44100;  // JACK's own counts
    auto out = AudioOut::open(setting, tone);
    ASSERT_TRUE(out.ok()) << out.error();
    EXPECT_EQ(out.value()->format().rate_hz, 48000);
    EXPECT_EQ(out.value()->format().frames, 128);
    const test::TempFolder folder;
    ASSERT_EQ(test::run({"jack_rec", "-f", folder.file("rec.wav"), "-d", "2", "-b", "32", "letoff-test:outport 0",
                         "letoff-test:outport 1"}),
              0);
    int rate_hz = 0;
    const auto left = left_of_wav(folder.file("rec.wav"), rate_hz);
    EXPECT_EQ(rate_hz, 48000);
    EXPECT_GT(longest_unbroken(left, 48000), 75U * 128);
    const auto apis = list_audio_apis();
    ASSERT_EQ(apis.size(), 3u);
    EXPECT_TRUE(apis[0].sentence.empty());
    ASSERT_EQ(apis[0].devices.size(), 1u);
    EXPECT_EQ(apis[0].devices[0].rates_hz, std::vector<int>{48000});
    EXPECT_GE(out.value()->thread_share(), -1);
}

TEST(AudioOutJack, ServerThatDiesIsNoticedAndItsReturnIsHeard) {
    test::JackServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("auto"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    EXPECT_EQ(out.value()->format().way, AudioChoice::Way::kJack);
    for (int round = 0; round < 2; ++round) {
        const std::int64_t before = tone.blocks;
        ASSERT_TRUE(wait_for(10, [&] { return tone.blocks > before + 100; }));
        server.process().end(SIGKILL);
        const auto lost = poll_until(*out.value(), Kind::kLost, 4);
        ASSERT_EQ(count(lost, Kind::kLost), 1);
        EXPECT_EQ(lost.back().sentence.find("the audio device jack (system) is lost"), 0u) << lost.back().sentence;
        EXPECT_FALSE(out.value()->running());
        EXPECT_EQ(tone.stops, round + 1);
        // Nothing comes back by itself; no more events, no sound.
        const std::int64_t silent = tone.blocks;
        EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, 1.5), Kind::kLost), 0);
        EXPECT_EQ(tone.blocks, silent);
        server.start();
        ASSERT_TRUE(server.up());
        const auto found = poll_until(*out.value(), Kind::kFound, 20);
        ASSERT_EQ(count(found, Kind::kFound), 1);
        EXPECT_EQ(tone.openings, round + 2);
        ASSERT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 100; }));
    }
}

TEST(AudioOutJack, ServerThatHangsHangsNothing) {
    test::JackServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("jack"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(plays_steadily(tone));
    server.process().send(SIGSTOP);
    const auto lost = poll_until(*out.value(), Kind::kLost, 10);
    EXPECT_EQ(count(lost, Kind::kLost), 1);
    // While it is tried again and again, and given up each time.
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, 3), Kind::kFound), 0);
    server.process().send(SIGCONT);
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, 25), Kind::kFound), 1);
    const std::int64_t silent = tone.blocks;
    EXPECT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 50; }));
    server.process().send(SIGSTOP);
    const std::int64_t begin_ns = core::monotonic_now_ns();
    (void)out.value()->stop();
    EXPECT_LT(1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns), 8);
}

TEST(AudioOutPulse, PlaysWithoutABreakAndComesBack) {
    test::PulseServer server;
    ASSERT_TRUE(server.up()) << "pulseaudio with a null sink does not start";
    Tone tone;
    auto out = AudioOut::open(setting_for("pulse"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    EXPECT_EQ(out.value()->format().rate_hz, 48000);
    const std::string raw = server.folder().file("rec.raw");
    {
        test::Process recorder({"parec", "-d", "letoff.monitor", "--raw", "--format=float32le", "--rate=48000",
                                "--channels=2", "--latency-msec=20", raw});
        const std::int64_t before = tone.blocks;
        ASSERT_TRUE(wait_for(30, [&] { return tone.blocks > before + 750; }));
        ASSERT_TRUE(wait_for(10, [&] {
            std::error_code none;
            return std::filesystem::file_size(raw, none) > 8 * 60000 && !none;
        }));
        recorder.end(SIGTERM);
    }
    std::ifstream in(raw, std::ios::binary);
    std::vector<float> left;
    for (float pair[2]; in.read(reinterpret_cast<char*>(pair), sizeof pair);) left.push_back(pair[0]);
    EXPECT_GT(longest_unbroken(left, 48000), 30U * 128);

    server.process().end(SIGKILL);
    const auto lost = poll_until(*out.value(), Kind::kLost, 5);
    ASSERT_EQ(count(lost, Kind::kLost), 1);
    server.start();
    ASSERT_TRUE(server.up());
    const std::int64_t silent = tone.blocks;
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, 20), Kind::kFound), 1);
    EXPECT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 50; }));
}

TEST(AudioOutPulse, ServerThatHangsHangsNothing) {
    test::PulseServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("pulse"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(plays_steadily(tone));
    server.process().send(SIGSTOP);
    const auto lost = poll_until(*out.value(), Kind::kLost, 10);
    EXPECT_EQ(count(lost, Kind::kLost), 1);
    double longest_s = 0;
    wait_for(3, [&] {
        const std::int64_t begin_ns = core::monotonic_now_ns();
        (void)out.value()->poll();
        longest_s = std::max(longest_s, 1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns));
        return false;
    });
    EXPECT_LT(longest_s, 1.0);  // a poll does not wait for the server
    (void)out.value()->stop();
}

std::ptrdiff_t threads_of_program() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// While it hangs it is tried again and again, and each attempt hangs too: when it goes on, they must not meet in what
/// RtAudio shares between them, or they wait for ever in main loops that others have freed.
TEST(AudioOutPulse, ServerThatHungForLongComesBack) {
    test::PulseServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("pulse"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(plays_steadily(tone));
    const std::ptrdiff_t threads = threads_of_program();
    server.process().send(SIGSTOP);
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kLost, 10), Kind::kLost), 1);
    const double four_attempts_s = 4 * (AudioOut::kOpen_s + AudioOut::kClose_s) + AudioOut::kSlowestTry_s;
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, four_attempts_s), Kind::kFound), 0);
    const std::int64_t silent = tone.blocks;
    server.process().send(SIGCONT);
    EXPECT_EQ(count(poll_until(*out.value(), Kind::kFound, 25), Kind::kFound), 1);
    EXPECT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 50; }));
    EXPECT_TRUE(wait_for(10, [&] { return threads_of_program() <= threads; })) << threads_of_program() << " threads";
    EXPECT_TRUE(out.value()->stop().ok());
}

}  // namespace
}  // namespace letoff::audio
