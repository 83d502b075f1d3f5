#include "ui/api/page_message.h"

#include <nlohmann/json.hpp>

#include "core/midi/pedal_names.h"
#include "core/unit/keys.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::json;

std::optional<int> whole(const Json& json, const char* name, int low, int high) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number()) return std::nullopt;
    const double value = found->get<double>();
    if (!(value >= low && value <= high)) return std::nullopt;
    return static_cast<int>(value);
}

std::optional<int> controller_of(const Json& json) {
    const auto found = json.find("p");
    if (found == json.end() || !found->is_string()) return std::nullopt;
    return core::pedal_named(found->get_ref<const std::string&>());
}

}  // namespace

std::optional<PageMessage> parse_page_message(std::string_view text) {
    if (text.size() > kLongestPageMessage_bytes) return std::nullopt;
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("t")) return std::nullopt;
    const Json& kind = json["t"];
    using Kind = PageMessage::Kind;
    if (kind == "panic") return PageMessage{Kind::kPanic};
    if (kind == "pedal") {
        const auto controller = controller_of(json), value = whole(json, "v", 0, core::kMidiDataMax);
        if (!controller || !value) return std::nullopt;
        return PageMessage{Kind::kPedal, 0, *controller, *value};
    }
    if (kind == "watch") {
        const auto key = whole(json, "k", 0, core::kKeyCount);
        return key ? std::optional(PageMessage{Kind::kWatch, *key}) : std::nullopt;
    }
    const auto key = whole(json, "k", 1, core::kKeyCount);
    if (!key) return std::nullopt;
    if (kind == "on") {
        const auto velocity = whole(json, "v", 1, core::kMidiDataMax);
        return velocity ? std::optional(PageMessage{Kind::kOn, *key, 0, *velocity}) : std::nullopt;
    }
    if (kind != "off") return std::nullopt;
    return PageMessage{Kind::kOff, *key, 0,
                       whole(json, "v", 0, core::kMidiDataMax).value_or(core::kDefaultReleaseVelocity)};
}

}  // namespace letoff::ui
