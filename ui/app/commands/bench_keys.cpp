#include "ui/app/commands/bench_keys.h"

#include "core/string/string_design.h"
#include "core/unit/key_name.h"
#include "keyboard/action/registers.h"

namespace letoff::ui {

core::Result<BenchKeys> bench_keys(const std::string& key) {
    int first = 0, last = core::kKeyCount - 1;
    if (key != "all") {
        const core::Result<int> index = core::parse_key(key);
        if (!index) return core::Error{index.error()};
        first = last = index.value();
    }
    BenchKeys keys;
    keys.strings = std::make_unique<core::StringSet>(core::design_strings({}));
    for (int k = first; k <= last; ++k) {
        keys.builds.push_back(
            {keyboard::grand_values(k), k < keyboard::kDampedKeys, &keys.strings->notes[static_cast<size_t>(k)], k});
    }
    return keys;
}

}  // namespace letoff::ui
