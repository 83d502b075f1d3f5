// What the parts of `letoff record` share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/midi/velocity.h"
#include "storage/recording_store.h"
#include "ui/app/commands/command.h"

namespace letoff::ui {

struct RecordCommand : GroupCommand {
    std::string file;  // of the recordings; "": the user's own

    /// On failure says why and leaves `status`.
    std::optional<storage::RecordingStore> open(int& status) const;
    /// The recording of that name, its warnings said.
    std::optional<storage::Recording> load(const std::string& name, int& status) const;
};

/// "88", "xp" or "7".
core::VelocityForm velocity_form(std::string_view name);
inline constexpr std::string_view kVelocityForms =
    "Fine velocities of MIDI that goes out: controller 88 (14 bits), Disklavier XP (10 bits), or 7 bits";

void add_recordings_option(CommandLine& command, std::string& file);

/// Adds `letoff record NAME` (letoff keyboard too); `Options` has a RecordCommand `command`.
template <typename Options>
CommandLine* add_record_command(CommandLine& group, CommandContext& context, const std::string& name,
                                const std::string& what, const std::string& example,
                                const std::shared_ptr<Options>& options, int (*run)(const Options&)) {
    return add_group_command(group, context, name, what, example, options, run, add_recordings_option,
                             options->command.file);
}

void add_record_list(CommandLine& group, CommandContext& context);    // list, keep, delete
void add_record_import(CommandLine& group, CommandContext& context);  // import
void add_record_replay(CommandLine& group, CommandContext& context);  // replay, export

}  // namespace letoff::ui
