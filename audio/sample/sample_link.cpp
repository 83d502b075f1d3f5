#include "audio/sample/sample_link.h"

#include <algorithm>

namespace letoff::audio {
namespace {

constexpr std::size_t kRequests = 8;
// 88 dampers that move every millisecond of the longest block (8192 frames at 44.1 kHz, 186 ms), twice.
constexpr std::size_t kEvents = 32768;

}  // namespace

SampleLink::SampleLink(int sample_rate_hz, int tick_hz, int longest_block, core::FaultCounters& faults)
    : sample_rate_hz_(sample_rate_hz),
      longest_block_(longest_block),
      faults_(faults),
      events_(kEvents),
      dampers_(tick_hz),
      requests_(kRequests),
      sound_((kRequests + 2) * static_cast<std::size_t>(longest_block)) {}

void SampleLink::on_strike(const core::Strike& strike, std::uint32_t epoch) noexcept {
    if (!playing()) return;
    if (!events_.try_push(sample_event_of(strike, epoch))) faults_.raise(core::Fault::kEventRingFull);
}

void SampleLink::on_tick(const core::SoundFrame& frame, std::uint32_t epoch) noexcept {
    if (!playing()) return;
    dampers_.look(frame, epoch, [this](const SampleEvent& event) { return events_.try_push(event); });
}

void SampleLink::mix(const SampleRequest& request, float* left, float* right) noexcept {
    if (!playing()) return;
    if (request.frames > delay_) {
        silent_ += request.frames - delay_;
        delay_ = request.frames;
    }
    // Not taken: nothing will come for it.
    if (!requests_.try_push(request)) {
        silent_ += request.frames;
        faults_.raise(core::Fault::kSamplesLate);
    }
    SampledFrame late;
    while (owed_ > 0 && sound_.try_pop(late)) --owed_;
    const int silent = std::min(silent_, request.frames);
    silent_ -= silent;
    add(left + silent, right + silent, request.frames - silent);
}

void SampleLink::add(float* left, float* right, int frames) noexcept {
    SampledFrame sample;
    for (int i = 0; i < frames; ++i) {
        if (owed_ > 0 || !sound_.try_pop(sample)) {
            owed_ += frames - i;
            faults_.raise(core::Fault::kSamplesLate);
            return;
        }
        left[i] += sample.left;
        right[i] += sample.right;
    }
}

bool SampleLink::next_event(const SampleRequest& request, SampleEvent& event) noexcept {
    if (!holds_ && !events_.try_pop(held_)) return false;
    holds_ = held_.epoch == request.epoch && held_.place >= request.end;
    if (holds_) return false;
    event = held_;
    return true;
}

void SampleLink::push_sound(std::span<const float> left, std::span<const float> right) noexcept {
    // Has room: no more is made than was asked for.
    for (std::size_t i = 0; i < left.size(); ++i) (void)sound_.try_push({left[i], right[i]});
}

}  // namespace letoff::audio
