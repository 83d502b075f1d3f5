#include "ui/app/commands/regulate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/unit/key_name.h"
#include "core/unit/key_set.h"

namespace letoff::ui {
namespace {

using Json = nlohmann::ordered_json;
using storage::kWholeInstrument;

constexpr std::size_t kMostLines = 24;

/// One key's figures, before and after; those that were not weighed are left out.
void print_figures(const keyboard::RegulatedKey& key) {
    const bool weighed = key.after.touchweight.down_weight_g > 0;
    fmt::print("  {:<17} {:>9} {:>9}\n", core::key_name(key.key_index), "before", "after");
    for (const keyboard::Figure& figure : keyboard::kFigures) {
        if (figure.weights && !weighed) continue;
        fmt::print("    {:<17} {:>7.2f} {:>9.2f} {}\n", figure.row.id, figure.read(key.before), figure.read(key.after),
                   figure.row.unit);
    }
    if (const std::string_view fault = keyboard::fault_of(key.after); !fault.empty()) fmt::print("    {}\n", fault);
}

/// Least and greatest over the keys, of the figures that were asked for.
void print_ranges(std::span<const keyboard::RegulatedKey> keys, std::span<const RowChange> changes) {
    fmt::print("  measured on {} keys{:>7}{:>20}\n", keys.size(), "before", "after");
    for (const RowChange& change : changes) {
        const keyboard::Figure* figure = figure_of(*change.row);
        if (figure == nullptr) continue;
        const auto range = [&](const keyboard::Measured keyboard::RegulatedKey::* when) {
            double low = figure->read(keys.front().*when), high = low;
            for (const keyboard::RegulatedKey& key : keys) {
                low = std::min(low, figure->read(key.*when));
                high = std::max(high, figure->read(key.*when));
            }
            return fmt::format("{:.2f} to {:.2f}", low, high);
        };
        fmt::print("    {:<17} {:>17} {:>19} {}\n", figure->row.id, range(&keyboard::RegulatedKey::before),
                   range(&keyboard::RegulatedKey::after), figure->row.unit);
    }
}

Json figures_json(const keyboard::Measured& measured) {
    Json json;
    for (const keyboard::Figure& figure : keyboard::kFigures) {
        if (figure.weights && measured.touchweight.down_weight_g <= 0) continue;
        json[std::string(figure.row.id)] = std::round(figure.read(measured) * 1e3) / 1e3;
    }
    return json;
}

}  // namespace

void print_regulation(std::string_view name, int revision, const RegulationReport& report,
                      std::span<const RowChange> changes) {
    fmt::print("{}, revision {}\n", name, revision);
    const std::vector<TurnedRow>& turned = report.turned;
    for (std::size_t i = 0; i < std::min(turned.size(), kMostLines); ++i) {
        const TurnedRow& t = turned[i];
        fmt::print("  {:<17} {}: {:.6g} -> {:.6g} {}\n", storage::place_name(t.key), t.row->id, t.before, t.after,
                   t.row->unit);
    }
    if (turned.size() > kMostLines) fmt::print("  and {} more\n", turned.size() - kMostLines);
    if (const auto& own = report.keys_with_own_values; !own.empty())
        fmt::print("  {} keep the values of their own\n", core::key_list(own));
    constexpr std::size_t kShownWhole = 4;
    if (report.measured.size() > kShownWhole) {
        print_ranges(report.measured, changes);
    } else {
        for (const keyboard::RegulatedKey& key : report.measured) print_figures(key);
    }
}

nlohmann::ordered_json regulation_json(std::string_view name, int revision, const RegulationReport& report) {
    Json json;
    json["name"] = name;
    json["revision"] = revision;
    json["changes"] = Json::array();
    for (const TurnedRow& t : report.turned) {
        json["changes"].push_back({{"key", t.key == kWholeInstrument ? Json(nullptr) : Json(t.key)},
                                   {"row", t.row->id},
                                   {"unit", t.row->unit},
                                   {"before", t.before},
                                   {"after", t.after}});
    }
    json["measured"] = Json::array();
    for (const keyboard::RegulatedKey& key : report.measured) {
        json["measured"].push_back(
            {{"key", key.key_index + 1}, {"before", figures_json(key.before)}, {"after", figures_json(key.after)}});
    }
    return json;
}

}  // namespace letoff::ui
