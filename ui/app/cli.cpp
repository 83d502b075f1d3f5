#include "ui/app/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "ui/app/commands/bench.h"
#include "ui/app/commands/command.h"
#include "ui/app/commands/devices.h"
#include "ui/app/commands/doctor.h"
#include "ui/app/commands/keybed.h"
#include "ui/app/commands/keyboard.h"
#include "ui/app/commands/measure.h"
#include "ui/app/commands/play.h"
#include "ui/app/commands/profile.h"
#include "ui/app/commands/record.h"
#include "ui/app/commands/regulate.h"
#include "ui/app/commands/render.h"
#include "ui/app/commands/simulate.h"
#include "ui/app/commands/tune.h"
#include "ui/app/help/bash_completion.h"
#include "ui/app/help/man_page.h"

namespace letoff::ui {
namespace {

constexpr const char* kVersion = "letoff " LETOFF_VERSION;  // the project's, by CMakeLists.txt

/// The subcommand in which parsing stopped, "" if none.
std::string command_of(const CLI::App& app) {
    const auto commands = app.get_subcommands();
    return commands.empty() ? std::string() : commands.front()->get_name();
}

/// `app` is the program or a group of subcommands.
int unknown_command(const CLI::App& app, const std::string& group, const std::string& given) {
    std::string known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        known += (known.empty() ? "" : ", ") + command->get_name();
    }
    return wrong_use(group, fmt::format("there is no subcommand '{}', use one of {}", given, known));
}

/// The word that stands where a group, as `letoff profile`, has its subcommand; "" if there is none or it is known.
std::string unknown_in_group(const CLI::App& app) {
    const auto commands = app.get_subcommands();
    if (commands.empty() || !commands.front()->get_subcommands().empty()) return {};
    if (commands.front()->get_subcommands([](const CLI::App*) { return true; }).empty()) return {};
    const std::vector<std::string> left = commands.front()->remaining();
    return left.empty() || left.front().starts_with('-') ? std::string() : left.front();
}

/// CLI11 words some errors over several lines: the first says it.
std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

int finish_output(const std::string& command, int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    return failed(command,
                  "cannot write to standard output: a place with enough room that may be written to is needed");
}

}  // namespace

int run_program(int argc, const char* const* argv) {
    CLI::App app("88 living models of piano actions, and what they do", "letoff");
    app.require_subcommand(1);
    app.set_version_flag("--version", kVersion, "Print the version and leave");
    app.footer("Example: letoff render song.mid -o song.wav\nHelp for one subcommand: letoff render --help");
    // For packaging; the text is printed as that of --version is.
    app.add_flag_callback("--man", [&app] { throw CLI::CallForVersion(man_page(app, kVersion), 0); })->group("");
    app.add_flag_callback("--bash-completion", [&app] { throw CLI::CallForVersion(bash_completion(app), 0); })
        ->group("");
    CommandContext context;
    CommandLine line(app);
    add_play(line, context);
    add_render(line, context);
    add_simulate(line, context);
    add_measure(line, context);
    add_profile(line, context);
    add_regulate(line, context);
    add_tune(line, context);
    add_keybed(line, context);
    add_record(line, context);
    add_keyboard(line, context);
    add_devices(line, context);
    add_doctor(line, context);
    add_bench(line, context);
    std::string command;
    try {
        app.parse(argc, argv);
        command = command_of(app);
        return finish_output(command, context.status);
    } catch (const CLI::ParseError& error) {
        command = command_of(app);
        if (command.empty() && argc > 1 && argv[1][0] != '-') return unknown_command(app, "", argv[1]);
        if (error.get_exit_code() != 0) {
            const std::string word = unknown_in_group(app);
            if (!word.empty()) return unknown_command(*app.get_subcommands().front(), command, word);
        }
        if (error.get_exit_code() == 0) return finish_output(command, app.exit(error));  // --help, --version, --man
        return wrong_use(command, fmt::format("{}; see letoff {}{}--help", first_line(error.what()), command,
                                              command.empty() ? "" : " "));
    } catch (const std::bad_alloc&) {
        return failed(command_of(app), "the memory does not suffice: close other programs or use fewer threads");
    } catch (const std::exception& error) {
        return failed(command_of(app), first_line(error.what()));
    }
}

}  // namespace letoff::ui
