#include "ui/app/recording/recording_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "storage/profile_json.h"
#include "ui/app/build_id.h"
#include "ui/app/profiles/rows.h"
#include "ui/app/profiles/touch.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kFlatSize = (1 + core::kKeyCount) * core::kStringRowCount + 1;

bool unflatten(std::span<const double> numbers, core::StringValues& values) {
    if (numbers.size() != kFlatSize) return false;
    const auto take = [&](core::StringValues::Values& to) {
        std::copy_n(numbers.begin(), to.size(), to.begin());
        numbers = numbers.subspan(to.size());
    };
    take(values.whole);
    for (core::StringValues::Values& key : values.keys) take(key);
    values.a4_is_asked_for = numbers[0] != 0;
    return true;
}

}  // namespace

core::Result<std::string> recordings_file(const std::string& file) {
    if (!file.empty()) return file;
    const auto folder = user_data_folder();
    if (!folder) return core::Error{fmt::format("no place for recordings: {}", folder.error())};
    if (const std::string why = make_folder(folder.value()); !why.empty()) {
        return core::Error{fmt::format("cannot make the folder '{}' for recordings: {}", folder.value().string(), why)};
    }
    return (folder.value() / "recordings.db").string();
}

std::string existing_recordings_file(const std::string& file) {
    std::filesystem::path path = file;
    if (const auto folder = user_data_folder(); file.empty() && folder) path = folder.value() / "recordings.db";
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? path.string() : std::string();
}

core::Result<storage::RecordingStore> open_recordings(const std::string& file) {
    const auto path = recordings_file(file);
    if (!path) return core::Error{path.error()};
    return storage::RecordingStore::open(path.value());
}

core::Result<std::vector<storage::KnownKeyboard>> known_keyboards(const std::string& file) {
    const std::string path = existing_recordings_file(file);
    if (path.empty()) return std::vector<storage::KnownKeyboard>();
    auto store = storage::InputMapStore::open(path);
    if (!store) return core::Error{store.error()};
    return store.value().list();
}

core::InputMap map_of(const std::vector<storage::KnownKeyboard>& known, const std::string& port_name) {
    const std::string_view name = storage::lasting_port_name(port_name);
    for (const storage::KnownKeyboard& keyboard : known) {
        if (keyboard.name == name) return keyboard.map;
    }
    return {};
}

std::vector<double> flat(const core::StringValues& values) {
    std::vector<double> numbers(values.whole.begin(), values.whole.end());
    for (const core::StringValues::Values& key : values.keys) numbers.insert(numbers.end(), key.begin(), key.end());
    numbers.push_back(values.a4_is_asked_for ? 1 : 0);
    return numbers;
}

storage::RecordingHead recording_head(const std::string& name, const FoundProfile& profile,
                                      const core::StringValues& strings, const Instrument& instrument) {
    storage::RecordingHead head;
    head.name = name;
    head.build = build_id();
    head.profile_name = profile.content.name;
    head.profile_revision = profile.revision;
    head.profile_json = storage::profile_json(profile.content);
    head.strings = flat(strings);
    head.tick_hz = instrument.setting().tick_hz;
    return head;
}

std::string capture_name() {
    return fmt::format("Captured {:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
}

core::Result<storage::Profile> recorded_profile(const std::string& json, const std::string& recording) {
    return storage::parse_profile_json(json, fmt::format("the profile of the recording '{}'", recording), kProfileRows);
}

core::Result<RecordedInstrument> instrument_of(const storage::RecordingHead& head, InstrumentSetting from) {
    const auto profile = recorded_profile(head.profile_json, head.name);
    if (!profile) return core::Error{profile.error()};
    auto touch = touch_of(profile.value());
    if (!touch) return core::Error{touch.error()};
    RecordedInstrument recorded;
    recorded.warnings = std::move(touch.value().warnings);
    core::StringValues strings = touch.value().strings;
    if (!unflatten(head.strings, strings)) {
        recorded.warnings.push_back(fmt::format(
            "the recording '{}' has its tuning in the rows of another build; that of its profile is taken", head.name));
    }
    recorded.setting = std::move(from);
    recorded.setting.touch = touch.value().grand;
    recorded.setting.engine = engine_of(*touch.value().grand.action, recorded.setting.engine);
    recorded.setting.sound = touch.value().sound;
    recorded.setting.strings = string_design_of(touch.value(), strings);
    recorded.setting.tick_hz = head.tick_hz;
    return recorded;
}

}  // namespace letoff::ui
