#include "ui/app/recording/table_history.h"

#include <algorithm>
#include <span>
#include <string>

#include "ui/app/cache_file.h"
#include "ui/app/finger_tables.h"

namespace letoff::ui {

TableHistory::TableHistory(Instrument& instrument) : instrument_(instrument), keys_(TouchedKeys::as_built(instrument)) {
    by_version_.emplace_back(0, keys_.keys);
}

void TableHistory::turn(std::uint64_t version, const Touch& touch) {
    if (!keys_.turn(instrument_.strings(), touch, version).empty()) by_version_.emplace_back(version, keys_.keys);
}

std::unique_ptr<keyboard::KeybedTouch> TableHistory::keybed_touch(std::uint64_t version) const {
    return keys_.keybed_touch(version);
}

std::unique_ptr<keyboard::LiveTables> TableHistory::tables(std::uint64_t strokes_touch,
                                                           std::vector<std::uint64_t> catch_up_touch) const {
    const InstrumentSetting& setting = instrument_.setting();
    std::vector<std::string> ignored;
    const auto strokes_of = [&](std::span<const keyboard::KeyBuild> keys) {
        return find_or_learn_strokes({setting.tick_hz, setting.cache_file}, keys, instrument_.executor(), {}, ignored);
    };
    auto tables = std::make_unique<keyboard::LiveTables>();
    tables->strokes_touch = strokes_touch;
    tables->strokes = strokes_touch == 0 ? first_tables(instrument_)->strokes : strokes_of(keys_at(strokes_touch));
    if (catch_up_touch.empty()) return tables;
    std::vector<keyboard::KeyBuild> keys;
    for (std::size_t k = 0; k < catch_up_touch.size(); ++k) keys.push_back(keys_at(catch_up_touch[k])[k]);
    tables->catch_up = find_or_record_catch_up({setting.tick_hz, catch_up_cache_file(setting.cache_file)}, keys,
                                               strokes_of(keys), instrument_.executor());
    for (std::size_t k = 0; k < catch_up_touch.size(); ++k) {
        if (catch_up_touch[k] == keyboard::kNoTouch) tables->catch_up[k] = {};
    }
    tables->catch_up_touch = std::move(catch_up_touch);
    return tables;
}

/// The keys as the last touch up to this version made them.
const std::vector<keyboard::KeyBuild>& TableHistory::keys_at(std::uint64_t version) const {
    const auto after = std::upper_bound(by_version_.begin(), by_version_.end(), version,
                                        [](std::uint64_t v, const auto& entry) { return v < entry.first; });
    return std::prev(after)->second;
}

}  // namespace letoff::ui
