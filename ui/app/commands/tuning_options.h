// The options that tune the piano, the same for everything that plays it and for `letoff tune`.
#pragma once

#include <optional>
#include <string>

#include "core/result.h"
#include "core/string/string_rows.h"
#include "ui/app/commands/command.h"

namespace letoff::ui {

struct TuningOptions {
    std::optional<double> a4_hz;
    std::string temperament, root, stretch, scala, key_map;

    void add_to(CommandLine& command);
    bool any() const;
    /// Options that do not go together, as one sentence; "" if all is well.
    std::string problem() const;
    /// What is asked for in place of what `values` have; files are read. Error: a value or file that cannot be.
    core::Result<core::StringValues> applied_to(core::StringValues values) const;
};

}  // namespace letoff::ui
