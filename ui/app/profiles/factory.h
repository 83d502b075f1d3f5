// The factory profiles: made by code, the same in every build of one version, never stored and never changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/profile.h"

namespace letoff::ui {

inline constexpr std::string_view kDefaultProfile = "concert";

/// In the order in which they are listed.
std::vector<std::string> factory_names();
/// Upper and lower case alike; empty if there is none of that name.
std::optional<storage::Profile> factory_profile(std::string_view name);

}  // namespace letoff::ui
