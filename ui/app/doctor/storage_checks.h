// What is kept for the user: profiles, recordings, finger tables, and room for more. Opens what is there as the other
// subcommands do, and makes nothing.
#pragma once

#include <string>

#include "core/fault/finding.h"

namespace letoff::ui {

/// Databases of profiles and recordings, or "" for the user's own.
core::Findings check_storage(const std::string& db, const std::string& recordings);

}  // namespace letoff::ui
