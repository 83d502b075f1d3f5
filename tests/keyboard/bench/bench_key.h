// The key the bench is tested with: A4 as regulated, with its strings.
#pragma once

#include "core/string/string_design.h"
#include "keyboard/bench/test_key.h"

namespace letoff::keyboard {

inline constexpr int kA4 = 48;

inline const core::StringSet& all_strings() {
    static const core::StringSet strings = core::design_strings({});
    return strings;
}

inline KeyBuild a4_build() {
    return {grand_defaults(), true, &all_strings().notes[kA4], kA4};
}

inline const TestKey& a4() {
    static const TestKey key = settle_test_key(a4_build());
    return key;
}

}  // namespace letoff::keyboard
