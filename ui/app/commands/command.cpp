#include "ui/app/commands/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

namespace letoff::ui {
namespace {

void print_sentence(std::string_view command, std::string_view sentence) {
    std::fflush(stdout);
    fmt::print(stderr, "letoff{}{}: {}\n", command.empty() ? "" : " ", command, sentence);
}

}  // namespace

int failed(std::string_view command, std::string_view sentence) {
    print_sentence(command, sentence);
    return kFailed;
}

int wrong_use(std::string_view command, std::string_view sentence) {
    print_sentence(command, sentence);
    return kWrongUse;
}

void warn(std::string_view command, std::string_view sentence) {
    print_sentence(command, fmt::format("warning: {}", sentence));
}

CLI::Validator one_of(std::string_view what, std::initializer_list<std::string> names) {
    const std::vector<std::string> known(names);
    const auto check = [what = std::string(what), known](std::string& given) -> std::string {
        if (std::find(known.begin(), known.end(), given) != known.end()) return {};
        return fmt::format("there is no {} '{}', use {}", what, given, fmt::join(known, " or "));
    };
    return CLI::Validator(check, fmt::format("{}", fmt::join(known, "|")));
}

}  // namespace letoff::ui
