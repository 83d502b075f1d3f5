#include "storage/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/unit/key_name.h"
#include "core/unit/keys.h"
#include "storage/utf8.h"

namespace letoff::storage {

namespace {

/// A text from outside, fit to stand in a sentence.
std::string shown(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    std::string out(text.substr(0, kLongest));
    if (text.size() > kLongest) out += "...";
    if (is_clean_text(out, TextShape::kOneLine)) return out;
    for (char& c : out) {
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) c = '?';
    }
    return out;
}

bool is_row_id(std::string_view id) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !id.empty() && id.size() <= kLongestRowId_bytes && std::all_of(id.begin(), id.end(), fits);
}

Done check_value(const ProfilePlace& place, const ProfileValue& value, RowTables rows) {
    if (place.key < kWholeInstrument || place.key > core::kKeyCount) {
        return core::Error{fmt::format("there is no key {}; use 1 to {}", place.key, core::kKeyCount)};
    }
    if (!is_row_id(place.row)) {
        return core::Error{
            fmt::format("'{}' is no name of a value; letters, digits and '_' are needed", shown(place.row))};
    }
    const auto wrong = [&](std::string_view why) {
        return core::Error{fmt::format("{}: {}", place_name(place.key), why)};
    };
    if (!std::isfinite(value.value)) {
        return wrong(fmt::format("{} is {}; a finite number is needed", place.row, value.value));
    }
    const core::Row* row = core::find(rows, place.row);
    if (row == nullptr) return std::monostate{};
    if (value.relative) {
        const double span = row->maximum - row->minimum;
        if (std::abs(value.value) <= span) return std::monostate{};
        return wrong(fmt::format("{} is changed by {}; its whole range is {}{}{}", place.row, value.value, span,
                                 row->unit.empty() ? "" : " ", row->unit));
    }
    if (const auto valid = core::validate(*row, value.value); !valid) {
        std::string why = valid.error();
        if (why.ends_with('.')) why.pop_back();
        return wrong(why);
    }
    return std::monostate{};
}

}  // namespace

Done check_profile_name(std::string_view name) {
    const auto wrong = [&](std::string_view why) {
        return core::Error{fmt::format("'{}' cannot be the name of a profile: {}", shown(name), why)};
    };
    if (name.empty()) return wrong("it is empty");
    if (name.size() > kLongestName_bytes) return wrong(fmt::format("at most {} bytes fit", kLongestName_bytes));
    if (!is_clean_text(name, TextShape::kOneLine)) return wrong("printable UTF-8 text is needed");
    if (name.find('@') != std::string_view::npos) return wrong("'@' stands before the number of a revision");
    if (name.front() == ' ' || name.back() == ' ') return wrong("it begins or ends with a blank");
    return std::monostate{};
}

Done check_revision_note(std::string_view note) {
    if (note.size() > kLongestNote_bytes) {
        return core::Error{fmt::format("the note has {} bytes; at most {} fit", note.size(), kLongestNote_bytes)};
    }
    if (!is_clean_text(note, TextShape::kOneLine)) {
        return core::Error{fmt::format("the note '{}' is not one line of printable UTF-8 text", shown(note))};
    }
    return std::monostate{};
}

Done check_profile(const Profile& profile, RowTables rows, std::string_view where) {
    const auto wrong = [&](std::string_view why) { return core::Error{fmt::format("{}: {}", where, why)}; };
    if (auto name = check_profile_name(profile.name); !name) return wrong(name.error());
    if (!is_row_id(profile.action)) {
        return wrong(fmt::format("'{}' is no name of an action, such as 'grand'", shown(profile.action)));
    }
    if (profile.notes.size() > kLongestNotes_bytes) {
        return wrong(fmt::format("its notes have {} bytes; at most {} fit", profile.notes.size(), kLongestNotes_bytes));
    }
    if (!is_clean_text(profile.notes, TextShape::kLines)) return wrong("its notes are not printable UTF-8 text");
    if (profile.extra.size() > kLongestExtra_bytes) {
        return wrong(fmt::format("fields that this build does not know take {} bytes; at most {} are kept",
                                 profile.extra.size(), kLongestExtra_bytes));
    }
    if (profile.values.size() > kMostProfileValues) {
        return wrong(fmt::format("it has {} values; at most {} fit", profile.values.size(), kMostProfileValues));
    }
    for (const auto& [place, value] : profile.values) {
        if (auto valid = check_value(place, value, rows); !valid) return wrong(valid.error());
    }
    return std::monostate{};
}

std::string place_name(int key) {
    if (key == kWholeInstrument) return "whole instrument";
    return fmt::format("key {} ({})", key, core::key_name(key - 1));
}

std::vector<ProfileDifference> difference(const ProfileValues& before, const ProfileValues& after) {
    std::vector<ProfileDifference> differences;
    auto b = before.begin();
    auto a = after.begin();
    while (b != before.end() || a != after.end()) {
        if (a == after.end() || (b != before.end() && b->first < a->first)) {
            differences.push_back({b->first, b->second, std::nullopt});
            ++b;
        } else if (b == before.end() || a->first < b->first) {
            differences.push_back({a->first, std::nullopt, a->second});
            ++a;
        } else {
            if (!(b->second == a->second)) differences.push_back({a->first, b->second, a->second});
            ++a;
            ++b;
        }
    }
    return differences;
}

}  // namespace letoff::storage
