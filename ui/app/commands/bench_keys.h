// The keys that measure and simulate put on the bench: as the instrument builds them, with their strings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/string/modal_string.h"
#include "keyboard/keybed/action_block.h"
#include "ui/app/commands/command_line.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

struct BenchKeys {
    std::unique_ptr<core::StringSet> strings;  // the builds point into it
    std::vector<keyboard::KeyBuild> builds;
};

/// `key`: all, or as core::parse_key takes it.
core::Result<BenchKeys> bench_keys(const std::string& key, const Touch& touch = {});

/// --touch-point, the same for all that put keys on the bench: in place of what the profile says.
class TouchPoint {
  public:
    void add_to(CommandLine& command);
    void apply(BenchKeys& keys) const;

  private:
    std::optional<double> touch_point_mm_;
};

}  // namespace letoff::ui
