#include "ui/app/help/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/app/help/option_words.h"

namespace letoff::ui {
namespace {

struct Tables {
    std::string paths;   // a case pattern of all subcommands: 'letoff play'|'letoff profile copy'
    std::string words;   // what can follow each of them
    std::string values;  // what can follow an option of theirs
};

void add_command(Tables& tables, const CLI::App& command, const std::string& path) {
    std::vector<std::string> words;
    for (const CLI::App* sub : command.get_subcommands({})) words.push_back(sub->get_name());
    for (const CLI::Option* option :
         command.get_options([](const CLI::Option* o) { return !o->get_group().empty() && o->nonpositional(); })) {
        std::vector<std::string> names;
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
        words.insert(words.end(), names.begin(), names.end());
        const auto fixed = fixed_words(value_text(*option));
        if (fixed.empty()) continue;
        for (const std::string& name : names) {
            tables.values += fmt::format("        '{}:{}') words='{}' ;;\n", path, name, fmt::join(fixed, " "));
        }
    }
    tables.words += fmt::format("        '{}') words='{}' ;;\n", path, fmt::join(words, " "));
    for (const CLI::App* sub : command.get_subcommands({})) {
        const std::string below = path + ' ' + sub->get_name();
        tables.paths += fmt::format("{}'{}'", tables.paths.empty() ? "" : "|", below);
        add_command(tables, *sub, below);
    }
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    Tables tables;
    add_command(tables, app, "letoff");
    return fmt::format(R"(# bash completion for letoff, printed by letoff --bash-completion
_letoff() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} path=letoff words='' i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$path ${{COMP_WORDS[i]}}" in
            {}) path+=" ${{COMP_WORDS[i]}}" ;;
        esac
    done
    case "$path:$previous" in
{}    esac
    [[ -z $words ]] && case "$path" in
{}    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _letoff letoff
)",
                       tables.paths, tables.values, tables.words);
}

}  // namespace letoff::ui
