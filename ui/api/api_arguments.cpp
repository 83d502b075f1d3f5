#include "ui/api/api_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/unit/keys.h"

namespace letoff::ui {
namespace {

double number_of(const Json& json, const char* name) {
    if (!json.is_number()) misunderstood(fmt::format("'{}' has to be a number", name));
    return json.get<double>();
}

int key_from(const Json& json, int least) {
    const double value = number_of(json, "key");
    if (!(value >= least && value <= core::kKeyCount) || value != std::floor(value))
        misunderstood(fmt::format("a key is a number from {} to {}", least, core::kKeyCount));
    return static_cast<int>(value);
}

}  // namespace

void misunderstood(std::string sentence) {
    throw Misunderstood{std::move(sentence)};
}

std::string text(const Json& args, const char* name, const char* otherwise) {
    const auto found = args.find(name);
    if (found == args.end() && otherwise != nullptr) return otherwise;
    if (found == args.end() || !found->is_string()) misunderstood(fmt::format("'{}' has to be a text", name));
    return found->get<std::string>();
}

double number(const Json& args, const char* name) {
    const auto found = args.find(name);
    return number_of(found == args.end() ? Json() : *found, name);
}

std::int64_t whole(const Json& args, const char* name) {
    const double value = number(args, name);
    if (!(std::abs(value) < 9e15) || value != std::floor(value))
        misunderstood(fmt::format("'{}' has to be a whole number", name));
    return static_cast<std::int64_t>(value);
}

bool flag(const Json& args, const char* name) {
    const auto found = args.find(name);
    if (found == args.end()) return false;
    if (!found->is_boolean()) misunderstood(fmt::format("'{}' has to be true or false", name));
    return found->get<bool>();
}

int key(const Json& args, int least) {
    const auto found = args.find("key");
    return key_from(found == args.end() ? Json() : *found, least);
}

std::vector<int> keys(const Json& args, int least, std::size_t most) {
    const auto found = args.find("keys");
    if (found == args.end() || !found->is_array() || found->empty() || found->size() > most)
        misunderstood(fmt::format("'keys' has to be a list of 1 to {} keys", most));
    std::vector<int> all;
    for (const Json& one : *found) all.push_back(key_from(one, least));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.front() == 0 && all.size() > 1) misunderstood("key 0 is the whole instrument and stands alone");
    return all;
}

core::Which which(const Json& args) {
    const std::string of = text(args, "of", "draft");
    if (of == "draft") return core::Which::kDraft;
    if (of == "saved") return core::Which::kSaved;
    if (of == "factory") return core::Which::kFactory;
    misunderstood(fmt::format("'of' can be draft, saved or factory, not {}", of));
}

std::vector<core::ValueChange> changes(const Json& args) {
    const auto found = args.find("changes");
    if (found == args.end() || !found->is_array() || found->empty() || found->size() > 100)
        misunderstood("'changes' has to be a list of 1 to 100 changes");
    std::vector<core::ValueChange> all;
    for (const Json& one : *found) {
        if (!one.is_object()) misunderstood("a change is an object with row, kind and value");
        core::ValueChange change{text(one, "row")};
        const std::string kind = text(one, "kind", "set");
        using Kind = core::ValueChange::Kind;
        if (kind != "set" && kind != "turn" && kind != "base")
            misunderstood(fmt::format("a change's kind can be set, turn or base, not {}", kind));
        change.kind = kind == "set" ? Kind::kSet : kind == "turn" ? Kind::kTurn : Kind::kBase;
        if (change.kind != Kind::kBase) change.value = number(one, "value");
        all.push_back(std::move(change));
    }
    return all;
}

core::ExportForm form(const Json& args) {
    using Form = core::ExportForm;
    const std::string name = text(args, "form");
    constexpr std::pair<std::string_view, Form> kForms[] = {{"midi", Form::kMidi88}, {"xp", Form::kMidiXp},
                                                            {"midi7", Form::kMidi7}, {"hammers", Form::kHammers},
                                                            {"wav", Form::kWav},     {"flac", Form::kFlac}};
    for (const auto& [known, value] : kForms) {
        if (name == known) return value;
    }
    misunderstood(fmt::format("'form' can be midi, xp, midi7, hammers, wav or flac, not {}", name));
}

core::DeviceKind device_kind(const Json& args) {
    const std::string name = text(args, "kind");
    if (name == "sound") return core::DeviceKind::kSound;
    if (name == "midi_in") return core::DeviceKind::kMidiIn;
    if (name == "midi_out") return core::DeviceKind::kMidiOut;
    misunderstood(fmt::format("'kind' can be sound, midi_in or midi_out, not {}", name));
}

}  // namespace letoff::ui
