#include "ui/app/commands/profile_choice.h"

#include <fmt/format.h>

#include "ui/app/commands/action_names.h"
#include "ui/app/commands/profile_commands.h"

namespace letoff::ui {
namespace {

struct Looked {
    core::Result<FoundProfile> profile;
    bool database_failed = false;  // the name may well be right
    std::optional<ProfileWatch> watch{};
};

Looked look_up(std::string_view command, const std::string& name, const std::string& db) {
    if (auto factory = factory_profile(name)) return {FoundProfile{std::move(*factory), std::nullopt, 0}};
    auto library = ProfileLibrary::open(db, ProfileLibrary::Missing::kIsEmpty);
    if (!library) return {core::Error{library.error()}, true};
    for (const std::string& warning : library.value().warnings()) warn(command, warning);
    auto found = library.value().find(name);
    if (!found) return {core::Error{found.error()}, library.value().was_damaged()};
    std::optional<ProfileWatch> watch;
    if (const auto& head = found.value().head; head && !found.value().by_number)
        watch.emplace(std::move(library.value()), *head);
    return {std::move(found.value()), false, std::move(watch)};
}

}  // namespace

void ProfileChoice::add_to(CommandLine& command) {
    command.add_option("--profile", name, "Touch profile (letoff profile list); NAME@3 is its revision 3")
        ->option_text(fmt::format("NAME={}", kDefaultProfile));
    add_db_option(command, db);
}

void ProfileChoice::add_action_to(CommandLine& command) {
    command.add_option("--action", action, "Which action, in place of the profile's own: " + action_choices())
        ->check(action_name())
        ->option_text("NAME");
}

core::Result<ProfileChoice::Chosen> ProfileChoice::choose(std::string_view command, Without without) const {
    auto [profile, database_failed, watch] = look_up(command, name, db);
    if (!profile && database_failed && without == Without::kFactory) {
        warn(command, fmt::format("{}; playing the factory profile '{}'", profile.error(), kDefaultProfile));
        if (auto factory = factory_profile(kDefaultProfile))
            profile = FoundProfile{std::move(*factory), std::nullopt, 0};
    }
    if (!profile) return core::Error{profile.error()};
    if (!action.empty()) profile.value().content.action = action;
    auto touch = touch_of(profile.value().content);
    if (!touch) return core::Error{touch.error()};
    for (const std::string& warning : touch.value().warnings) warn(command, warning);
    return Chosen{std::move(touch.value()), std::move(profile.value()), std::move(watch)};
}

core::Result<Touch> ProfileChoice::touch(std::string_view command, Without without) const {
    auto chosen = choose(command, without);
    if (!chosen) return core::Error{chosen.error()};
    return std::move(chosen.value().touch);
}

std::string profile_of_program(std::size_t program, const std::string& db) {
    std::vector<std::string> names = factory_names();
    auto library = ProfileLibrary::open(db, ProfileLibrary::Missing::kIsEmpty);
    if (library && library.value().store() != nullptr) {
        const auto own = library.value().store()->list();
        for (std::size_t i = 0; own && i < own.value().size(); ++i) names.push_back(own.value()[i].name);
    }
    return program < names.size() ? names[program] : "";
}

}  // namespace letoff::ui
