// A touch profile as a JSON file, for giving away and keeping (packaging/profiles/profile.schema.json):
//
//   {"format": "letoff-profile", "version": 1, "name": "My grand", "action": "grand", "notes": "...",
//    "values": {"lever_height_mm": 0.2, "backcheck_x_mm": {"relative": -0.5}},
//    "keys": {"49": {"hammer_mass_kg": {"relative": 0.003}}}}
//
// A plain number is absolute, in the row's unit. Fields of the top level that this build does not know, and values of
// rows it does not know, are kept and written out again. Values are written in the order of their keys and names,
// numbers with the fewest digits that read back to the bit (std::to_chars): what is exported, imported and exported
// again is the same to the byte. Older versions are read, newer ones refused. All or nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"
#include "storage/profile.h"

namespace letoff::storage {

inline constexpr std::string_view kProfileFormat = "letoff-profile";
inline constexpr std::size_t kLargestProfileFile_bytes = 4 << 20;  // a profile of kMostProfileValues fits

std::string profile_json(const Profile& profile);

/// Checks everything, the known rows' limits too. `file_name` is for the sentence.
core::Result<Profile> parse_profile_json(std::string_view text, std::string_view file_name, RowTables rows);

/// The same from a file, of which no more than the largest size is read.
core::Result<Profile> read_profile_file(const std::filesystem::path& file, RowTables rows);

}  // namespace letoff::storage
