#include "audio/sample/live_sampler.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "audio/sample/sample_server.h"
#include "core/rt/monotonic_clock.h"

namespace letoff::audio {
namespace {

constexpr std::int64_t kBeforeTheFirst_ns = 2'000'000;  // between looks while nothing has been asked for yet
constexpr std::int64_t kLooksPerBlock = 8;              // when a block is due: late by an eighth of what it has
constexpr std::int64_t kAway_ns = 20'000'000;           // between looks while the device is gone
constexpr int kLooksUntilAway = 4 * kLooksPerBlock;

}  // namespace

LiveSampler::LiveSampler(const LiveSamplerSetting& setting, SampleLink& link) : setting_(setting), link_(link) {
    thread_ = std::thread([this] { work(); });
}

LiveSampler::~LiveSampler() {
    ending_.store(true, std::memory_order_release);
    thread_.join();
}

std::string LiveSampler::take_sentence() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sentence_, {});
}

void LiveSampler::work() {
    auto piano = SampledPiano::load(setting_.soundfont, link_.sample_rate_hz(), setting_.keys, setting_.program);
    {
        const std::lock_guard lock(mutex_);
        sentence_ = piano ? "samples: " + std::filesystem::path(setting_.soundfont).filename().string()
                          : piano.error() + "; the strings play on";
    }
    if (!piano) return;
    // A whole block's time for each block, so below the audio thread and the keybed.
    if (setting_.rt != core::RtMode::off)
        (void)core::make_thread_realtime(core::RtMode::automatic, core::kSamplePriority);
    SampleServer server(link_, std::move(piano.value()));
    link_.begin();
    int looks = 0;
    while (!ending_.load(std::memory_order_acquire)) {
        if (server.serve()) {
            looks = 0;
            continue;
        }
        const SampleRequest& last = server.last();
        const std::int64_t now_ns = core::monotonic_now_ns();
        const std::int64_t block_ns = std::int64_t{1'000'000'000} * last.frames / link_.sample_rate_hz();
        const std::int64_t look_ns = last.frames == 0          ? kBeforeTheFirst_ns
                                     : looks < kLooksUntilAway ? block_ns / kLooksPerBlock
                                                               : kAway_ns;
        const bool due = looks++ > 0 || last.frames == 0;
        core::sleep_until_ns(due ? now_ns + look_ns : std::max(now_ns, std::min(last.asked_ns, now_ns) + block_ns));
    }
}

}  // namespace letoff::audio
