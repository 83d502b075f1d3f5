// The strings of the factory's piano, designed once for all tests of a program.
#pragma once

#include <memory>

#include "core/string/string_design.h"

namespace letoff::audio::test {

inline const core::StringSet& piano() {
    static const auto set = std::make_unique<core::StringSet>(core::design_strings({}));
    return *set;
}

}  // namespace letoff::audio::test
