#include "ui/app/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

namespace letoff::ui {

Check one_of(std::string_view what, std::vector<std::string> names) {
    const std::string words = fmt::format("{}", fmt::join(names, "|"));
    const auto problem = [what = std::string(what), known = std::move(names)](const std::string& given) -> std::string {
        if (std::find(known.begin(), known.end(), given) != known.end()) return {};
        return fmt::format("there is no {} '{}', use {}", what, given, fmt::join(known, " or "));
    };
    return {problem, words};
}

CommandOption* CommandOption::option_text(std::string words) {
    option_.option_text(std::move(words));
    return this;
}

CommandOption* CommandOption::required() {
    option_.required();
    return this;
}

CommandOption* CommandOption::check(const Check& check) {
    option_.check(
        CLI::Validator([problem = check.problem](std::string& given) { return problem(given); }, check.words));
    return this;
}

CommandOption* CommandOption::in_range(int from, int to) {
    option_.check(CLI::Range(from, to));
    return this;
}

CommandOption* CommandOption::in_range(double from, double to) {
    option_.check(CLI::Range(from, to));
    return this;
}

CommandOption* CommandOption::capture_default_str() {
    option_.capture_default_str();
    return this;
}

CommandOption* CommandOption::delimiter(char between) {
    option_.delimiter(between);
    return this;
}

CommandOption* CommandOption::one_value_each() {
    option_.allow_extra_args(false);
    return this;
}

CommandOption* CommandOption::when_given(std::function<void()> then) {
    option_.each([then = std::move(then)](const std::string&) { then(); });
    return this;
}

CommandOption* CommandOption::excludes(CommandOption* other) {
    option_.excludes(&other->option_);
    return this;
}

CommandOption* CommandOption::needs(CommandOption* other) {
    option_.needs(&other->option_);
    return this;
}

template <typename Value>
CommandOption* CommandLine::add_option(const std::string& names, Value& value, const std::string& words) {
    return &options_.emplace_back(*app_.add_option(names, value, words));
}

CommandOption* CommandLine::add_flag(const std::string& names, bool& value, const std::string& words) {
    return &options_.emplace_back(*app_.add_flag(names, value, words));
}

CommandLine* CommandLine::add_subcommand(const std::string& name, const std::string& words) {
    return &below_.emplace_back(*app_.add_subcommand(name, words));
}

void CommandLine::require_subcommand() {
    app_.require_subcommand(1);
}

void CommandLine::footer(const std::string& words) {
    app_.footer(words);
}

void CommandLine::callback(std::function<void()> what_it_does) {
    app_.callback(std::move(what_it_does));
}

std::string CommandLine::get_name() const {
    return app_.get_name();
}

bool CommandLine::parsed() const {
    return app_.parsed();
}

#define LETOFF_OPTION_OF(...) \
    template CommandOption* CommandLine::add_option(const std::string&, __VA_ARGS__&, const std::string&)
LETOFF_OPTION_OF(int);
LETOFF_OPTION_OF(double);
LETOFF_OPTION_OF(std::string);
LETOFF_OPTION_OF(std::vector<std::string>);
LETOFF_OPTION_OF(std::vector<double>);
LETOFF_OPTION_OF(std::optional<int>);
LETOFF_OPTION_OF(std::optional<double>);
LETOFF_OPTION_OF(std::optional<std::string>);
#undef LETOFF_OPTION_OF

}  // namespace letoff::ui
