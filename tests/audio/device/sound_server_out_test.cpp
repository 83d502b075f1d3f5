// Sound through real servers that play on, die, come back or hang.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "audio/device/device_list.h"
#include "tests/audio/device/tone.h"
#include "tests/support/heard_file.h"

// What RtAudio 5.2 and libpulse leave behind when a server dies under them is not ours to free.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
    return "leak:RtApiPulse\nleak:pa_xmalloc\n";
}

namespace letoff::audio {
namespace {

using test::count;
using test::longest_unbroken;
using test::plays_steadily;
using test::poll_until;
using test::setting_for;
using test::Tone;
using test::wait_for;
using Kind = AudioEvent::Kind;

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
    const letoff::test::TempDir folder;
    const std::string recorded = folder.path() / "rec.wav";
    ASSERT_EQ(test::run({"jack_rec", "-f", recorded, "-d", "2", "-b", "32", "letoff-test:outport 0",
                         "letoff-test:outport 1"}),
              0);
    const auto heard = letoff::test::heard_file(recorded);
    EXPECT_EQ(heard.rate_hz, 48000);
    EXPECT_GT(longest_unbroken(heard.left, 48000), 75U * 128);
    const auto apis = list_audio_apis();
    ASSERT_EQ(apis.size(), 3u);
    EXPECT_TRUE(apis[0].sentence.empty());
    ASSERT_EQ(apis[0].devices.size(), 1u);
    EXPECT_EQ(apis[0].devices[0].rates_hz, std::vector<int>{48000});
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

std::ptrdiff_t threads_of_program() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// A server that is played at, and then stands still.
template <typename Server>
struct Hung {
    void begin(const char* way) {
        ASSERT_TRUE(server.up());
        auto opened = AudioOut::open(setting_for(way), tone);
        ASSERT_TRUE(opened.ok()) << opened.error();
        out = std::move(opened.value());
        ASSERT_TRUE(plays_steadily(tone));
        threads = threads_of_program();
        server.process().send(SIGSTOP);
        ASSERT_EQ(count(poll_until(*out, Kind::kLost, 10), Kind::kLost), 1);
    }
    /// So that it is tried again and again, and given up each time.
    void stand_still() {
        const double four_attempts_s = 4 * (AudioOut::kOpen_s + AudioOut::kClose_s) + AudioOut::kSlowestTry_s;
        EXPECT_EQ(count(poll_until(*out, Kind::kFound, four_attempts_s), Kind::kFound), 0);
    }
    void go_on() {
        const std::int64_t silent = tone.blocks;
        server.process().send(SIGCONT);
        EXPECT_EQ(count(poll_until(*out, Kind::kFound, 25), Kind::kFound), 1);
        EXPECT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 50; }));
    }

    Server server;
    Tone tone;
    std::unique_ptr<AudioOut> out;
    std::ptrdiff_t threads = 0;  // of this program while it plays
};

TEST(AudioOutJack, ServerThatHangsHangsNothing) {
    Hung<test::JackServer> hung;
    ASSERT_NO_FATAL_FAILURE(hung.begin("jack"));
    EXPECT_EQ(count(poll_until(*hung.out, Kind::kFound, 3), Kind::kFound), 0);
    hung.go_on();
    hung.server.process().send(SIGSTOP);
    const std::int64_t begin_ns = core::monotonic_now_ns();
    (void)hung.out->stop();
    EXPECT_LT(1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns), 8);
}

// Each attempt at it hangs in the library: no more than one thread may.
TEST(AudioOutJack, ServerThatHangsForLongIsWaitedForByOneThread) {
    Hung<test::JackServer> hung;
    ASSERT_NO_FATAL_FAILURE(hung.begin("jack"));
    hung.stand_still();
    EXPECT_LE(threads_of_program(), hung.threads + 2) << "one in the library, one that gives its turn up";
    hung.go_on();
    EXPECT_TRUE(hung.out->stop().ok());
}

TEST(AudioOutPulse, PlaysWithoutABreakAndComesBack) {
    test::PulseServer server;
    ASSERT_TRUE(server.up()) << "pulseaudio with a null sink does not start";
    Tone tone;
    auto out = AudioOut::open(setting_for("pulse"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    EXPECT_EQ(out.value()->format().rate_hz, 48000);
    const std::string raw = server.file("rec.raw");
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
    Hung<test::PulseServer> hung;
    ASSERT_NO_FATAL_FAILURE(hung.begin("pulse"));
    double longest_s = 0;
    wait_for(3, [&] {
        const std::int64_t begin_ns = core::monotonic_now_ns();
        (void)hung.out->poll();
        longest_s = std::max(longest_s, 1e-9 * static_cast<double>(core::monotonic_now_ns() - begin_ns));
        return false;
    });
    EXPECT_LT(longest_s, 1.0);  // a poll does not wait for the server
    (void)hung.out->stop();
}

// Attempts at it hang too: when it goes on, they must not meet in what RtAudio shares between them, or they wait for
// ever in main loops that others have freed.
TEST(AudioOutPulse, ServerThatHungForLongComesBack) {
    Hung<test::PulseServer> hung;
    ASSERT_NO_FATAL_FAILURE(hung.begin("pulse"));
    hung.stand_still();
    hung.go_on();
    EXPECT_TRUE(wait_for(10, [&] { return threads_of_program() <= hung.threads; }))
        << threads_of_program() << " threads";
    EXPECT_TRUE(hung.out->stop().ok());
}

}  // namespace
}  // namespace letoff::audio
