#include "storage/profile_json.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <system_error>

#include "core/unit/keys.h"
#include "core/versions.h"
#include "storage/json_text.h"

namespace letoff::storage {

namespace {

constexpr const char* kRelative = "relative";

/// Turns a document of version i + 1 into one of version i + 2.
using Upgrade = void (*)(Json& document);
constexpr std::array<Upgrade, core::kProfileJsonVersion - 1> kUpgrades{};

Json value_json(const ProfileValue& value) {
    if (!value.relative) return value.value;
    return {{kRelative, value.value}};
}

/// Takes a field out of the document, so that in the end the unknown ones are left.
core::Result<std::string> take_text(Json& document, const char* field, bool needed) {
    const auto found = document.find(field);
    if (found == document.end()) {
        if (!needed) return std::string();
        return core::Error{fmt::format("it has no field '{}'", field)};
    }
    if (!found->is_string()) return core::Error{fmt::format("its field '{}' is not a text", field)};
    std::string text = found->get<std::string>();
    document.erase(field);
    return text;
}

core::Result<Json> take_object(Json& document, const char* field) {
    const auto found = document.find(field);
    if (found == document.end()) return Json(Json::object());
    if (!found->is_object()) return core::Error{fmt::format("its field '{}' is not an object", field)};
    Json object = std::move(*found);
    document.erase(field);
    return object;
}

/// As JSON writes it, for a sentence; cut where no row's id is that long.
std::string shown(std::string_view name) {
    return Json(std::string(name)).dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, kLongestRowId_bytes);
}

Done read_values(const Json& object, int key, ProfileValues& values) {
    for (const auto& item : object.items()) {
        const Json& json = item.value();
        const bool relative = json.is_object() && json.size() == 1 && json.contains(kRelative);
        const Json& number = relative ? json.at(kRelative) : json;
        if (!number.is_number()) {
            return core::Error{fmt::format("{}: {} is neither a number nor {{\"{}\": number}}", place_name(key),
                                           shown(item.key()), kRelative)};
        }
        // SQLite keeps no negative zero; adding zero makes it an ordinary one.
        values[{key, item.key()}] = {number.get<double>() + 0.0, relative};
        if (values.size() > kMostProfileValues) {
            return core::Error{fmt::format("it has more than {} values", kMostProfileValues)};
        }
    }
    return std::monostate{};
}

core::Result<int> read_key(std::string_view text) {
    int key = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped_at, error] = std::from_chars(text.data(), end, key);
    const bool whole = error == std::errc{} && stopped_at == end && !text.starts_with('0');
    if (whole && key >= 1 && key <= core::kKeyCount) return key;
    return core::Error{fmt::format("there is no key {}; \"1\" to \"{}\" are there", shown(text), core::kKeyCount)};
}

Done upgrade(Json& document) {
    const auto format = take_text(document, "format", true);
    if (!format) return core::Error{format.error()};
    if (format.value() != kProfileFormat) {
        return core::Error{
            fmt::format("its format is {}; a touch profile has \"{}\"", shown(format.value()), kProfileFormat)};
    }
    const auto version = document.find("version");
    if (version == document.end() || !version->is_number_integer()) {
        return core::Error{"it has no field 'version' with a whole number"};
    }
    const bool too_large = version->is_number_unsigned() &&
                           version->get<std::uint64_t>() > static_cast<std::uint64_t>(core::kProfileJsonVersion);
    if (too_large) {
        return core::Error{fmt::format("it is of version {}, made by a newer build; this one reads versions 1 to {}",
                                       version->get<std::uint64_t>(), core::kProfileJsonVersion)};
    }
    if (version->get<std::int64_t>() < 1) {
        return core::Error{fmt::format("it is of version {}, which never was; this build reads versions 1 to {}",
                                       version->get<std::int64_t>(), core::kProfileJsonVersion)};
    }
    const auto from = static_cast<std::size_t>(version->get<int>());
    document.erase("version");
    for (std::size_t step = from - 1; step < kUpgrades.size(); ++step) kUpgrades[step](document);
    return std::monostate{};
}

core::Result<Profile> read_document(Json& document) {
    if (auto done = upgrade(document); !done) return core::Error{done.error()};
    Profile profile;
    const std::pair<const char*, std::string*> texts[] = {
        {"name", &profile.name}, {"action", &profile.action}, {"notes", &profile.notes}};
    for (const auto& [field, text] : texts) {
        auto taken = take_text(document, field, text != &profile.notes);
        if (!taken) return core::Error{taken.error()};
        *text = std::move(taken.value());
    }
    const auto values = take_object(document, "values");
    if (!values) return core::Error{values.error()};
    if (auto done = read_values(values.value(), kWholeInstrument, profile.values); !done)
        return core::Error{done.error()};
    const auto keys = take_object(document, "keys");
    if (!keys) return core::Error{keys.error()};
    for (const auto& item : keys.value().items()) {
        const auto key = read_key(item.key());
        if (!key) return core::Error{key.error()};
        if (!item.value().is_object()) return core::Error{fmt::format("key {} is not an object", key.value())};
        if (auto done = read_values(item.value(), key.value(), profile.values); !done) return core::Error{done.error()};
    }
    if (!document.empty()) profile.extra = json_text(document);
    return profile;
}

}  // namespace

std::string profile_json(const Profile& profile) {
    JsonObjectWriter out;
    out.member("format", kProfileFormat);
    out.member("version", core::kProfileJsonVersion);
    out.member("name", profile.name);
    out.member("action", profile.action);
    out.member("notes", profile.notes);
    out.begin_object("values");
    auto value = profile.values.begin();
    for (; value != profile.values.end() && value->first.key == kWholeInstrument; ++value)
        out.member(value->first.row, value_json(value->second));
    out.end_object();
    out.begin_object("keys");
    while (value != profile.values.end()) {
        const int key = value->first.key;
        out.begin_object(std::to_string(key));
        for (; value != profile.values.end() && value->first.key == key; ++value)
            out.member(value->first.row, value_json(value->second));
        out.end_object();
    }
    out.end_object();
    const Json extra = Json::parse(profile.extra, nullptr, false);
    if (extra.is_object()) {
        for (const auto& item : extra.items()) out.member(item.key(), item.value());
    }
    return out.finish();
}

core::Result<Profile> parse_profile_json(std::string_view text, std::string_view file_name, RowTables rows) {
    const auto where = fmt::format("'{}'", file_name);
    const auto refuse = [&](std::string_view why) {
        return core::Error{fmt::format("{} is no touch profile: {}", where, why)};
    };
    if (text.size() > kLargestProfileFile_bytes) {
        return refuse(fmt::format("it has {} bytes; at most {} are read", text.size(), kLargestProfileFile_bytes));
    }
    auto document = parse_json(text);
    if (!document) return refuse(document.error());
    if (!document.value().is_object()) return refuse("it is not a JSON object");
    auto profile = read_document(document.value());
    if (!profile) return refuse(profile.error());
    if (auto valid = check_profile(profile.value(), rows, where); !valid) return core::Error{valid.error()};
    return profile;
}

core::Result<Profile> read_profile_file(const std::filesystem::path& file, RowTables rows) {
    std::error_code ignored;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, ignored)) {
        return core::Error{fmt::format("cannot read '{}': a profile exported as JSON is needed", file.string())};
    }
    std::string text(kLargestProfileFile_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return core::Error{fmt::format("cannot read '{}': the disk gives an error", file.string())};
    return parse_profile_json(text, file.string(), rows);
}

}  // namespace letoff::storage
