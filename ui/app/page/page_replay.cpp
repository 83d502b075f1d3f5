#include "ui/app/page/page_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/rt/monotonic_clock.h"

namespace letoff::ui {
namespace {

constexpr std::int64_t kAhead_ns = 150'000'000;  // three polls
constexpr std::int64_t kLead_ns = 300'000'000;   // before the first note

double seconds(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

}  // namespace

core::Result<std::string> PageReplay::start(std::string_view name, const storage::Recording& recording) {
    std::vector<core::ArrivedMessage> messages;
    std::int64_t gap_ns = 0;
    for (const core::TakeEvent& event : recording.events) {
        if (event.kind == core::TakeKind::gap) gap_ns += static_cast<std::int64_t>(1e9 * event.value);
        if (event.kind != core::TakeKind::message) continue;
        std::int64_t at_ns = gap_ns + static_cast<std::int64_t>(1e9 * event.time_s);
        if (!messages.empty()) at_ns = std::max(at_ns, messages.back().time_ns);
        messages.push_back({at_ns, event.message});
    }
    if (messages.empty()) return core::Error{fmt::format("in '{}' nothing is played", name)};
    const std::int64_t first_ns = messages.front().time_ns;
    for (core::ArrivedMessage& message : messages) message.time_ns -= first_ns;
    if (!name_.empty()) end();
    name_ = name;
    messages_ = std::move(messages);
    next_ = 0;
    zero_ns_ = core::monotonic_now_ns() + kLead_ns;
    return fmt::format("'{}' plays", name);
}

core::Result<std::string> PageReplay::stop() {
    if (name_.empty()) return core::Error{"nothing is being played again"};
    const std::string name = name_;
    end();
    return fmt::format("'{}' stopped", name);
}

/// What the port was given ahead is taken back too: a note of it would begin after all fingers have left, and be held.
void PageReplay::end() {
    name_.clear();
    messages_.clear();
    port_.stop_again();
    port_.release_all();
}

void PageReplay::poll() {
    if (name_.empty()) return;
    const std::int64_t now_ns = core::monotonic_now_ns();
    for (; next_ < messages_.size(); ++next_) {
        const core::ArrivedMessage& next = messages_[next_];
        const std::int64_t at_ns = zero_ns_ + next.time_ns;
        if (at_ns > now_ns + kAhead_ns || !port_.play_again({at_ns, next.message})) return;
    }
    if (now_ns >= zero_ns_ + messages_.back().time_ns + kAhead_ns) end();
}

double PageReplay::length_s() const {
    return messages_.empty() ? 0 : seconds(messages_.back().time_ns);
}

double PageReplay::played_s() const {
    return name_.empty() ? 0 : std::clamp(seconds(core::monotonic_now_ns() - zero_ns_), 0.0, length_s());
}

}  // namespace letoff::ui
