#include "ui/app/live/sound_change.h"

#include <utility>

namespace letoff::ui {

SoundChange::SoundChange(const std::vector<audio::LiveSound*>& sounds, const core::StringDesign& design,
                         const audio::SoundValues& values, int wish)
    : design_(design), values_(values), wish_(wish) {
    for (audio::LiveSound* sound : sounds) engines_.push_back({sound, nullptr});
    thread_ = std::thread([this] { run(); });
}

SoundChange::~SoundChange() {
    thread_.join();
}

void SoundChange::run() {
    strings_ = std::make_unique<const core::StringSet>(core::design_strings(design_));
    for (ForSound& each : engines_) {
        // The rates are those that it plays at already, so it cannot fail.
        if (auto engine = each.sound->make_engine(*strings_, values_)) each.engine = std::move(engine.value());
    }
    done_.store(true, std::memory_order_release);
}

bool SoundChange::give(audio::LiveSound& sound) {
    for (ForSound& each : engines_) {
        if (each.sound != &sound) continue;
        if (each.engine) sound.replace(std::move(each.engine), values_.room());
        return true;
    }
    return false;
}

}  // namespace letoff::ui
