// What LivePlay keeps and tells of what is played, and what it takes beside notes: recordings, lines of JSON, OSC and
// tunings.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "ui/app/live/live_play.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {

core::Result<bool> LivePlay::open_event_lines() {
    EventLines::Also also;
    if (!setting_.osc_out.empty()) {
        auto out = hw::OscOut::open(setting_.osc_out);
        if (!out) return core::Error{out.error()};
        also = [osc = std::shared_ptr(std::move(out.value())),
                begin_s = instrument_.keybed().now_s()](const core::TakeEvent& event) { osc->send(event, begin_s); };
        say(fmt::format("OSC is sent to {}", setting_.osc_out));
    }
    if (setting_.events.empty() && !also) return true;
    auto lines = EventLines::start(setting_.events, instrument_.keybed().now_s(),
                                   instrument_.setting().touch.action->has_hammer(), faults_, std::move(also));
    if (!lines) return core::Error{lines.error()};
    event_lines_ = std::move(lines.value());
    return true;
}

core::Result<bool> LivePlay::start_recording() {
    if (setting_.captures) {
        if (auto capture = takes_.capture(std::move(*setting_.captures), setting_.captured); !capture)
            say(fmt::format("what is played is not captured: {}", capture.error()));
        setting_.captures.reset();
    }
    if (!setting_.recordings) return true;
    storage::RecordingHead head = setting_.recording;
    head.begin_s = instrument_.keybed().now_s();
    auto recording = takes_.record(std::move(*setting_.recordings), head, storage::RecordingWriter::From::kNow);
    setting_.recordings.reset();
    if (!recording) return recording;
    say(fmt::format("recording '{}'", head.name));
    return true;
}

core::Result<bool> LivePlay::open_osc() {
    if (setting_.osc_in.empty()) return true;
    auto in = hw::OscIn::start(
        setting_.osc_in,
        [this] {
            clock_.wake();
            midi_->outputs().wake();
        },
        faults_);
    if (!in) return core::Error{in.error()};
    osc_in_ = std::move(in.value());
    work_->take_osc(*osc_in_);
    say(fmt::format("OSC is taken at {}", osc_in_->address()));
    return true;
}

void LivePlay::open_tuning() {
    if (auto folder = user_data_folder(); folder) tuning_in_ = std::make_unique<TuningIn>(folder.value());
}

void LivePlay::poll_tuning() {
    if (!tuning_in_) return;
    const std::int64_t now_ns = core::monotonic_now_ns();
    for (hw::TuningMessage tuning; midi_->inputs().pop_tuning(tuning);) tuning_in_->take(tuning.sysex(), now_ns);
    if (const std::string sentence = tuning_in_->poll(now_ns); !sentence.empty()) say(sentence);
}

}  // namespace letoff::ui
