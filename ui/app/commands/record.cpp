#include "ui/app/commands/record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ui/app/build_id.h"
#include "ui/app/commands/profile_commands.h"
#include "ui/app/commands/record_commands.h"
#include "ui/app/recording/recording_file.h"

namespace letoff::ui {
namespace {

struct ListOptions {
    RecordCommand command;
};
struct KeepOptions {
    RecordCommand command;
    std::string name, new_name;
};
struct DeleteOptions {
    RecordCommand command;
    std::string name;
};

nlohmann::ordered_json info_json(const storage::RecordingInfo& info) {
    return {{"name", info.name},
            {"created", time_json(info.created_unix_s)},
            {"length_s", info.length_s},
            {"strikes", info.strikes},
            {"events", info.events},
            {"lost", info.lost},
            {"ended", info.ended},
            {"captured", info.captured},
            {"profile", info.profile_name},
            {"profile_revision", info.profile_revision},
            {"tick_hz", info.tick_hz},
            {"build", info.build},
            {"this_build", info.build == build_id()}};
}

int list(const ListOptions& options) {
    int status = kDone;
    auto store = options.command.open(status);
    if (!store) return status;
    const auto all = store->list();
    if (!all) return options.command.fail(all.error());
    if (options.command.json) {
        auto json = nlohmann::ordered_json::array();
        for (const storage::RecordingInfo& info : all.value()) json.push_back(info_json(info));
        fmt::print("{}\n", json.dump(2));
        return kDone;
    }
    if (all.value().empty()) fmt::print("there are no recordings; letoff play makes one when something is played\n");
    for (const storage::RecordingInfo& info : all.value()) {
        std::string more = info.captured ? ", captured" : "";
        if (!info.ended) more += ", not ended (still playing, or cut short)";
        if (info.lost > 0) more += fmt::format(", {} events lost", info.lost);
        if (info.build != build_id()) more += ", of another build";
        const std::string revision = info.profile_revision > 0 ? fmt::format("@{}", info.profile_revision) : "";
        fmt::print("{}: {:.1f} s, {} strikes, {}{}, {}{}\n", info.name, info.length_s, info.strikes, info.profile_name,
                   revision, time_text(info.created_unix_s), more);
    }
    return kDone;
}

int remove(const DeleteOptions& options) {
    int status = kDone;
    auto store = options.command.open(status);
    if (!store) return status;
    if (const auto done = store->remove(options.name); !done) return options.command.fail(done.error());
    if (options.command.json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"deleted", options.name}}.dump(2));
    } else {
        fmt::print("{}: deleted\n", options.name);
    }
    return kDone;
}

int keep(const KeepOptions& options) {
    int status = kDone;
    auto store = options.command.open(status);
    if (!store) return status;
    if (const auto done = store->keep(options.name, options.new_name); !done) return options.command.fail(done.error());
    if (options.command.json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"kept", options.new_name}}.dump(2));
    } else {
        fmt::print("{}: kept\n", options.new_name);
    }
    return kDone;
}

}  // namespace

std::optional<storage::RecordingStore> RecordCommand::open(int& status) const {
    auto store = open_recordings(file);
    if (store) return std::move(store.value());
    status = fail(store.error());
    return std::nullopt;
}

std::optional<storage::Recording> RecordCommand::load(const std::string& name, int& status) const {
    auto store = open(status);
    if (!store) return std::nullopt;
    auto recording = store->load(name);
    if (!recording) {
        status = fail(recording.error());
        return std::nullopt;
    }
    for (const std::string& warning : recording.value().warnings) warn(title, warning);
    if (recording.value().lost > 0)
        warn(title, fmt::format("{} events of '{}' were lost as it was played", recording.value().lost, name));
    return std::move(recording.value());
}

core::VelocityForm velocity_form(std::string_view name) {
    if (name == "xp") return core::VelocityForm::xp;
    return name == "7" ? core::VelocityForm::seven_bit : core::VelocityForm::prefix_88;
}

void add_recordings_option(CommandLine& command, std::string& file) {
    command.add_option("--recordings", file, "The database of recordings; else the user's own")->option_text("FILE");
}

void add_record_list(CommandLine& group, CommandContext& context) {
    add_record_command<ListOptions>(group, context, "list", "What was recorded, oldest first", "",
                                    std::make_shared<ListOptions>(), list);
    const auto kept = std::make_shared<KeepOptions>();
    CommandLine* command =
        add_record_command<KeepOptions>(group, context, "keep", "Keep what was captured, under a name of its own",
                                        "\"Captured 2026-11-29 10:15\" \"Evening\"", kept, keep);
    command->add_option("NAME", kept->name, "The recording")->required();
    command->add_option("NEW", kept->new_name, "Its name from now on")->required();
    const auto options = std::make_shared<DeleteOptions>();
    command = add_record_command<DeleteOptions>(group, context, "delete", "Delete a recording for good", "\"Evening\"",
                                                options, remove);
    command->add_option("NAME", options->name, "The recording")->required();
}

void add_record(CommandLine& app, CommandContext& context) {
    CommandLine* group = app.add_subcommand("record", "Recordings: what was played, replayed to the bit, and exported");
    group->require_subcommand();
    group->footer(
        "letoff play captures what is played; with --record NAME it is kept until you delete it.\n"
        "Example: letoff record export \"Evening\" -o evening.flac");
    add_record_list(*group, context);
    add_record_import(*group, context);
    add_record_replay(*group, context);
}

}  // namespace letoff::ui
