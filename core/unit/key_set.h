// Several keys as people write them: keys as core/unit/key_name takes them, ranges and registers, joined by commas:
// "A4", "1-20", "A0-E2,C8", "bass".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/unit/keys.h"

namespace letoff::core {

struct Register {
    std::string_view name;
    int first, last;  // key indices
};
/// The bass has the wound strings of core/string/string_table (A0 to E2); the rest is halved, our choice.
inline constexpr Register kRegisters[] = {{"bass", 0, 19}, {"tenor", 20, 53}, {"treble", 54, kKeyCount - 1}};

/// Key indices 0..87, each once, ascending.
Result<std::vector<int>> parse_keys(std::string_view text);

/// The shortest way to write them: "A4", "A0-E2", "A4,C5-E5". Ascending indices.
std::string key_list(const std::vector<int>& key_indices);

}  // namespace letoff::core
