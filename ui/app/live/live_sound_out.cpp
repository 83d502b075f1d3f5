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

LiveSoundOut::AtRate LiveSoundOut::make(int rate_hz) {
    AtRate made;
    audio::LiveSoundConfig config{
        .sample_rate_hz = rate_hz, .tick_hz = tick_hz_, .margin_s = margin_s(), .values = values_, .room = room_};
    const bool samples = samples_.engine != audio::Engine::kModal;
    if (samples) {
        made.link = std::make_unique<audio::SampleLink>(rate_hz, tick_hz_, config.longest_block, faults_);
        config.engine = samples_.engine;
        config.samples = made.link.get();
    }
    auto sound = audio::LiveSound::create(*strings_, config, faults_);
    if (!sound) return {};
    made.sound = std::move(sound.value());
    made.wish = had_wish_;
    if (samples) {
        const audio::LiveSamplerSetting setting{samples_.soundfont, audio::sample_keys(*strings_), samples_.program,
                                                samples_.rt};
        made.sampler = std::make_unique<audio::LiveSampler>(setting, *made.link);
    }
    return made;
}

bool LiveSoundOut::want(const core::StringDesign& design, const audio::SoundValues& values) {
    if (design == wanted_design_ && values == wanted_values_) return false;
    wanted_design_ = design;
    wanted_values_ = values;
    ++wish_;
    if (!change_) (void)start_change();
    return true;
}

/// For every sound that is not by the newest wish. False: there is none.
bool LiveSoundOut::start_change() {
    std::vector<audio::LiveSound*> sounds;
    for (auto& [rate_hz, at_rate] : by_rate_) {
        if (at_rate.sound && at_rate.wish != wish_) sounds.push_back(at_rate.sound.get());
    }
    if (sounds.empty() && had_wish_ == wish_) return false;
    change_ = std::make_unique<SoundChange>(sounds, wanted_design_, wanted_values_, wish_);
    return true;
}

bool LiveSoundOut::poll() {
    for (auto& [rate_hz, at_rate] : by_rate_) {
        if (at_rate.sound) at_rate.sound->collect();
    }
    if (!change_ || !change_->done()) return false;
    for (auto& [rate_hz, at_rate] : by_rate_) {
        if (at_rate.sound && change_->give(*at_rate.sound)) at_rate.wish = change_->wish();
    }
    values_ = change_->values();
    had_wish_ = change_->wish();
    changed_strings_ = change_->take_strings();
    strings_ = changed_strings_.get();
    change_.reset();
    return !start_change();
}

audio::BlockSource* LiveSoundOut::stream_opening(int rate_hz, int /*frames*/) {
    AtRate& at_rate = by_rate_[rate_hz];
    if (!at_rate.sound) at_rate = make(rate_hz);
    if (!at_rate.sound) return nullptr;
    present_.store(at_rate.sound.get(), std::memory_order_release);
    return at_rate.sound.get();
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

void LiveSoundOut::on_strike(const core::Strike& strike) noexcept {
    if (audio::LiveSound* sound = present_.load(std::memory_order_acquire)) sound->on_strike(strike);
}

std::vector<std::string> LiveSoundOut::take_sentences() {
    std::vector<std::string> sentences;
    for (auto& [rate_hz, at_rate] : by_rate_) {
        if (!at_rate.sampler) continue;
        if (std::string sentence = at_rate.sampler->take_sentence(); !sentence.empty())
            sentences.push_back(std::move(sentence));
    }
    return sentences;
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
