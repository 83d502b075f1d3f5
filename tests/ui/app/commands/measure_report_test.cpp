#include "ui/app/commands/measure_report.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/string/string_design.h"
#include "keyboard/keybed/grand_keys.h"

namespace letoff::ui {
namespace {

const nlohmann::ordered_json& a4_json() {
    static const nlohmann::ordered_json json = [] {
        const core::StringSet strings = core::design_strings({});
        const keyboard::KeyBuild build = keyboard::grand_keys(strings, 48, 1).front();
        return measured_key_json({48, keyboard::measure_key(build, {.playing = true})});
    }();
    return json;
}

TEST(MeasureJson, HasTheNamesOthersScriptAgainst) {
    for (const char* name : {"key", "down_weight_g", "up_weight_g", "friction_g", "balance_weight_g", "key_dip_mm",
                             "blow_distance_mm", "let_off_mm", "drop_mm", "aftertouch_mm", "check_distance_mm",
                             "equivalent_mass_kg", "max_repetition_hz", "strokes", "force_curve"})
        EXPECT_TRUE(a4_json().contains(name)) << name;  // design, section 4
    ASSERT_EQ(a4_json()["strokes"].size(), 5u);
    for (const char* name : {"touch", "hammer_speed_mps", "travel_time_s", "key_bottom_minus_strike_s",
                             "escapement_minus_strike_s", "string_contact_s"})
        EXPECT_TRUE(a4_json()["strokes"][0].contains(name)) << name;
    for (const char* name : {"dip_mm", "down_N", "up_N"}) EXPECT_TRUE(a4_json()["force_curve"].contains(name)) << name;
}

TEST(MeasureJson, FiguresAreInTheirUnits) {
    const auto& k = a4_json();
    EXPECT_EQ(k["key"], 49);
    EXPECT_NEAR(k["head_to_key_ratio"].get<double>(), 5.3, 0.3);
    EXPECT_NEAR(k["stanwood"]["front_weight_g"].get<double>(), 22, 5);
    EXPECT_NEAR(k["stanwood"]["key_ratio"].get<double>(), 0.45, 0.05);
    EXPECT_NEAR(k["stanwood"]["wippen_balance_weight_g"].get<double>(),
                k["stanwood"]["wippen_weight_g"].get<double>() * k["stanwood"]["key_ratio"].get<double>(), 0.02);
    EXPECT_NEAR(k["damper"]["key_pick_up_mm"].get<double>(), 4.5, 0.5);
    EXPECT_NEAR(k["technician"]["jack"]["behind_core_mm"].get<double>(), 1.7, 0.5);
    EXPECT_FALSE(k["technician"]["blocking"]["slow"].get<bool>());
    // Energy adds up: what the finger gave is where it went, to a thousandth and a microjoule's rounding each.
    for (const auto& stroke : k["strokes"]) {
        const auto& e = stroke["energy"];
        double sum = 0;
        for (const char* part :
             {"strings_J", "hammer_felt_J", "front_rail_J", "other_felts_J", "rubbing_J", "pivots_J", "stored_J"})
            sum += e[part].get<double>();
        EXPECT_NEAR(sum, e["work_J"].get<double>(), 1e-3 * e["work_J"].get<double>() + 5e-6) << stroke["touch"];
    }
    EXPECT_EQ(k["playing"]["double_strikes"]["fingers"], 92);
    EXPECT_EQ(k["playing"]["double_strikes"]["which"].size(),
              k["playing"]["double_strikes"]["doubled"].get<std::size_t>() +
                  k["playing"]["double_strikes"]["doubled_below_0.3_mps"].get<std::size_t>());
    EXPECT_EQ(k["playing"]["soft"]["asked_mps"].size(), 20u);
    EXPECT_EQ(k["playing"]["soft"]["got_mps"][0].size(), 5u);
}

}  // namespace
}  // namespace letoff::ui
