// The line that calls the program or one of its subcommands: its options, its help and what it does. CLI11 does the
// work; including it costs ten seconds of compiling, so of the files that describe subcommands none does.
//
// Words are what --help, the manual page and bash's completion print. Nothing here fails but by a mistake in the
// program; what a user gets wrong is told by run_program (ui/app/cli.h).
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace letoff::ui {

/// Whether a word that was given may stand there.
struct Check {
    std::function<std::string(const std::string& given)> problem;  // "" or a sentence
    std::string words;
};

/// Accepts one of the names; the error says which they are. `what` names the thing: "engine".
Check one_of(std::string_view what, std::vector<std::string> names);

class CommandOption {
  public:
    explicit CommandOption(CLI::Option& option) : option_(option) {}

    CommandOption* option_text(std::string words);
    CommandOption* required();
    CommandOption* check(const Check& check);
    CommandOption* in_range(int from, int to);
    CommandOption* in_range(double from, double to);
    /// The value that stands before parsing is told as what it is without the option.
    CommandOption* capture_default_str();
    CommandOption* delimiter(char between);
    /// What follows the first value does not belong to it.
    CommandOption* one_value_each();
    CommandOption* when_given(std::function<void()> then);
    CommandOption* excludes(CommandOption* other);
    CommandOption* needs(CommandOption* other);

  private:
    CLI::Option& option_;
};

class CommandLine {
  public:
    explicit CommandLine(CLI::App& app) : app_(app) {}
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// `value` must live until the line was parsed. For the types that command_line.cpp lists at its end.
    template <typename Value>
    CommandOption* add_option(const std::string& names, Value& value, const std::string& words);
    CommandOption* add_flag(const std::string& names, bool& value, const std::string& words);
    CommandLine* add_subcommand(const std::string& name, const std::string& words);
    /// Just one of the subcommands has to be given.
    void require_subcommand();
    void footer(const std::string& words);
    void callback(std::function<void()> what_it_does);
    std::string get_name() const;
    /// Its name stood on the line.
    bool parsed() const;

  private:
    CLI::App& app_;
    std::deque<CommandOption> options_;
    std::deque<CommandLine> below_;
};

}  // namespace letoff::ui
