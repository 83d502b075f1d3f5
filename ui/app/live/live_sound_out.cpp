#include "ui/app/live/live_sound_out.h"

#include <utility>

namespace letoff::ui {
namespace {

// A tick's work takes up to half a tick (design, section 7) and is told at its end. Without room for it the sound would
// now and then wait for it in the middle of a contact, which is heard as a click.
constexpr double kMarginTicks = 0.5;

}  // namespace

double LiveSoundOut::margin_s() const {
    return kMarginTicks / tick_hz_;
}

audio::BlockSource* LiveSoundOut::stream_opening(int rate_hz, int /*frames*/) {
    std::unique_ptr<audio::LiveSound>& sound = by_rate_[rate_hz];
    if (!sound) {
        const audio::LiveSoundConfig config{.sample_rate_hz = rate_hz, .tick_hz = tick_hz_, .margin_s = margin_s()};
        auto made = audio::LiveSound::create(strings_, config, faults_);
        if (!made) return nullptr;
        sound = std::move(made.value());
    }
    present_.store(sound.get(), std::memory_order_release);
    return sound.get();
}

void LiveSoundOut::stream_stopped() {
    if (audio::LiveSound* sound = present_.load(std::memory_order_relaxed)) sound->device_stopped();
}

void LiveSoundOut::on_tick(const core::SoundFrame& frame) noexcept {
    audio::LiveSound* sound = present_.load(std::memory_order_acquire);
    if (sound == nullptr) return;
    if (sound != told_) {
        sound->set_time_zero_ns(time_zero_ns_);
        told_ = sound;
    }
    sound->on_tick(frame);
}

void LiveSoundOut::set_time_zero_ns(std::int64_t time_ns) noexcept {
    time_zero_ns_ = time_ns;
    told_ = nullptr;
}

void LiveSoundOut::set_resting(bool resting) noexcept {
    if (audio::LiveSound* sound = present_.load(std::memory_order_acquire)) sound->set_resting(resting);
}

bool LiveSoundOut::take_status(audio::LiveSoundStatus& status) {
    audio::LiveSound* sound = present_.load(std::memory_order_relaxed);
    return sound != nullptr && sound->take_status(status);
}

}  // namespace letoff::ui
