#include "ui/app/offline_sound.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace letoff::ui {
namespace {

constexpr float kSilent = 1e-5F;  // -100 dBFS: the sound has ended

}  // namespace

OfflineSound::OfflineSound(audio::SoundEngine& engine, core::Executor* helpers, bool own_thread,
                           std::int64_t skipped_ticks, Out out)
    : engine_(engine),
      helpers_(helpers),
      out_(std::move(out)),
      skipped_samples_(skipped_ticks * engine.samples_per_tick()) {
    frames_.reserve(kTicksAtOnce);
    for (Batch& batch : batches_) {
        batch.left.resize(static_cast<std::size_t>(kTicksAtOnce * engine.samples_per_tick()));
        batch.right.resize(batch.left.size());
        for (Tick& tick : batch.ticks) tick.forces.reserve(core::kKeyCount);  // on_tick may not throw
    }
    if (own_thread) thread_ = std::jthread([this] { work(); });
}

OfflineSound::~OfflineSound() {
    if (!thread_.joinable()) return;
    if (rendering_ != nullptr) done_.acquire();
    ending_ = true;
    wanted_.release();
}

void OfflineSound::work() {
    for (;;) {
        wanted_.acquire();
        if (ending_) return;
        render(*rendering_);
        done_.release();
    }
}

void OfflineSound::render(Batch& batch) noexcept {
    frames_.clear();
    for (const Tick& tick : std::span(batch.ticks).first(batch.count))
        frames_.push_back({tick.number, tick.tick_hz, tick.forces, tick.damper_compression_m, tick.case_forces});
    engine_.render(frames_, batch.left, batch.right, helpers_);
}

void OfflineSound::on_tick(const core::SoundFrame& frame) noexcept {
    Tick& tick = filling_->ticks[filling_->count++];
    tick.number = frame.tick;
    tick.tick_hz = frame.tick_hz;
    tick.case_forces = frame.case_forces;
    tick.forces.assign(frame.forces.begin(), frame.forces.end());
    std::copy(frame.damper_compression_m.begin(), frame.damper_compression_m.end(), tick.damper_compression_m.begin());
    if (filling_->count == kTicksAtOnce) hand_over();
}

void OfflineSound::hand_over() {
    take_back();
    rendering_ = filling_;
    filling_ = filling_ == &batches_[0] ? &batches_[1] : &batches_[0];
    if (thread_.joinable()) {
        wanted_.release();
    } else {
        render(*rendering_);
    }
}

void OfflineSound::take_back() {
    if (rendering_ == nullptr) return;
    if (thread_.joinable()) done_.acquire();
    Batch& batch = *std::exchange(rendering_, nullptr);
    const auto per_tick = static_cast<std::size_t>(engine_.samples_per_tick());
    const std::size_t count = std::exchange(batch.count, 0) * per_tick;
    for (std::size_t i = count; i > 0; --i) {
        if (std::max(std::abs(batch.left[i - 1]), std::abs(batch.right[i - 1])) <= kSilent) continue;
        last_sound_tick_ = batch.ticks[(i - 1) / per_tick].number;
        break;
    }
    const std::size_t skipped = std::min(count, static_cast<std::size_t>(skipped_samples_));
    skipped_samples_ -= static_cast<std::int64_t>(skipped);
    if (skipped < count)
        out_(std::span<const float>(batch.left).subspan(skipped, count - skipped),
             std::span<const float>(batch.right).subspan(skipped, count - skipped));
}

void OfflineSound::finish() {
    if (filling_->count > 0) hand_over();
    take_back();
}

}  // namespace letoff::ui
