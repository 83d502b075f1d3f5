// Live play's devices, changed while it plays: sound, MIDI ports, motors that fell.
#include <fmt/format.h>

#include <utility>

#include "ui/app/live/live_play.h"

namespace letoff::ui {

std::string words_of(const audio::AudioFormat& format) {
    return fmt::format("{}{}, {} Hz in blocks of {} frames", audio::name_of(format.way),
                       format.device.empty() ? "" : fmt::format(" ({})", format.device), format.rate_hz, format.frames);
}

core::Result<std::string> LivePlay::use_audio(const audio::AudioChoice& choice) {
    if (hw::midi_holds_dead_jack_clients())
        return core::Error{"a JACK server has just ended and its ports are being closed; try again in a moment"};
    const std::lock_guard lock(audio_mutex_);
    const audio::AudioFormat before = audio_->format();
    audio::AudioChoice old = setting_.audio.choice;
    // A WAV file that ended is complete, and would be written over.
    if (before.way == audio::AudioChoice::Way::kWav) old = {audio::AudioChoice::Way::kNone, {}, {}};
    xruns_of_others_ += audio_->counters().xruns.load(std::memory_order_relaxed);
    const auto ended = audio_->stop();
    const auto open = [this](const audio::AudioChoice& wanted) -> core::Result<bool> {
        setting_.audio.choice = wanted;
        auto opened = audio::AudioOut::open(setting_.audio, sound_);
        if (!opened) return core::Error{opened.error()};
        audio_ = std::move(opened.value());
        return true;
    };
    const auto opened = open(choice);
    if (opened) {
        const std::string sentence =
            "sound: " + words_of(audio_->format()) + (ended ? "" : fmt::format("; before: {}", ended.error()));
        say(sentence);
        return sentence;
    }
    if (!open(old)) (void)open({audio::AudioChoice::Way::kNone, {}, {}});
    const bool silent = audio_->format().way == audio::AudioChoice::Way::kNone;
    return core::Error{fmt::format(
        "{}; {}", opened.error(),
        silent ? "no sound goes out now" : fmt::format("the sound goes on through {}", words_of(audio_->format())))};
}

void LivePlay::use_midi_in(hw::MidiChoice choice) {
    setting_.midi_in = choice;
    midi_->choose_in(std::move(choice));
}

void LivePlay::use_midi_out(std::vector<hw::MidiOutputChoice> choices) {
    setting_.midi_out = choices;
    midi_->choose_out(std::move(choices));
}

core::Result<std::string> LivePlay::rearm() {
    if (!motor_) return core::Error{"this instrument was started without motorised keys (--keybed none)"};
    std::string sentence = motor_->rearm();
    say("asked to arm the motors again: " + sentence);
    return sentence;
}

LiveDevices LivePlay::devices() {
    LiveDevices all;
    all.audio_choice = setting_.audio.choice;
    all.audio = audio_->format();
    all.audio_runs = audio_->running();
    all.midi_in = setting_.midi_in;
    all.midi_out = setting_.midi_out;
    all.midi = midi_->devices();
    all.keybed = setting_.keybed;
    if (motor_) all.motors = motor_->status();
    return all;
}

}  // namespace letoff::ui
