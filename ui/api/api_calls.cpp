#include "ui/api/api_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/api/api_arguments.h"
#include "ui/api/json_of.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kUsualBody_bytes = 64 * 1024;
constexpr std::size_t kFileBody_bytes = 9 << 20;  // twice the largest profile file, as JSON writes it as a text
constexpr std::size_t kMostMeasured = 8;

ApiReply said(const Json& json) {
    return {200, json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

ApiReply of_draft(const core::DraftResult& result) {
    ApiReply reply = said(json_of(result));
    if (result.conflict) reply.status = 409;
    return reply;
}

template <typename T, typename Say>
ApiReply of(const core::Result<T>& result, const Say& say) {
    return result ? say(result.value()) : api_error(422, result.error());
}
ApiReply of(const core::Result<core::DraftResult>& result) {
    return of(result, of_draft);
}
/// A list under a name, or a plain value.
template <typename T>
ApiReply named(const char* name, const core::Result<T>& result) {
    return of(result, [&](const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            return said(Json{{name, value}});
        } else {
            return said(Json{{name, json_of(value)}});
        }
    });
}

using core::InstrumentControl;

/// A part of an exported file: 384 kB, so 512 kB as text.
ApiReply export_part(InstrumentControl& i, const Json& args) {
    constexpr std::size_t kPart_bytes = 384 * 1024;
    return of(i.recorder().export_part(whole(args, "offset"), kPart_bytes),
              [](const std::string& part) { return said(Json{{"base64", base64(part)}, {"bytes", part.size()}}); });
}

/// A trace of what the scope has captured: "dip" ... "string", "q0" ..., "c0" ... ; none yet where it waits for a
/// strike.
ApiReply captured(InstrumentControl& i, const Json& args) {
    const std::string name = text(args, "trace");
    constexpr std::string_view kPlain[] = {"dip", "crown", "speed", "finger", "string"};
    static_assert(std::size(kPlain) == core::kScopeBodies);
    int channel = 0;
    while (channel < core::kScopeChannels) {
        const std::string known = channel < core::kScopeBodies     ? std::string(kPlain[channel])
                                  : channel < core::kScopeContacts ? fmt::format("q{}", channel - core::kScopeBodies)
                                                                   : fmt::format("c{}", channel - core::kScopeContacts);
        if (known == name) break;
        ++channel;
    }
    if (channel == core::kScopeChannels)
        misunderstood(fmt::format("'trace' can be dip, crown, speed, finger, string, q0 to q{} or c0 to c{}, not {}",
                                  core::kMaxBodies - 1, core::kMaxContacts - 1, name));
    core::CapturedTrace trace;
    if (!i.scope().captured(channel, trace)) return said(Json{{"ready", false}});
    return said(Json{{"ready", true},
                     {"key", trace.key_index + 1},
                     {"t_s", json_of(trace.after_strike_s)},
                     {"value", json_of(trace.value)}});
}

ApiReply rows(InstrumentControl& i, const Json&) {
    Json tables = Json::array();
    for (const auto& table : i.rows()) {
        Json json = Json::array();
        for (const core::Row& row : table) json.push_back(json_of(row));
        tables.push_back(std::move(json));
    }
    return said(Json{{"tables", std::move(tables)}});
}

struct Call {
    std::string_view name;
    bool changes;
    ApiReply (*answer)(InstrumentControl&, const Json&);
};

constexpr Call kCalls[] = {
    {"rows", false, rows},
    {"draft", false, [](InstrumentControl& i, const Json&) { return said(Json{{"draft", json_of(i.draft())}}); }},
    {"health", false, [](InstrumentControl& i, const Json&) { return said(json_of(i.health())); }},
    {"values", false,
     [](InstrumentControl& i, const Json& a) { return said(Json{{"values", json_of(i.values(key(a, 0)))}}); }},
    {"edit", true,
     [](InstrumentControl& i, const Json& a) {
         return of(i.edit(whole(a, "revision"), keys(a, 0, core::kKeyCount), changes(a)));
     }},
    {"undo", true, [](InstrumentControl& i, const Json& a) { return of_draft(i.undo(whole(a, "revision"))); }},
    {"redo", true, [](InstrumentControl& i, const Json& a) { return of_draft(i.redo(whole(a, "revision"))); }},
    {"play_saved", true, [](InstrumentControl& i, const Json& a) { return of_draft(i.play_saved(flag(a, "saved"))); }},
    {"choose", true,
     [](InstrumentControl& i, const Json& a) { return of(i.choose(whole(a, "revision"), text(a, "profile"))); }},
    {"save", true,
     [](InstrumentControl& i, const Json& a) {
         return of(i.save(whole(a, "revision"), text(a, "name", ""), text(a, "note", "")));
     }},
    {"profiles", false, [](InstrumentControl& i, const Json&) { return named("profiles", i.profiles()); }},
    {"history", false,
     [](InstrumentControl& i, const Json& a) { return named("history", i.history(text(a, "profile"))); }},
    {"differences", false,
     [](InstrumentControl& i, const Json& a) {
         return named("differences", i.differences(text(a, "a"), text(a, "b")));
     }},
    {"blend", true,
     [](InstrumentControl& i, const Json& a) {
         return named("name", i.blend(text(a, "a"), text(a, "b"), number(a, "share"), text(a, "name")));
     }},
    {"remove", true,
     [](InstrumentControl& i, const Json& a) { return named("sentence", i.remove(text(a, "profile"))); }},
    {"restore", true,
     [](InstrumentControl& i, const Json& a) {
         return named("sentence", i.restore(text(a, "profile"), static_cast<int>(std::clamp<std::int64_t>(
                                                                    whole(a, "revision"), 0, 1 << 30))));
     }},
    {"export", false,
     [](InstrumentControl& i, const Json& a) { return named("text", i.export_text(text(a, "profile"))); }},
    {"import", true,
     [](InstrumentControl& i, const Json& a) {
         return named("name", i.import_text(text(a, "text"), text(a, "name", "")));
     }},
    {"measure", false,
     [](InstrumentControl& i, const Json& a) {
         return named("measured", i.measure(keys(a, 1, kMostMeasured), which(a)));
     }},
    {"force_curve", false,
     [](InstrumentControl& i, const Json& a) { return named("curve", i.force_curve(key(a, 1), which(a))); }},
    {"read_curve", false,
     [](InstrumentControl& i, const Json& a) {
         return named("curve", i.read_curve(text(a, "text"), text(a, "file", "the file")));
     }},
    {"make_alike", true,
     [](InstrumentControl& i, const Json& a) {
         return of(i.make_alike(whole(a, "revision"), keys(a, 1, core::kKeyCount), text(a, "text"),
                                text(a, "file", "the file")));
     }},
    {"range", false,
     [](InstrumentControl& i, const Json& a) { return named("range", i.range(key(a, 1), text(a, "figure"))); }},
    {"findings", false,
     [](InstrumentControl& i, const Json&) { return said(Json{{"findings", json_of(i.findings())}}); }},
    {"black_box", true, [](InstrumentControl& i, const Json&) { return named("text", i.black_box()); }},
    {"recordings", false,
     [](InstrumentControl& i, const Json&) {
         return of(i.recorder().state(), [](const core::RecorderState& state) { return said(json_of(state)); });
     }},
    {"record", true,
     [](InstrumentControl& i, const Json& a) { return named("sentence", i.recorder().start(text(a, "name"))); }},
    {"record_stop", true, [](InstrumentControl& i, const Json&) { return named("sentence", i.recorder().stop()); }},
    {"replay", true,
     [](InstrumentControl& i, const Json& a) { return named("sentence", i.recorder().replay(text(a, "name"))); }},
    {"replay_stop", true,
     [](InstrumentControl& i, const Json&) { return named("sentence", i.recorder().stop_replay()); }},
    {"record_delete", true,
     [](InstrumentControl& i, const Json& a) { return named("sentence", i.recorder().remove(text(a, "name"))); }},
    {"record_keep", true,
     [](InstrumentControl& i, const Json& a) {
         return named("sentence", i.recorder().keep(text(a, "name"), text(a, "new_name")));
     }},
    {"record_export", true,
     [](InstrumentControl& i, const Json& a) {
         return named("sentence", i.recorder().begin_export(text(a, "name"), form(a)));
     }},
    {"record_part", false, export_part},
    {"devices", false,
     [](InstrumentControl& i, const Json&) {
         return of(i.devices().devices(), [](const core::DeviceState& state) { return said(json_of(state)); });
     }},
    {"use_device", true,
     [](InstrumentControl& i, const Json& a) {
         return named("sentence", i.devices().use(device_kind(a), text(a, "choice")));
     }},
    {"rearm", true, [](InstrumentControl& i, const Json&) { return named("sentence", i.devices().rearm()); }},
    {"scope_arm", false,
     [](InstrumentControl& i, const Json& a) {
         i.scope().arm(key(a, 1) - 1);
         return said(Json::object());
     }},
    {"captured", false, captured},
    {"drawing", false, [](InstrumentControl& i, const Json& a) { return named("drawing", i.drawing(key(a, 1))); }},
};

const Call* find(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(kCalls), std::end(kCalls), [&](const Call& c) { return c.name == name; });
    return found == std::end(kCalls) ? nullptr : found;
}

}  // namespace

bool is_api_call(std::string_view name) {
    return find(name) != nullptr;
}

bool api_call_changes(std::string_view name) {
    const Call* call = find(name);
    return call != nullptr && call->changes;
}

std::size_t longest_body_bytes(std::string_view name) {
    const bool takes_a_file = name == "import" || name == "read_curve" || name == "make_alike";
    return takes_a_file ? kFileBody_bytes : kUsualBody_bytes;
}

ApiReply api_error(int status, std::string_view sentence) {
    ApiReply reply = said(Json{{"error", sentence}});
    reply.status = status;
    return reply;
}

ApiReply api_call(core::InstrumentControl& instrument, std::string_view name, std::string_view body) {
    const Call* call = find(name);
    if (call == nullptr) return api_error(404, "there is no such call");
    // Deep nesting costs the parser's stack.
    int depth = 0;
    const auto shallow = [&](int, Json::parse_event_t event, Json&) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (++depth > 16) misunderstood("it is nested too deeply");
        } else if (event == Event::object_end || event == Event::array_end) {
            --depth;
        }
        return true;
    };
    try {
        const Json args = body.empty() ? Json::object() : Json::parse(body, shallow, false);
        if (!args.is_object()) return api_error(400, "a JSON object is needed");
        return call->answer(instrument, args);
    } catch (const Misunderstood& why) {
        return api_error(400, why.sentence);
    } catch (const nlohmann::json::exception& why) {
        return api_error(400, why.what());
    }
}

std::string draft_message(const core::DraftState& state) {
    return Json{{"t", "draft"}, {"draft", json_of(state)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace letoff::ui
