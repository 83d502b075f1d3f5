#include "ui/app/commands/command.h"

#include <fmt/format.h>

#include <cstdio>

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

}  // namespace letoff::ui
