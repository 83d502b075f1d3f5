#include "audio/sample/sample_player.h"

#include <algorithm>

namespace letoff::audio {

void SamplePlayer::add(std::int64_t frame, const SampleEvent& event) {
    const auto later = [](std::int64_t a, const Due& b) { return a < b.frame; };
    due_.insert(std::upper_bound(due_.begin(), due_.end(), frame, later), {frame, event});
}

void SamplePlayer::render(std::span<float> left, std::span<float> right) {
    auto next = due_.begin();
    for (std::size_t done = 0; done < left.size();) {
        for (; next != due_.end() && next->frame <= now_; ++next) {
            const SampleEvent& event = next->event;
            if (event.kind == SampleEvent::Kind::kDamper) {
                piano_->damp(event.key_index, event.value);
            } else {
                piano_->strike(event.key_index, event.value, {event.in_phase, event.felt_hardness});
            }
        }
        std::size_t part = left.size() - done;
        if (next != due_.end()) part = std::min(part, static_cast<std::size_t>(next->frame - now_));
        piano_->render(left.subspan(done, part), right.subspan(done, part));
        done += part;
        now_ += static_cast<std::int64_t>(part);
    }
    due_.erase(due_.begin(), next);
}

void SamplePlayer::silence() {
    piano_->silence();
}

}  // namespace letoff::audio
