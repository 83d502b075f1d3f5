// Completion for bash, from the same options as --help: `letoff --bash-completion` prints it, packaging installs it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace letoff::ui {

/// A script that defines _letoff and completes subcommands, options and their fixed words; else names of files.
std::string bash_completion(const CLI::App& app);

}  // namespace letoff::ui
