#include "ui/app/doctor/storage_checks.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "ui/app/cache_file.h"
#include "ui/app/profiles/library.h"
#include "ui/app/recording/recording_file.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {
namespace {

using core::Finding;

namespace fs = std::filesystem;
using Level = Finding::Level;

// A recording of an hour's dense playing takes some 20 MB, 88 keys' finger tables under 100.
constexpr std::uintmax_t kRoom_MB = 200;

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
    return text;
}

Finding profiles(const std::string& db) {
    auto library = ProfileLibrary::open(db, ProfileLibrary::Missing::kIsEmpty);
    if (!library) {
        return {Level::kFault, "touch profiles", library.error(),
                "name another database with --db, or put right what the sentence says; the factory profiles play"};
    }
    storage::ProfileStore* store = library.value().store();
    if (store == nullptr) return {Level::kGood, "touch profiles", "only the factory's yet", ""};
    const auto list = store->list();
    if (!list)
        return {Level::kFault, "touch profiles", list.error(), "restore FILE.backup, which lies beside the database"};
    const std::string says = fmt::format("{} of your own in {}", list.value().size(), store->file());
    if (const auto warnings = library.value().warnings(); !warnings.empty()) {
        return {Level::kAdvice, "touch profiles", fmt::format("{}. {}", says, joined(warnings)),
                "look at letoff profile list, and export what matters"};
    }
    return {Level::kGood, "touch profiles", says, ""};
}

Finding recordings(const std::string& db) {
    const std::string file = existing_recordings_file(db);
    if (file.empty()) return {Level::kGood, "recordings", "none yet", ""};
    auto store = open_recordings(file);
    if (!store) return {Level::kFault, "recordings", store.error(), "name another database with --recordings"};
    const auto list = store.value().list();
    if (!list) return {Level::kFault, "recordings", list.error(), "name another database with --recordings"};
    return {Level::kGood, "recordings", fmt::format("{} in {}", list.value().size(), file), ""};
}

Finding finger_tables() {
    const auto folder = user_cache_folder();
    if (!folder) {
        return {Level::kAdvice, "finger tables", folder.error() + ", or each start takes half a minute",
                "export HOME=/home/$USER"};
    }
    std::error_code error;
    const fs::path file = folder.value() / kStrokeCache;
    if (fs::exists(file, error)) return {Level::kGood, "finger tables", fmt::format("kept in {}", file.string()), ""};
    return {Level::kGood, "finger tables", "not made yet: the first start takes about half a minute", ""};
}

Finding room() {
    const auto folder = user_data_folder();
    if (!folder) return {Level::kFault, "room on the disk", folder.error(), "export HOME=/home/$USER"};
    fs::path place = folder.value();
    std::error_code error;
    while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
    const fs::space_info space = fs::space(place, error);
    if (error) return {Level::kFault, "room on the disk", fmt::format("{}: {}", place.string(), error.message()), ""};
    const std::uintmax_t megabytes = space.available >> 20U;
    const std::string says = fmt::format("{} MB at {}", megabytes, place.string());
    if (megabytes >= kRoom_MB) return {Level::kGood, "room on the disk", says, ""};
    return {Level::kAdvice, "room on the disk", says,
            fmt::format("free {} MB, or set XDG_DATA_HOME and XDG_CACHE_HOME to another disk", kRoom_MB)};
}

}  // namespace

core::Findings check_storage(const std::string& db, const std::string& recordings_db) {
    return {profiles(db), recordings(recordings_db), finger_tables(), room()};
}

}  // namespace letoff::ui
