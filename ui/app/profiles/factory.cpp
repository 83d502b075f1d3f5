#include "ui/app/profiles/factory.h"

#include <algorithm>
#include <span>

#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

struct FactoryValue {
    int key;  // storage::kWholeInstrument or 1..88
    std::string_view row;
    storage::ProfileValue value;
};

struct FactoryProfile {
    std::string_view name, action, notes;
    std::span<const FactoryValue> values;
};

constexpr FactoryProfile kFactory[] = {
    {kDefaultProfile,
     "grand",
     "A concert grand, freshly regulated: the grand action as its rows' defaults have it.",
     {}},
};

bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::vector<std::string> factory_names() {
    std::vector<std::string> names;
    for (const FactoryProfile& profile : kFactory) names.emplace_back(profile.name);
    return names;
}

std::optional<storage::Profile> factory_profile(std::string_view name) {
    for (const FactoryProfile& made : kFactory) {
        if (!same_name(made.name, name)) continue;
        storage::Profile profile;
        profile.name = made.name;
        profile.action = made.action;
        profile.notes = made.notes;
        for (const FactoryValue& value : made.values) {
            profile.values[{value.key, std::string(value.row)}] = value.value;
        }
        return profile;
    }
    return std::nullopt;
}

}  // namespace letoff::ui
