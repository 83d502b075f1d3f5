#include "audio/live/sounding_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace letoff::audio {

SoundingEngine::SoundingEngine(std::unique_ptr<SoundEngine> first, int sample_rate_hz)
    : rings_out_samples_(std::llround(kRingsOut_s * sample_rate_hz)), present_(std::move(first)) {
    for (std::vector<float>& side : tail_) side.resize(static_cast<std::size_t>(present_->samples_per_tick()));
}

SoundingEngine::~SoundingEngine() {
    collect();
    delete next_.load(std::memory_order_acquire);
}

void SoundingEngine::replace(std::unique_ptr<SoundEngine> next) {
    collect();
    delete next_.exchange(next.release(), std::memory_order_acq_rel);
}

void SoundingEngine::collect() {
    SoundEngine* old = nullptr;
    while (rung_out_.try_pop(old)) delete old;
}

bool SoundingEngine::begin_block(bool hammer_on_string) noexcept {
    if (leaving_ && left_samples_ <= 0) {
        SoundEngine* silent = leaving_.release();
        if (!rung_out_.try_push(silent)) leaving_.reset(silent);  // the next block tries again
    }
    if (leaving_ || hammer_on_string || next_.load(std::memory_order_relaxed) == nullptr) return false;
    leaving_ = std::exchange(present_, nullptr);
    present_.reset(next_.exchange(nullptr, std::memory_order_acq_rel));
    left_samples_ = rings_out_samples_;
    return true;
}

void SoundingEngine::render(const core::SoundFrame& frame, std::span<float> left, std::span<float> right) noexcept {
    present_->render({&frame, 1}, left, right);
    if (left_samples_ > 0) add_leaving(frame, left, right);
}

void SoundingEngine::add_leaving(const core::SoundFrame& frame, std::span<float> left,
                                 std::span<float> right) noexcept {
    core::SoundFrame untouched = frame;
    untouched.forces = {};
    untouched.case_forces = {};
    const auto tail_left = std::span(tail_[0]).first(left.size()), tail_right = std::span(tail_[1]).first(right.size());
    leaving_->render({&untouched, 1}, tail_left, tail_right);
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto gain = static_cast<float>(static_cast<double>(std::max<std::int64_t>(left_samples_, 0)) /
                                             static_cast<double>(rings_out_samples_));
        left[i] += gain * tail_left[i];
        right[i] += gain * tail_right[i];
        --left_samples_;
    }
}

void SoundingEngine::silence() noexcept {
    present_->silence();
    left_samples_ = 0;
}

}  // namespace letoff::audio
