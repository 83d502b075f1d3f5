#include "ui/app/recording/take_midi.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/app/render_report.h"

namespace letoff::ui {
namespace {

/// The recording's times, from its begin, as they were on the clock on the wall.
class WallTime {
  public:
    explicit WallTime(const storage::RecordingHead& head) : head_(head) {}
    void see(const core::TakeEvent& event) {
        if (event.kind == core::TakeKind::gap) gaps_s_ += event.value;
    }
    double of(double time_s) const { return std::max(0.0, time_s - head_.begin_s + gaps_s_); }
    double of_tick(std::int64_t tick) const { return of(static_cast<double>(tick) / head_.tick_hz); }

  private:
    const storage::RecordingHead& head_;
    double gaps_s_ = 0;
};

}  // namespace

core::Performance asked_performance(const storage::Recording& recording) {
    std::vector<core::TimedMidiMessage> messages;
    WallTime wall(recording.head);
    double end_s = 0;
    // Play ends with all fingers let go; that ends notes, but nobody lifted a pedal.
    const auto is_message = [](const core::TakeEvent& event) { return event.kind == core::TakeKind::message; };
    const auto after_last = std::find_if(recording.events.rbegin(), recording.events.rend(), is_message).base();
    for (auto at = recording.events.begin(); at != recording.events.end(); ++at) {
        const core::TakeEvent& event = *at;
        wall.see(event);
        end_s = wall.of_tick(event.tick);
        if (event.kind == core::TakeKind::message) {
            messages.push_back({wall.of(event.time_s), event.message});
        } else if (event.kind == core::TakeKind::release_all || event.kind == core::TakeKind::end) {
            for (int channel = 0; channel < core::kMidiChannels; ++channel) {
                messages.push_back({end_s, core::control_change(channel, core::kAllNotesOff, 0)});
                if (at < after_last)
                    messages.push_back({end_s, core::control_change(channel, core::kResetAllControllers, 0)});
            }
        }
    }
    // A message acts in the tick that covers it and may be a little older than one told before it.
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
    return core::performance_of(messages, end_s);
}

core::Performance struck_performance(const storage::Recording& recording) {
    std::vector<core::Strike> strikes;
    std::vector<core::Release> releases;
    WallTime wall(recording.head);
    for (const core::TakeEvent& event : recording.events) {
        wall.see(event);
        if (event.key < 0 || event.key >= core::kKeyCount) continue;
        if (event.kind == core::TakeKind::strike) {
            strikes.push_back(
                {.key_index = event.key, .strike_time_s = wall.of(event.time_s), .hammer_speed_mps = event.value});
        } else if (event.kind == core::TakeKind::release) {
            releases.push_back({event.key, wall.of(event.time_s), event.value});
        }
    }
    return strikes_as_performance({.notes = {}, .extra_strikes = strikes, .releases = releases},
                                  asked_performance(recording));
}

}  // namespace letoff::ui
