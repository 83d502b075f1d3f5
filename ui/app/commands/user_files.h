// Files and folders that a user names on the command line.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::ui {

/// The whole of a CSV file, at most 64 MB: some million lines. Error: a sentence that says which `columns` are needed.
core::Result<std::string> read_csv_file(const std::string& file, std::string_view columns);

/// Makes the folder where there is none; "" or the sentence why no pictures can be put there.
std::string make_plot_folder(const std::string& folder);

}  // namespace letoff::ui
