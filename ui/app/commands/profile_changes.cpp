#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/app/commands/action_names.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/profiles/blend.h"
#include "ui/app/profiles/factory.h"

namespace letoff::ui {
namespace {

using storage::Deleted;
using storage::ProfileHead;
using storage::ProfileStore;
using Saved = core::Result<storage::Saved>;

struct ChangeOptions {
    ProfileCommand command;
    std::string name, other, made, note, action = "grand", notes;
    double percent = 0;
};

int make(const ChangeOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsMade, status);
    if (!library) return status;
    storage::Profile profile{.name = options.name, .action = options.action, .notes = options.notes};
    return report_saved(options.command, options.name, library->store()->create(profile, options.note), "created");
}

int copy(const ChangeOptions& options) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsMade, status);
    if (!library) return status;
    auto found = library->find(options.name);
    if (!found) return options.command.fail(found.error());
    storage::Profile profile = std::move(found.value().content);
    profile.name = options.other;
    const std::string note = options.note.empty() ? fmt::format("a copy of {}", options.name) : options.note;
    return report_saved(options.command, options.other, library->store()->create(profile, note),
                        fmt::format("a copy of '{}'", options.name));
}

int make_blend(const ChangeOptions& options) {
    if (!(options.percent >= 0 && options.percent <= 100))
        return options.command.wrong(fmt::format("{} percent is not possible: 0 to 100 is needed", options.percent));
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsMade, status);
    if (!library) return status;
    const auto a = library->find(options.name), b = library->find(options.other);
    for (const auto* found : {&a, &b}) {
        if (!*found) return options.command.fail(found->error());
    }
    auto blended = blend(a.value().content, b.value().content, options.percent / 100);
    if (!blended) return options.command.fail(blended.error());
    storage::Profile& profile = blended.value().profile;
    profile.name = options.made;
    const std::string what =
        fmt::format("{} % of the way from '{}' to '{}'", options.percent, options.name, options.other);
    const auto saved = library->store()->create(profile, options.note.empty() ? what : options.note);
    if (saved && !blended.value().kept.empty()) {
        warn(options.command.title,
             fmt::format("this version does not know, so cannot blend, and leaves as '{}' has them: {}", options.name,
                         fmt::join(blended.value().kept, ", ")));
    }
    return report_saved(options.command, options.made, saved, what);
}

/// Makes one change to a profile of the user's own.
int change(const ChangeOptions& options, Deleted deleted, std::string_view what, const ProfileLibrary::Change& change) {
    int status = kDone;
    auto library = options.command.open(ProfileLibrary::Missing::kIsEmpty, status);
    if (!library) return status;
    const std::string& name = options.name;
    return report_saved(options.command, name, library->change(name, deleted, change), what);
}

/// Changes the content as it is now.
Saved edit(ProfileStore& store, const ProfileHead& head, std::string_view note, std::string_view how,
           const std::function<void(storage::Profile&)>& edit_content) {
    auto content = store.load(head);
    if (!content) return core::Error{content.error()};
    edit_content(content.value());
    return store.save(head, content.value(), note, how);
}

int rename(const ChangeOptions& options) {
    const auto to_other = [&](ProfileStore& store, const ProfileHead& head) {
        return edit(store, head, options.note, "renamed", [&](storage::Profile& p) { p.name = options.other; });
    };
    return change(options, Deleted::kLeftOut, fmt::format("renamed '{}'", options.other), to_other);
}

int set_notes(const ChangeOptions& options) {
    const auto with_notes = [&](ProfileStore& store, const ProfileHead& head) {
        return edit(store, head, options.note, "saved", [&](storage::Profile& p) { p.notes = options.notes; });
    };
    return change(options, Deleted::kLeftOut, "notes saved", with_notes);
}

int remove(const ChangeOptions& options) {
    const auto away = [&](ProfileStore& store, const ProfileHead& head) { return store.remove(head, options.note); };
    return change(options, Deleted::kLeftOut, "deleted; letoff profile restore brings it back", away);
}

int undo(const ChangeOptions& options) {
    const auto back = [&](ProfileStore& store, const ProfileHead& head) { return store.undo(head, options.note); };
    return change(options, Deleted::kToo, "undone", back);
}

int restore(const ChangeOptions& options) {
    const auto wanted = parse_profile_name(options.name);
    if (!wanted) return options.command.wrong(wanted.error());
    ChangeOptions of_name = options;
    of_name.name = wanted.value().name;
    const auto back = [&](ProfileStore& store, const ProfileHead& head) -> Saved {
        if (!wanted.value().revision && !head.deleted) {
            return core::Error{
                fmt::format("'{}' is not deleted: name a revision, as in '{}@1' (letoff profile history "
                            "lists them)",
                            head.name, head.name)};
        }
        return store.restore(head, wanted.value().revision.value_or(head.newest), options.note);
    };
    return change(of_name, Deleted::kToo, "restored", back);
}

}  // namespace

void add_profile_changes(CommandLine& group, CommandContext& context) {
    struct Entry {
        const char *name, *what, *example, *name_help, *other, *other_help;
        int (*run)(const ChangeOptions&);
    };
    constexpr const char* kOwn = "A profile of your own";
    const Entry entries[] = {
        {"new", "A profile that sets nothing yet", "Salon --notes \"As bought\"", "Its name", nullptr, nullptr, make},
        {"copy", "A new profile from another, factory profiles too", "concert \"My grand\"",
         "A profile, or NAME@3 for its revision 3", "NEW", "Name of the copy", copy},
        {"blend", "A new profile between two others", "concert Salon 30 \"My grand\"", "A profile", "B",
         "Another, of the same action", make_blend},
        {"rename", "Give a profile another name", "Salon \"Salon 1901\"", kOwn, "NEW", "Its name from now on", rename},
        {"note", "Write what there is to know about a profile", "Salon \"Repinned in May\"", kOwn, nullptr, nullptr,
         set_notes},
        {"delete", "Delete a profile; its history stays", "Salon", kOwn, nullptr, nullptr, remove},
        {"restore", "Bring back a revision, or a deleted profile", "\"My grand@3\"",
         "NAME@3 for its revision 3; a deleted profile by its name alone", nullptr, nullptr, restore},
        {"undo", "Back to before the newest revision; again: one further", "\"My grand\"", kOwn, nullptr, nullptr,
         undo},
    };
    for (const Entry& entry : entries) {
        const auto options = std::make_shared<ChangeOptions>();
        CommandLine* command = add_profile_command<ChangeOptions>(group, context, entry.name, entry.what, entry.example,
                                                                  options, entry.run);
        command->add_option("NAME", options->name, entry.name_help)->required();
        if (entry.other != nullptr) command->add_option(entry.other, options->other, entry.other_help)->required();
        if (entry.run == make_blend) {
            command
                ->add_option("PERCENT", options->percent,
                             "How far from the first (0) to the second (100); texts are the first's")
                ->required();
            command->add_option("NEW", options->made, "Name of the blend")->required();
        }
        if (entry.run == set_notes) command->add_option("TEXT", options->notes, "The notes, whole")->required();
        if (entry.run == make) {
            command->add_option("--action", options->action, "Which piano action")
                ->check(action_name())
                ->option_text("NAME=grand");
            command->add_option("--notes", options->notes, "What there is to know about it")->option_text("TEXT");
        }
        add_note_option(*command, options->note);
    }
}

}  // namespace letoff::ui
