// Figures of a key as the commands tell them: null, or "none", where they need a let-off and the key's action has none.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "keyboard/bench/measure.h"

namespace letoff::ui {

struct FiguresTold {
    bool has_let_off = true;

    bool has(std::string_view figure) const { return has_let_off || !keyboard::needs_let_off(figure); }
    void put(nlohmann::ordered_json& json, const char* figure, double value) const {
        json[figure] = has(figure) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    }
    std::string text(std::string_view figure, double value, int digits) const {
        return has(figure) ? fmt::format("{:.{}f}", value, digits) : "none";
    }
};

}  // namespace letoff::ui
