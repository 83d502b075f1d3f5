// The tables by which fingers play keys: from the cache what it has; the rest, such as the keys that a profile changes,
// computed and kept. A key's neighbours do not matter to its tables. A cache that fails costs time, never the
// instrument.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/rt/executor.h"
#include "keyboard/gesture/catch_up_table.h"
#include "keyboard/gesture/stroke_table.h"

namespace letoff::ui {

struct TableSetting {
    int tick_hz = 4000;
    std::string cache_file;  // empty: compute anew and keep nothing
};

/// `stopped` is asked often; when it says true, nothing is given back.
std::vector<keyboard::StrokeTable> find_or_learn_strokes(
    const TableSetting& setting, std::span<const keyboard::KeyBuild> keys, core::Executor& executor,
    const std::function<void(double share, const char* what)>& progress, std::vector<std::string>& warnings,
    const std::function<bool()>& stopped = {});

/// Of one key for each stroke table. What goes wrong with the cache is not told: the strokes' said it.
std::vector<keyboard::CatchUpTable> find_or_record_catch_up(const TableSetting& setting,
                                                            std::span<const keyboard::KeyBuild> keys,
                                                            std::span<const keyboard::StrokeTable> strokes,
                                                            core::Executor& executor);

}  // namespace letoff::ui
