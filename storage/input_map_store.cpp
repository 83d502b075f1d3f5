#include "storage/input_map_store.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "storage/json_text.h"
#include "storage/recording_database.h"

namespace letoff::storage {
namespace {

constexpr std::string_view kFormat = "letoff-keyboard";
constexpr int kVersion = 1;
constexpr std::array<std::string_view, 3> kPolicies = {"omni", "one", "split"};

Json ends_json(const core::PedalEnds& ends) {
    return Json::array({ends.up, ends.down});
}

/// Takes members out of an object; remembers the first that cannot be.
class Reader {
  public:
    explicit Reader(const Json& json) : json_(json) {}

    void whole(const char* name, int& to, int add = 0) {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        if (!found->is_number_integer() || *found < -1000 || *found > 1000) return refuse(name, "a whole number");
        to = found->get<int>() + add;
    }
    void number(const char* name, double& to) {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        if (!found->is_number()) return refuse(name, "a number");
        to = found->get<double>();
    }
    void truth(const char* name, bool& to) {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        if (!found->is_boolean()) return refuse(name, "true or false");
        to = found->get<bool>();
    }
    void ends(const char* name, core::PedalEnds& to) {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        const bool is_pair = found->is_array() && found->size() == 2 && (*found)[0].is_number_integer() &&
                             (*found)[1].is_number_integer();
        if (!is_pair) return refuse(name, "two whole numbers, up and down");
        for (const Json& end : *found) {
            if (end < 0 || end > core::kMidiDataMax) return refuse(name, "two whole numbers from 0 to 127");
        }
        to = {(*found)[0].get<int>(), (*found)[1].get<int>()};
    }
    void policy(core::ChannelPolicy& to) {
        const auto found = json_.find("channels");
        if (found == json_.end()) return;
        for (std::size_t i = 0; i < kPolicies.size(); ++i) {
            if (found->is_string() && found->get_ref<const std::string&>() == kPolicies[i]) {
                to = static_cast<core::ChannelPolicy>(i);
                return;
            }
        }
        refuse("channels", "omni, one or split");
    }
    void curve(core::InputMap& map) {
        const auto found = json_.find("curve");
        if (found == json_.end()) return;
        std::array<double, core::InputMap::kCurvePoints> points{};
        const bool right_size = found->is_array() && found->size() == points.size() - 1;
        for (std::size_t i = 0; right_size && i < found->size(); ++i) {
            if (!(*found)[i].is_number()) return refuse("curve", "127 numbers");
            points[i + 1] = (*found)[i].get<double>();
        }
        if (!right_size) return refuse("curve", "127 numbers");
        map.curve = points;
    }
    const std::string& problem() const { return problem_; }

  private:
    void refuse(const char* name, const char* needed) {
        if (problem_.empty()) problem_ = fmt::format("'{}' has to be {}", name, needed);
    }
    const Json& json_;
    std::string problem_;
};

}  // namespace

std::string input_map_json(const core::InputMap& map) {
    Json json = {{"format", kFormat},
                 {"version", kVersion},
                 {"channels", kPolicies[static_cast<std::size_t>(map.policy)]},
                 {"channel", map.channel + 1},
                 {"upper_channel", map.upper_channel + 1},
                 {"split_note", map.split_note},
                 {"black_offset", map.black_offset},
                 {"sustain", ends_json(map.sustain)},
                 {"sostenuto", ends_json(map.sostenuto)},
                 {"soft", ends_json(map.soft)},
                 {"sustain_controller", map.sustain_controller},
                 {"fine_velocity", map.fine_velocity}};
    if (map.curve) {
        Json curve = Json::array();
        for (std::size_t v = 1; v < map.curve->size(); ++v) curve.push_back((*map.curve)[v]);
        json["curve"] = std::move(curve);
    }
    return json.dump();
}

core::Result<core::InputMap> parse_input_map(std::string_view text, std::string_view where) {
    const auto refuse = [&](std::string_view why) { return core::Error{fmt::format("{}: {}", where, why)}; };
    const auto parsed = parse_json(text);
    if (!parsed) return refuse(parsed.error());
    const Json& json = parsed.value();
    if (!json.is_object() || json.value("format", Json()) != kFormat) return refuse("it is no keyboard of Letoff's");
    if (json.value("version", Json()) != kVersion) return refuse(fmt::format("its version is not {}", kVersion));
    core::InputMap map;
    Reader reader(json);
    reader.policy(map.policy);
    reader.whole("channel", map.channel, -1);
    reader.whole("upper_channel", map.upper_channel, -1);
    reader.whole("split_note", map.split_note);
    reader.number("black_offset", map.black_offset);
    reader.ends("sustain", map.sustain);
    reader.ends("sostenuto", map.sostenuto);
    reader.ends("soft", map.soft);
    reader.whole("sustain_controller", map.sustain_controller);
    reader.truth("fine_velocity", map.fine_velocity);
    reader.curve(map);
    if (!reader.problem().empty()) return refuse(reader.problem());
    if (const std::string_view problem = core::problem_of(map); !problem.empty()) return refuse(problem);
    return map;
}

std::string_view lasting_port_name(std::string_view name) {
    const auto is_digits = [](std::string_view text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    const auto blank = name.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) return name;
    const std::string_view numbers = name.substr(blank + 1);
    const auto colon = numbers.find(':');
    if (colon == std::string_view::npos) return name;
    return is_digits(numbers.substr(0, colon)) && is_digits(numbers.substr(colon + 1)) ? name.substr(0, blank) : name;
}

InputMapStore::InputMapStore(std::unique_ptr<RecordingDatabase> database) : database_(std::move(database)) {}
InputMapStore::~InputMapStore() = default;
InputMapStore::InputMapStore(InputMapStore&&) noexcept = default;
InputMapStore& InputMapStore::operator=(InputMapStore&&) noexcept = default;

core::Result<InputMapStore> InputMapStore::open(const std::string& file, std::function<std::int64_t()> now_unix_s) {
    auto database = RecordingDatabase::open(file, std::move(now_unix_s));
    if (!database) return core::Error{database.error()};
    return InputMapStore(std::move(database.value()));
}

core::Result<std::vector<KnownKeyboard>> InputMapStore::list() {
    RecordingDatabase& database = *database_;
    return database.guarded([&]() -> core::Result<std::vector<KnownKeyboard>> {
        std::vector<KnownKeyboard> all;
        SQLite::Statement query(database.sqlite(), "SELECT name, saved_unix_s, map_json FROM keyboard ORDER BY name");
        while (query.executeStep()) {
            KnownKeyboard known{query.getColumn(0).getString(), query.getColumn(1).getInt64(), {}};
            const auto map =
                parse_input_map(query.getColumn(2).getString(), fmt::format("the keyboard '{}'", known.name));
            if (!map) return core::Error{map.error()};
            known.map = map.value();
            all.push_back(std::move(known));
        }
        return all;
    });
}

core::Result<std::optional<core::InputMap>> InputMapStore::find(std::string_view port_name) {
    RecordingDatabase& database = *database_;
    return database.guarded([&]() -> core::Result<std::optional<core::InputMap>> {
        const std::string name(lasting_port_name(port_name));
        SQLite::Statement query(database.sqlite(), "SELECT map_json FROM keyboard WHERE name = ?");
        query.bind(1, name);
        if (!query.executeStep()) return std::optional<core::InputMap>();
        const auto map = parse_input_map(query.getColumn(0).getString(), fmt::format("the keyboard '{}'", name));
        if (!map) return core::Error{map.error()};
        return std::optional<core::InputMap>(map.value());
    });
}

Done InputMapStore::save(std::string_view port_name, const core::InputMap& map) {
    RecordingDatabase& database = *database_;
    const std::string name(lasting_port_name(port_name));
    if (const std::string_view problem = core::problem_of(map); !problem.empty())
        return core::Error{fmt::format("the keyboard '{}' is not saved: {}", name, problem)};
    return database.guarded([&]() -> Done {
        SQLite::Statement save(database.sqlite(),
                               "INSERT OR REPLACE INTO keyboard (name, saved_unix_s, map_json) VALUES (?, ?, ?)");
        save.bind(1, name);
        save.bind(2, database.now_unix_s());
        save.bind(3, input_map_json(map));
        save.exec();
        return std::monostate{};
    });
}

Done InputMapStore::remove(std::string_view port_name) {
    RecordingDatabase& database = *database_;
    return database.guarded([&]() -> Done {
        SQLite::Statement remove(database.sqlite(), "DELETE FROM keyboard WHERE name = ?");
        remove.bind(1, std::string(lasting_port_name(port_name)));
        if (remove.exec() == 1) return std::monostate{};
        std::string known;
        SQLite::Statement names(database.sqlite(), "SELECT name FROM keyboard ORDER BY name LIMIT 20");
        while (names.executeStep())
            known += fmt::format("{}'{}'", known.empty() ? "" : ", ", names.getColumn(0).getString());
        return core::Error{fmt::format("nothing was learnt of a keyboard '{}', {}", port_name,
                                       known.empty() ? "nor of any other" : "but of " + known)};
    });
}

}  // namespace letoff::storage
