// Cases 48, 50 and 54 of the field, against the real servers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "audio/device/audio_out.h"
#include "core/rt/periodic_loop.h"
#include "tests/audio/device/sound_servers.h"
#include "tests/audio/device/tone.h"

namespace letoff::audio {
namespace {

using test::poll_until;
using test::setting_for;
using test::Tone;
using test::wait_for;
using Kind = AudioEvent::Kind;

/// A tone, five blocks of which, 40 apart, take three times as long as they last.
class LateTone final : public BlockSource, public AudioClient {
  public:
    static constexpr int kLate = 5, kPeriods = 3;
    static constexpr std::int64_t kFirst = 400, kApart = 40;

    void render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept override {
        tone_.render(left, right, frames, request_time_ns);
        const std::int64_t since = tone_.blocks - kFirst;
        if (since < 0 || since % kApart != 0 || since / kApart >= kLate) return;
        // Of its processor's time, so that what the machine takes besides does not count.
        core::ThreadCpuClock thread;
        const double until_s = thread.used_s() + static_cast<double>(kPeriods) * frames / rate_hz_;
        while (thread.used_s() < until_s) {
        }
    }
    BlockSource* stream_opening(int rate_hz, int frames) override {
        rate_hz_ = rate_hz;
        tone_.stream_opening(rate_hz, frames);
        return this;
    }
    void stream_stopped() override {}
    std::int64_t blocks() const { return tone_.blocks; }

  private:
    Tone tone_;
    int rate_hz_ = 48000;
};

/// Five late blocks are five, by our own count, whether or not the host noticed.
void expect_five_late_blocks(const char* way) {
    LateTone tone;
    AudioSetting setting = setting_for(way);
    setting.measure_thread_time = true;
    auto out = AudioOut::open(setting, tone);
    ASSERT_TRUE(out.ok()) << out.error();
    std::int64_t told = 0;
    ASSERT_TRUE(wait_for(60, [&] {
        for (const AudioEvent& event : out.value()->poll()) {
            if (event.kind == Kind::kXruns) told += event.count;
            EXPECT_NE(event.kind, Kind::kLost) << event.sentence;
        }
        return tone.blocks() > LateTone::kFirst + LateTone::kApart * LateTone::kLate;
    }));
    const CallbackCounters& counters = out.value()->counters();
    EXPECT_EQ(counters.ours_over_period, LateTone::kLate);
    EXPECT_GE(counters.over_period, LateTone::kLate);
    (void)out.value()->poll();
    fmt::print("{}: {} blocks over their period by our count, {} underruns by the host's\n", way,
               counters.ours_over_period.load(), counters.xruns.load());
    EXPECT_GE(counters.xruns, told);
    EXPECT_TRUE(out.value()->running());
}

TEST(AudioOutJackCases, Case50FiveLateBlocksAreCountedAsFive) {
    test::JackServer server;
    ASSERT_TRUE(server.up());
    expect_five_late_blocks("jack");
}

TEST(AudioOutPulseCases, Case50FiveLateBlocksAreCountedAsFive) {
    test::PulseServer server;
    ASSERT_TRUE(server.up());
    expect_five_late_blocks("pulse");
}

/// What PulseAudio holds of us, s; negative: it does not say.
double pulse_queue_s() {
    const std::unique_ptr<FILE, int (*)(FILE*)> listing(popen("pactl list sink-inputs", "r"), pclose);
    std::array<char, 512> line{};
    while (listing && std::fgets(line.data(), line.size(), listing.get()) != nullptr) {
        double us = 0;
        if (std::sscanf(line.data(), " Buffer Latency: %lf usec", &us) == 1) return 1e-6 * us;
    }
    return -1;
}

// Asked for are two blocks; a server that held a second of them would be no instrument.
TEST(AudioOutPulseCases, Case50TheQueueIsAsDeepAsIsAskedFor) {
    test::PulseServer server;
    ASSERT_TRUE(server.up());
    for (const int frames : {128, 512}) {
        Tone tone;
        AudioSetting setting = setting_for("pulse");
        setting.frames = frames;
        auto out = AudioOut::open(setting, tone);
        ASSERT_TRUE(out.ok()) << out.error();
        ASSERT_TRUE(test::plays_steadily(tone));
        double most_s = -1;
        for (int i = 0; i < 10; ++i) most_s = std::max(most_s, pulse_queue_s());
        fmt::print("blocks of {} frames: PulseAudio holds up to {:.1f} ms of ours\n", frames, 1e3 * most_s);
        ASSERT_GE(most_s, 0);
        EXPECT_LT(most_s, 3.0 * frames / 48000);
    }
}

TEST(AudioOutJackCases, Case50TheQueueIsTheServersPeriod) {
    for (const int period : {64, 512}) {
        test::JackServer server(period);
        ASSERT_TRUE(server.up());
        Tone tone;
        AudioSetting setting = setting_for("jack");
        setting.frames = 256;  // JACK's own counts
        auto out = AudioOut::open(setting, tone);
        ASSERT_TRUE(out.ok()) << out.error();
        EXPECT_EQ(out.value()->format().frames, period);
        EXPECT_EQ(tone.frames, period);
    }
}

// Its server killed in full play: one event that says so, no underrun, and it is tried again until it is back.
TEST(AudioOutJackCases, Case48ADeviceThatIsGoneIsNoUnderrun) {
    test::JackServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("jack"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(test::plays_steadily(tone));
    (void)out.value()->poll();
    const std::int64_t xruns = out.value()->counters().xruns, before = tone.blocks;
    server.process().end(SIGKILL);
    const auto events = poll_until(*out.value(), Kind::kLost, 5);
    EXPECT_EQ(test::count(events, Kind::kLost), 1);
    // What the machine caused in the last moment aside.
    EXPECT_LE(out.value()->counters().xruns - xruns, 1);
    EXPECT_GE(tone.blocks, before);
    const auto later = poll_until(*out.value(), Kind::kFound, 3);
    EXPECT_EQ(test::count(later, Kind::kXruns) + test::count(later, Kind::kLost), 0);
    server.start();
    ASSERT_TRUE(server.up());
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kFound, 20), Kind::kFound), 1);
}

// As a machine that goes to sleep: the sink is suspended under the stream.
TEST(AudioOutPulseCases, Case54ASuspendedDeviceIsHeardAgain) {
    test::PulseServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("pulse"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(test::plays_steadily(tone));
    ASSERT_EQ(test::run({"pactl", "suspend-sink", "letoff", "1"}), 0);
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kLost, 10), Kind::kLost), 1);
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kFound, 10), Kind::kLost), 0);
    ASSERT_EQ(test::run({"pactl", "suspend-sink", "letoff", "0"}), 0);
    ASSERT_TRUE(wait_for(30, [&] {
        (void)out.value()->poll();
        return out.value()->running();
    }));
    const std::int64_t silent = tone.blocks;
    EXPECT_TRUE(wait_for(20, [&] {
        (void)out.value()->poll();
        return tone.blocks > silent + 100;
    }));
    EXPECT_TRUE(out.value()->stop().ok());
}

/// A minute without a callback. JACK's library writes into sockets that its server has closed meanwhile; as the program
/// does, the test ignores the signal.
TEST(AudioOutJackLong, Case54AMinuteOfSleepIsOvercome) {
    signal(SIGPIPE, SIG_IGN);
    test::JackServer server;
    ASSERT_TRUE(server.up());
    Tone tone;
    auto out = AudioOut::open(setting_for("jack"), tone);
    ASSERT_TRUE(out.ok()) << out.error();
    ASSERT_TRUE(test::plays_steadily(tone));
    server.process().send(SIGSTOP);
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kLost, 10), Kind::kLost), 1);
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kFound, 60), Kind::kFound), 0);
    server.process().send(SIGCONT);
    EXPECT_EQ(test::count(poll_until(*out.value(), Kind::kFound, 30), Kind::kFound), 1);
    const std::int64_t silent = tone.blocks;
    EXPECT_TRUE(wait_for(10, [&] { return tone.blocks > silent + 100; }));
}

}  // namespace
}  // namespace letoff::audio
