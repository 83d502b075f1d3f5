#include "ui/app/commands/bench_keys.h"

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "keyboard/keybed/grand_keys.h"

namespace letoff::ui {

core::Result<BenchKeys> bench_keys(const std::string& key, const Touch& touch) {
    int first = 0, last = core::kKeyCount - 1;
    if (key != "all") {
        const core::Result<int> index = core::parse_key(key);
        if (!index) return core::Error{index.error()};
        first = last = index.value();
    }
    BenchKeys keys;
    keys.strings = std::make_unique<core::StringSet>(core::design_strings(string_design_of(touch, touch.strings)));
    keys.builds = keyboard::grand_keys(*keys.strings, first, last - first + 1, touch.grand);
    return keys;
}

void TouchPoint::add_to(CommandLine& command) {
    const core::Row& row = keyboard::kGrandRows[keyboard::grand_row("touch_point_mm")];
    command
        .add_option("--touch-point", touch_point_mm_,
                    "How far towards the fallboard the finger plays, from 13 mm behind the front edge, in mm; else as "
                    "the profile says")
        ->in_range(row.minimum, row.maximum)
        ->option_text("MM");
}

void TouchPoint::apply(BenchKeys& keys) const {
    if (!touch_point_mm_) return;
    for (keyboard::KeyBuild& build : keys.builds)
        build.values[keyboard::grand_row("touch_point_mm")] = *touch_point_mm_;
}

}  // namespace letoff::ui
