// A touch profile: an action by name and what differs from that action's rows (core/param/row.h), for the whole
// instrument or for single keys; a name and notes.
//
// A value is absolute, in the row's unit, or relative: an amount on top of what would hold without it. Without any
// value a row has, for the whole instrument, its default, and for a key what the action's registers make of the whole
// instrument's. Rows are known here only as data handed in; a value whose row this build does not know (it comes from a
// newer or another one) is kept as it is.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/param/row.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

inline constexpr int kWholeInstrument = 0;

/// Where a value holds.
struct ProfilePlace {
    int key = kWholeInstrument;  // or 1..88
    std::string row;             // its id
    auto operator<=>(const ProfilePlace&) const = default;
};

struct ProfileValue {
    double value = 0;
    bool relative = false;
    bool operator==(const ProfileValue&) const = default;
};

using ProfileValues = std::map<ProfilePlace, ProfileValue>;

struct Profile {
    std::string name{};
    std::string action{};
    std::string notes{};
    ProfileValues values{};
    std::string extra{};  // a JSON object of the fields that this build does not know; "" if there are none

    bool operator==(const Profile&) const = default;
};

/// One span a folder, all of them put together by ui/app.
using RowTables = std::span<const std::span<const core::Row>>;

// Bounds, so that no profile is larger than an exported file may be (storage/profile_json.h).
inline constexpr std::size_t kLongestName_bytes = 80;
inline constexpr std::size_t kLongestNotes_bytes = 8192;
inline constexpr std::size_t kLongestNote_bytes = 400;  // the note of one revision
inline constexpr std::size_t kLongestRowId_bytes = 64;
inline constexpr std::size_t kLongestExtra_bytes = 65536;
inline constexpr std::size_t kMostProfileValues = 20000;  // 88 keys of 226 rows

/// Printable UTF-8 without '@' (NAME@7 means revision 7), no blank at either end.
Done check_profile_name(std::string_view name);
/// One line of UTF-8 without control characters.
Done check_revision_note(std::string_view note);
/// All of a profile: texts, bounds, and each value against its row where the row is known. `where` begins the sentence:
/// the profile's or the file's name.
Done check_profile(const Profile& profile, RowTables rows, std::string_view where);

/// "whole instrument" or "key 49 (A4)".
std::string place_name(int key);

struct ProfileDifference {
    ProfilePlace place;
    std::optional<ProfileValue> before, after;  // empty: no value of its own
};
/// Where the values of two profiles differ, in the order of places.
std::vector<ProfileDifference> difference(const ProfileValues& before, const ProfileValues& after);

}  // namespace letoff::storage
