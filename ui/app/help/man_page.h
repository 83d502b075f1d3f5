// The manual page, from the same words as --help: `letoff --man` prints it, packaging installs it as letoff(1).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace letoff::ui {

/// troff with the man macros (groff_man(7)). `app` with all subcommands; `version`: "letoff 0.1.0".
std::string man_page(const CLI::App& app, std::string_view version);

}  // namespace letoff::ui
