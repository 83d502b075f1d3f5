// The keys the bench is tested with: A4 as regulated, and every key as the instrument builds it, with its strings.
#pragma once

#include <map>
#include <string_view>

#include "keyboard/bench/test_key.h"
#include "keyboard/keybed/grand_keys.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {

inline constexpr int kA4 = 48;

inline KeyBuild a4_build() {
    return {grand_defaults(), true, &piano_strings().notes[kA4], kA4};
}

inline const TestKey& a4() {
    static const TestKey key = settle_test_key(a4_build());
    return key;
}

/// Key 1 (A0) to 88 (C8).
inline KeyBuild grand_build(int key) {
    return piano_keys(key - 1, 1).front();
}
inline const TestKey& grand_key(int key) {
    static std::map<int, TestKey> keys;
    const auto found = keys.find(key);
    return found != keys.end() ? found->second : keys.emplace(key, settle_test_key(grand_build(key))).first->second;
}

/// Key 1 to 88 of the action of that name.
inline KeyBuild action_build(std::string_view action, int key = 49, const core::StringSet& strings = piano_strings()) {
    GrandTouch touch;
    touch.action = find_action(action);
    return grand_keys(strings, key - 1, 1, touch).front();
}

/// A build with one of its numbers changed by this much.
inline KeyBuild turned(KeyBuild build, std::size_t row, double by) {
    build.values[row] += by;
    return build;
}

}  // namespace letoff::keyboard
