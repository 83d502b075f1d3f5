// The keys that measure and simulate put on the bench: as the instrument builds them, with their strings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/string/modal_string.h"
#include "keyboard/action/registers.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::ui {

struct BenchKeys {
    std::unique_ptr<core::StringSet> strings;  // the builds point into it
    std::vector<keyboard::KeyBuild> builds;
};

/// `key`: all, or as core::parse_key takes it.
core::Result<BenchKeys> bench_keys(const std::string& key, const keyboard::GrandTouch& touch = {});

}  // namespace letoff::ui
