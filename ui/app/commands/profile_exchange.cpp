#include <fmt/format.h>

#include "storage/atomic_file.h"
#include "storage/profile_json.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {
namespace {

struct ExportOptions {
    ProfileCommand command;
    std::string name, file;
};
struct ImportOptions {
    ProfileCommand command;
    std::string file, as, note;
    bool replace = false;
};

int export_profile(const ExportOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    const auto found = library->find(options.name);
    if (!found) return options.command.fail(found.error());
    const std::string text = storage::profile_json(found.value().content);
    if (options.file.empty()) {
        fmt::print("{}", text);
        return kDone;
    }
    if (const auto written = storage::write_file(options.file, text); !written)
        return options.command.fail(written.error());
    if (options.command.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"name", options.name}, {"file", options.file}}.dump(2));
    return kDone;
}

int import_profile(const ImportOptions& options) {
    auto profile = storage::read_profile_file(options.file, kProfileRows);
    if (!profile) return options.command.fail(profile.error());
    storage::Profile& content = profile.value();
    if (!options.as.empty()) content.name = options.as;
    // One of an action that this build does not have is kept, though it cannot be played here.
    if (knows_action(content.action)) {
        if (const auto touch = touch_of(content); !touch) return options.command.fail(touch.error());
    }
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsMade, status);
    if (!library) return status;
    const std::string note = options.note.empty()
                                 ? fmt::format("from {:.200}", options.file.substr(options.file.rfind('/') + 1))
                                 : options.note;
    const auto there = library->store()->find(content.name);
    if (!there) return options.command.fail(there.error());
    if (there.value() && !options.replace) {
        return options.command.fail(fmt::format(
            "there is a profile named '{}' already: import it --as another name, or --replace that one's content",
            content.name));
    }
    if (!there.value()) {
        return report_saved(options.command, content.name, library->store()->create(content, note, "imported"),
                            "imported");
    }
    const auto import_into = [&](storage::ProfileStore& store, const storage::ProfileHead& head) {
        return store.save(head, content, note, "imported");
    };
    return report_saved(options.command, content.name,
                        library->change(content.name, storage::Deleted::kLeftOut, import_into), "imported");
}

}  // namespace

void add_profile_exchange(CommandLine& group, CommandContext& context) {
    const auto out = std::make_shared<ExportOptions>();
    CommandLine* command =
        add_profile_command<ExportOptions>(group, context, "export", "Write a profile as JSON, to give it away",
                                           "\"My grand\" -o my_grand.json", out, export_profile);
    command->add_option("NAME", out->name, "A profile, or NAME@3 for its revision 3")->required();
    command->add_option("-o,--output", out->file, "Where to; without it, to standard output")->option_text("FILE");

    const auto in = std::make_shared<ImportOptions>();
    command = add_profile_command<ImportOptions>(group, context, "import", "Take in a profile from JSON",
                                                 "my_grand.json --as \"Her grand\"", in, import_profile);
    command->add_option("FILE", in->file, "What letoff profile export wrote, of this version or an earlier one")
        ->required();
    command->add_option("--as", in->as, "Under another name than the file says")->option_text("NAME");
    command->add_flag("--replace", in->replace, "As the next revision of the profile that has the name");
    add_note_option(*command, in->note);
}

}  // namespace letoff::ui
