#include "ui/app/commands/play_rows.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/rt/monotonic_clock.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

constexpr std::int64_t kOneTurn_ns = 2'000'000'000;  // a slider that moves is told as it begins

}  // namespace

core::Result<RowChange> osc_row(const hw::OscParameter& parameter) {
    // ":=" sets, whatever the sign. Numbers of OSC are floats as a rule: 1.6 shall not be 1.60000002384.
    return parse_row_change(fmt::format("{}:={:.7g}", parameter.id, parameter.value), kProfileRows);
}

core::Result<Touch> turn_rows(std::span<const RowTurned> rows, storage::Profile& content) {
    storage::Profile turned = content;
    for (const RowTurned& row : rows) apply(row.change, row.key, turned.values);
    auto touch = touch_of(turned);
    if (touch) content = std::move(turned);
    return touch;
}

void PlayRows::turn(std::span<const hw::OscParameter> parameters, LivePlay& live, PageControl* page,
                    storage::Profile& content, const LivePlay::Say& say) {
    std::vector<RowTurned> turned;
    const auto refuse = [&](const std::string& why) {
        if (std::exchange(refusal_, why) != why) say(fmt::format("OSC: {}", why));
    };
    for (const hw::OscParameter& parameter : parameters) {
        const auto change = osc_row(parameter);
        if (!change) {
            refuse(change.error());
            continue;
        }
        if (page == nullptr) {
            turned.push_back({change.value(), parameter.key});
            continue;
        }
        const std::array keys{parameter.key};
        const std::array changes{core::ValueChange{parameter.id, core::ValueChange::Kind::kSet, change.value().value}};
        if (const auto done = page->edit(page->draft().revision, keys, changes); !done) refuse(done.error());
    }
    if (turned.empty()) return;
    const auto touch = turn_rows(turned, content);
    if (!touch) return refuse(touch.error());
    refusal_.clear();
    const std::string sentence = live.take_touch(touch.value(), content);
    const std::int64_t now_ns = core::monotonic_now_ns();
    if (now_ns - turned_ns_ > kOneTurn_ns) {
        const hw::OscParameter& last = parameters.back();
        say(fmt::format("OSC: {} {:.7g}: {}", last.id, last.value, sentence));
    }
    turned_ns_ = now_ns;
}

}  // namespace letoff::ui
