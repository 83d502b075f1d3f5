// The program with a profile of its own to turn, and a folder for files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/system/profiled_program.h"

namespace letoff::test {

class CliProfile : public ProfiledProgram {
  protected:
    void make_mine() const { out({"profile", "copy", "concert", "Mine"}); }
    /// The values of a profile as "key row value[ relative]" lines.
    std::string values_of(const std::string& name) const {
        std::string lines;
        const nlohmann::json shown = reported({"profile", "show", name});
        for (const nlohmann::json& value : shown["values"]) {
            lines += value["key"].is_null() ? "all" : value["key"].dump();
            lines += " " + value["row"].get<std::string>() + " " + value["value"].dump();
            lines += value["relative"].get<bool>() ? " relative\n" : "\n";
        }
        return lines;
    }
    std::string in(const std::string& name) const { return folder_.path() / name; }
    std::filesystem::path database() const { return data_.path() / "letoff/profiles.db"; }

    TempDir folder_;
};

}  // namespace letoff::test
