#include "ui/app/offline_sound.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace letoff::ui {
namespace {

constexpr float kSilent = 1e-5F;  // -100 dBFS: the sound has ended

}  // namespace

bool OfflineSound::needs_chunks(int sample_rate_hz, int tick_hz) {
    return core::kStrikeGrid_hz % sample_rate_hz != 0 || sample_rate_hz % tick_hz != 0;
}

OfflineSound::OfflineSound(audio::SoundEngine& engine, const OfflineSoundSetting& setting, Out out)
    : engine_(engine),
      setting_(setting),
      out_(std::move(out)),
      dampers_(setting.tick_hz),
      limiter_(setting.sample_rate_hz),
      skipped_samples_(setting.skipped_ticks * setting.sample_rate_hz / setting.tick_hz) {
    if (setting.room != nullptr) room_.emplace(*setting.room, setting.room_share, setting.sample_rate_hz);
    if (needs_chunks(setting.sample_rate_hz, setting.tick_hz))
        chunks_ = std::make_unique<audio::ChunkFeed>(setting.sample_rate_hz, setting.tick_hz);
    frames_.reserve(kFramesAtOnce);
    for (Batch& batch : batches_) {
        batch.left.resize(static_cast<std::size_t>(kFramesAtOnce * engine.samples_per_tick()));
        batch.right.resize(batch.left.size());
        for (Frame& frame : batch.frames) frame.forces.reserve(core::kKeyCount);  // on_tick may not throw
    }
    added_left_.resize(batches_[0].left.size());
    added_right_.resize(added_left_.size());
    if (setting.own_thread) thread_ = std::jthread([this] { work(); });
}

OfflineSound::~OfflineSound() {
    if (!thread_.joinable()) return;
    for (; taken_back_ < handed_over_; ++taken_back_) done_.acquire();
    ending_ = true;
    wanted_.release();
}

void OfflineSound::work() {
    for (std::size_t next = 0;; ++next) {
        wanted_.acquire();
        if (ending_) return;
        render(batches_[next % kBatches]);
        done_.release();
    }
}

void OfflineSound::render(Batch& batch) {
    const std::span<float> left = std::span(batch.left).first(batch.samples);
    const std::span<float> right = std::span(batch.right).first(batch.samples);
    if (setting_.engine == audio::Engine::kSample) {
        std::fill(left.begin(), left.end(), 0.0F);
        std::fill(right.begin(), right.end(), 0.0F);
    } else {
        frames_.clear();
        for (const Frame& frame : std::span(batch.frames).first(batch.count))
            frames_.push_back({frame.tick, frame.tick_hz, frame.forces, frame.damper_compression_m, frame.case_forces});
        engine_.render(frames_, left, right, setting_.helpers);
    }
    if (setting_.samples != nullptr) add_samples(batch);
    if (room_) room_->process(left, right);
    const audio::Limiter::Report found = limiter_.process(left, right);
    found_.largest = std::max(found_.largest, found.largest);
    found_.limited += found.limited;
}

void OfflineSound::add_samples(Batch& batch) {
    for (const audio::SampleEvent& event : batch.events)
        setting_.samples->add(audio::sample_at(std::max<audio::Place>(event.place, 0), setting_.sample_rate_hz), event);
    batch.events.clear();
    const std::span<float> left = std::span(added_left_).first(batch.samples);
    const std::span<float> right = std::span(added_right_).first(batch.samples);
    setting_.samples->render(left, right);
    for (std::size_t i = 0; i < batch.samples; ++i) {
        batch.left[i] += left[i];
        batch.right[i] += right[i];
    }
}

void OfflineSound::on_strike(const core::Strike& strike) noexcept {
    if (setting_.samples == nullptr || first_tick_ == INT64_MIN) return;
    audio::SampleEvent event = audio::sample_event_of(strike, 0);
    event.place -= first_tick_ * (audio::kPlacePerSecond / setting_.tick_hz);
    filling().events.push_back(event);
}

void OfflineSound::on_tick(const core::SoundFrame& frame) noexcept {
    if (first_tick_ == INT64_MIN) first_tick_ = frame.tick;
    if (setting_.samples != nullptr) {
        core::SoundFrame counted = frame;
        counted.tick -= first_tick_;
        dampers_.look(counted, 0, [this](const audio::SampleEvent& event) {
            filling().events.push_back(event);
            return true;
        });
    }
    if (!chunks_) return take(frame, static_cast<std::size_t>(engine_.samples_per_tick()));
    chunks_->push(frame);
    core::SoundFrame chunk = frame;
    while (chunks_->next(chunk)) take(chunk, static_cast<std::size_t>(engine_.samples_per_tick()));
}

void OfflineSound::take(const core::SoundFrame& from, std::size_t samples) {
    Batch& batch = filling();
    Frame& frame = batch.frames[batch.count++];
    batch.samples += samples;
    frame.tick = from.tick;
    frame.tick_hz = from.tick_hz;
    frame.case_forces = from.case_forces;
    frame.forces.assign(from.forces.begin(), from.forces.end());
    std::copy(from.damper_compression_m.begin(), from.damper_compression_m.end(), frame.damper_compression_m.begin());
    if (batch.count == kFramesAtOnce) hand_over();
}

void OfflineSound::hand_over() {
    if (thread_.joinable()) {
        wanted_.release();
    } else {
        render(filling());
    }
    if (++handed_over_ - taken_back_ == kBatches) take_back();
}

void OfflineSound::take_back() {
    if (thread_.joinable()) done_.acquire();
    Batch& batch = batches_[taken_back_++ % kBatches];
    const auto per_frame = static_cast<std::size_t>(engine_.samples_per_tick());
    const std::size_t count = std::exchange(batch.samples, 0);
    batch.count = 0;
    for (std::size_t i = count; i > 0; --i) {
        if (std::max(std::abs(batch.left[i - 1]), std::abs(batch.right[i - 1])) <= kSilent) continue;
        last_sound_tick_ = batch.frames[(i - 1) / per_frame].tick;
        break;
    }
    const std::size_t skipped = std::min(count, static_cast<std::size_t>(skipped_samples_));
    skipped_samples_ -= static_cast<std::int64_t>(skipped);
    if (skipped < count)
        out_(std::span<const float>(batch.left).subspan(skipped, count - skipped),
             std::span<const float>(batch.right).subspan(skipped, count - skipped));
}

void OfflineSound::finish() {
    core::SoundFrame rest{0, setting_.tick_hz, {}, filling().frames[0].damper_compression_m};
    if (const int samples = chunks_ ? chunks_->rest(rest) : 0; samples > 0)
        take(rest, static_cast<std::size_t>(samples));
    if (filling().count > 0) hand_over();
    while (taken_back_ < handed_over_) take_back();
}

}  // namespace letoff::ui
