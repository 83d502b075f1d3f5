// Which build of the program this is: the identity that the linker computed over all that went into it (the ELF note
// GNU build-id), as hexadecimal digits; "unknown" where it put none. Two builds that may compute other bits have
// different ones.
#pragma once

#include <string>

namespace letoff::ui {

std::string build_id();

}  // namespace letoff::ui
