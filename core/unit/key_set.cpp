#include "core/unit/key_set.h"

#include <fmt/format.h>

#include <bitset>
#include <optional>

#include "core/unit/key_name.h"

namespace letoff::core {

namespace {

std::optional<Register> register_named(std::string_view name) {
    for (const Register& candidate : kRegisters) {
        if (candidate.name == name) return candidate;
    }
    return std::nullopt;
}

/// One part between commas.
Result<Register> parse_part(std::string_view text) {
    if (const auto known = register_named(text)) return *known;
    const size_t dash = text.find('-');
    const auto first = parse_key(text.substr(0, dash));
    if (!first) return Error{first.error()};
    if (dash == std::string_view::npos) return Register{text, first.value(), first.value()};
    const auto last = parse_key(text.substr(dash + 1));
    if (!last) return Error{last.error()};
    if (last.value() < first.value()) {
        return Error{fmt::format("The keys '{}' run downwards; write the lower key first.", text)};
    }
    return Register{text, first.value(), last.value()};
}

}  // namespace

Result<std::vector<int>> parse_keys(std::string_view text) {
    std::bitset<kKeyCount> chosen;
    while (true) {
        const size_t comma = text.find(',');
        const auto part = parse_part(text.substr(0, comma));
        if (!part) return Error{part.error()};
        for (int k = part.value().first; k <= part.value().last; ++k) chosen.set(static_cast<size_t>(k));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    std::vector<int> keys;
    for (int k = 0; k < kKeyCount; ++k) {
        if (chosen.test(static_cast<size_t>(k))) keys.push_back(k);
    }
    return keys;
}

std::string key_list(const std::vector<int>& key_indices) {
    std::string list;
    for (size_t i = 0; i < key_indices.size(); ++i) {
        const size_t first = i;
        while (i + 1 < key_indices.size() && key_indices[i + 1] == key_indices[i] + 1) ++i;
        if (!list.empty()) list += ',';
        list += key_name(key_indices[first]);
        if (i > first) list += (i == first + 1 ? ',' : '-') + key_name(key_indices[i]);
    }
    return list;
}

}  // namespace letoff::core
