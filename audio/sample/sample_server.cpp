#include "audio/sample/sample_server.h"

#include <algorithm>
#include <span>
#include <utility>

namespace letoff::audio {

SampleServer::SampleServer(SampleLink& link, std::unique_ptr<SampledPiano> piano)
    : link_(link),
      player_(std::move(piano)),
      left_(static_cast<std::size_t>(link.longest_block())),
      right_(left_.size()) {}

bool SampleServer::serve() {
    if (!link_.next_request(last_)) return false;
    if (last_.anew) player_.silence();
    const auto frames = static_cast<std::size_t>(last_.frames);
    const Place length = std::max<Place>(last_.end - last_.begin, 1);
    SampleEvent event;
    while (link_.next_event(last_, event)) {
        // What comes late, or counts from an old time zero, happens now.
        const Place since = event.epoch == last_.epoch ? std::clamp<Place>(event.place - last_.begin, 0, length) : 0;
        player_.add(player_.now() + since * last_.frames / length, event);
    }
    const std::span<float> left(left_.data(), frames), right(right_.data(), frames);
    player_.render(left, right);
    link_.push_sound(left, right);
    return true;
}

}  // namespace letoff::audio
