#include "keyboard/regulation/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace letoff::keyboard {
namespace {

constexpr double kBlocked_m = 1e-4;    // nearer than this at the end of a slow press the hammer lies on its strings
constexpr double kFallsFree_m = 1e-4;  // less is no drop
constexpr double kNoWay_m = 2e-3;      // a key with less way to go has stayed down after its stroke

}  // namespace

core::Result<std::vector<std::size_t>> screws_for(std::span<const std::size_t> figures) {
    std::vector<std::size_t> taken, figure_of(std::size(kScrews), kFigureCount);
    for (const std::size_t figure : figures) {
        std::size_t blocked_by = kFigureCount;
        bool found = false;
        for (const std::string_view row : kFigures[figure].screws) {
            const auto* screw =
                std::find_if(std::begin(kScrews), std::end(kScrews), [&](const Screw& s) { return s.row == row; });
            if (row.empty() || screw == std::end(kScrews)) continue;
            const auto index = static_cast<std::size_t>(screw - kScrews);
            if (figure_of[index] != kFigureCount) {
                blocked_by = figure_of[index];
                continue;
            }
            figure_of[index] = figure;
            taken.push_back(index);
            found = true;
            break;
        }
        if (!found) {
            return core::Error{
                fmt::format("{} cannot be asked for together with {}: the same screw would be turned "
                            "for both",
                            kFigureRows[figure].id, kFigureRows[blocked_by].id)};
        }
    }
    return taken;
}

std::vector<Measured> measure_keys(std::span<const KeyBuild> builds, const MeasureWhat& what) {
    const std::vector<TestKey> keys = settle_test_keys(builds);
    const std::vector<Regulation> regulations = measure_regulations(keys);
    std::vector<double> accelerations = what.accelerations_mps2;
    accelerations.resize(keys.size(), kAboutMf_mps2);
    const std::vector<PlayedStroke> strokes = play_each(keys, accelerations, true);
    std::vector<Touchweight> weights(keys.size());
    if (what.weights) {
        std::vector<Touchweight> expected = what.expected;
        expected.resize(keys.size(), Touchweight{50, 25});
        weights = measure_touchweights(keys, regulations, expected);
    }
    std::vector<Measured> all;
    all.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) all.push_back({regulations[k], strokes[k], weights[k]});
    return all;
}

std::string_view fault_of(const Measured& m) {
    const Regulation& r = m.regulation;
    if (r.key_dip_m < kNoWay_m) return "the key does not come up again";
    if (m.touchweight.down_weight_g > 0 && m.touchweight.up_weight_g <= 0) return "the key hardly comes up again";
    if (r.let_off_m < kBlocked_m) return "the hammer blocks on its strings";
    if (r.jack_release_dip_m == 0 || r.aftertouch_m <= 0) return "the key is down before the jack lets go";
    if (r.drop_m < kFallsFree_m) return "the hammer does not fall when the jack has let go";
    if (m.stroke.strikes == 0) return "an mf stroke does not reach the strings";
    if (m.stroke.strikes > 1) return "an mf stroke strikes twice";
    if (m.stroke.check_before_string) return "the backcheck touches the hammer on its way up";
    if (!m.stroke.held) return "the backcheck does not hold the hammer";
    return {};
}

}  // namespace letoff::keyboard
