#include "ui/app/help/man_page.h"

#include <fmt/format.h>

#include "ui/app/help/option_words.h"

namespace letoff::ui {
namespace {

/// As troff prints it: a minus that can be copied, no line that is taken for a request.
std::string escaped(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
        line_begins = c == '\n';
    }
    return out;
}

void add_options(std::string& page, const CLI::App& command) {
    for (const CLI::Option* option :
         command.get_options([](const CLI::Option* o) { return !o->get_group().empty(); })) {
        const bool positional = option->get_positional();
        const std::string value = value_text(*option);
        page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escaped(option->get_name(positional, !positional)),
                            value.empty() || positional ? "" : fmt::format(" \\fI{}\\fR", escaped(value)),
                            escaped(option->get_description()));
    }
}

/// `path`: "letoff profile".
void add_command(std::string& page, const CLI::App& command, const std::string& path) {
    page += fmt::format(".SS \"{}\"\n{}\n", escaped(path), escaped(command.get_description()));
    add_options(page, command);
    if (const std::string footer = command.get_footer(); !footer.empty()) {
        page += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(footer));
    }
    for (const CLI::App* sub : command.get_subcommands({})) add_command(page, *sub, path + ' ' + sub->get_name());
}

}  // namespace

std::string man_page(const CLI::App& app, std::string_view version) {
    std::string page = fmt::format(
        ".TH LETOFF 1 \"\" \"{0}\" \"User Commands\"\n.SH NAME\nletoff \\- {1}\n.SH SYNOPSIS\n\\fBletoff\\fR "
        "\\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{2}\n.PP\n.nf\n{3}\n.fi\n",
        escaped(version), escaped(app.get_description()),
        "Keys are numbered 1 to 88 (A0 is 1), named (A4, C#4, Bb3), or MIDI numbers (midi:60).",
        escaped(app.get_footer()));
    page += ".SH OPTIONS\n";
    add_options(page, app);
    page += ".SH SUBCOMMANDS\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        add_command(page, *command, "letoff " + command->get_name());
    }
    page +=
        ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nit failed; one sentence on standard error says why\n.TP\n2\nwrong use; "
        "one sentence says what would be accepted\n"
        ".SH FILES\n.TP\n$XDG_DATA_HOME/letoff/, without that variable ~/.local/share/letoff/\ntouch profiles "
        "(profiles.db and its copy profiles.db.backup), recordings and what is known of foreign keyboards "
        "(recordings.db), calibrations of motorised keys (calibrations.db)\n.TP\n$XDG_CACHE_HOME/letoff/, without that "
        "variable ~/.cache/letoff/\nfinger tables; whatever is deleted there is computed anew\n";
    return page;
}

}  // namespace letoff::ui
