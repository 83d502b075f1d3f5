#include "ui/app/profiles/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {

namespace fs = std::filesystem;

core::Result<ProfileLibrary> ProfileLibrary::open(const std::string& db, Missing missing) {
    fs::path file = db;
    if (db.empty()) {
        const auto folder = user_data_folder();
        // Without a place there can be no profiles of the user's; the factory's are there.
        if (!folder && missing == Missing::kIsEmpty) return ProfileLibrary();
        if (!folder) return core::Error{fmt::format("no place for touch profiles: {}", folder.error())};
        file = folder.value() / "profiles.db";
        if (missing == Missing::kIsMade) {
            if (const std::string why = make_folder(folder.value()); !why.empty()) {
                return core::Error{
                    fmt::format("cannot make the folder '{}' for touch profiles: {}", folder.value().string(), why)};
            }
        }
    }
    std::error_code ignored;
    const bool is_there = fs::exists(file, ignored) || fs::exists(file.string() + ".backup", ignored);
    if (!is_there && missing == Missing::kIsEmpty) {
        if (db.empty()) return ProfileLibrary();
        return core::Error{fmt::format("there is no database of touch profiles '{}'", db)};
    }
    auto store = storage::ProfileStore::open(
        {.file = file.string(), .own_place = db.empty(), .rows = kProfileRows, .reserved_names = factory_names()});
    if (!store) return core::Error{store.error()};
    ProfileLibrary library;
    library.store_ = std::move(store.value());
    return library;
}

core::Error ProfileLibrary::unknown(std::string_view name) {
    std::string names;
    for (const std::string& factory : factory_names()) names += (names.empty() ? "" : ", ") + factory;
    if (store_) {
        constexpr std::size_t kMostNamed = 20;
        const auto profiles = store_->list();
        const std::size_t count = profiles ? profiles.value().size() : 0;
        for (std::size_t i = 0; i < std::min(count, kMostNamed); ++i) names += ", " + profiles.value()[i].name;
        if (count > kMostNamed) names += fmt::format(" and {} more", count - kMostNamed);
    }
    return {fmt::format("there is no profile named '{}'; there are: {}", name, names)};
}

core::Result<FoundProfile> ProfileLibrary::find(std::string_view name, storage::Deleted deleted) {
    const auto wanted = parse_profile_name(name);
    if (!wanted) return core::Error{wanted.error()};
    const std::optional<int> revision = wanted.value().revision;
    if (auto factory = factory_profile(wanted.value().name)) {
        if (revision) return core::Error{fmt::format("'{}' is a factory profile and has no revisions", factory->name)};
        return FoundProfile{std::move(*factory), std::nullopt, 0};
    }
    if (!store_) return unknown(wanted.value().name);
    // Old revisions of what has been deleted can be looked at.
    const auto looked_up = store_->find(wanted.value().name, revision ? storage::Deleted::kToo : deleted);
    if (!looked_up) return core::Error{looked_up.error()};
    const std::optional<storage::ProfileHead>& head = looked_up.value();
    if (!head) return unknown(wanted.value().name);
    auto content = store_->load(*head, revision);
    if (!content) return core::Error{content.error()};
    return FoundProfile{std::move(content.value()), head, revision.value_or(head->newest), revision.has_value()};
}

core::Result<storage::ProfileHead> ProfileLibrary::find_own(std::string_view name, storage::Deleted deleted) {
    if (const auto factory = factory_profile(name)) {
        return core::Error{
            fmt::format("'{}' is a factory profile, which stays as it is; copy it: letoff profile copy "
                        "{} NAME",
                        factory->name, factory->name)};
    }
    if (!store_) return unknown(name);
    const auto looked_up = store_->find(name, deleted);
    if (!looked_up) return core::Error{looked_up.error()};
    const std::optional<storage::ProfileHead>& head = looked_up.value();
    if (!head) return unknown(name);
    return *head;
}

core::Result<storage::Saved> ProfileLibrary::change(std::string_view name, storage::Deleted deleted,
                                                    const Change& change) {
    constexpr int kMostTries = 100;  // each time another program saved, so somebody gets on
    for (int tried = 0; tried < kMostTries; ++tried) {
        const auto head = find_own(name, deleted);
        if (!head) return core::Error{head.error()};
        if (!store_) return unknown(name);
        auto saved = change(*store_, head.value());
        if (!saved || !saved.value().conflict) return saved;
    }
    return core::Error{fmt::format("'{}' is changed by other programs all the time: nothing was saved", name)};
}

core::Result<NameAndRevision> parse_profile_name(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos) return NameAndRevision{std::string(text), std::nullopt};
    const std::string_view digits = text.substr(at + 1);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 1) {
        return core::Error{fmt::format("'{}' names no revision: after '@' its number is needed, as in '{}@1'", text,
                                       text.substr(0, at))};
    }
    return NameAndRevision{std::string(text.substr(0, at)), number};
}

}  // namespace letoff::ui
