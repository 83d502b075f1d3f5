#include "core/midi/input_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace letoff::core {
namespace {

constexpr std::array<double, 16> kPlayed = {28, 37, 43, 48, 53, 57, 60, 63, 66, 69, 72, 75, 78, 82, 87, 95};
constexpr double kLeastRise = 0.05;  // of a step in a step: two velocities of a keyboard stay two

using Counts = std::array<int, kMidiNotes>;

int total(const Counts& counts) {
    int sum = 0;
    for (const int count : counts) sum += count;
    return sum;
}

/// The velocity below which lies this share of the notes. Those of one velocity are taken as spread evenly up to half
/// way to the neighbours that the keyboard has.
double at_share(const Counts& counts, double share) {
    std::vector<int> used;
    for (int v = 1; v < kMidiNotes; ++v) {
        if (counts[static_cast<std::size_t>(v)] > 0) used.push_back(v);
    }
    const double wanted = share * total(counts);
    double below = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const double here = counts[static_cast<std::size_t>(used[i])];
        if (below + here >= wanted) {
            const double from = i == 0 ? used[i] - 0.5 : 0.5 * (used[i - 1] + used[i]);
            const double to = i + 1 == used.size() ? used[i] + 0.5 : 0.5 * (used[i] + used[i + 1]);
            return from + (to - from) * (wanted - below) / here;
        }
        below += here;
    }
    return used.empty() ? 0 : used.back();
}

std::array<double, InputMap::kCurvePoints> curve_of(const Counts& counts) {
    std::vector<std::pair<double, double>> knots{{1, 1}};
    for (std::size_t k = 0; k < kPlayed.size(); ++k) {
        const double in = at_share(counts, (2 * static_cast<double>(k) + 1) / (2 * kPlayed.size()));
        if (in > knots.back().first + 0.5) knots.emplace_back(in, kPlayed[k]);
    }
    if (knots.back().first < kMidiDataMax - 0.5) knots.emplace_back(kMidiDataMax, kMidiDataMax);
    std::array<double, InputMap::kCurvePoints> curve{};
    std::size_t next = 1;
    for (std::size_t v = 1; v < curve.size(); ++v) {
        const auto in = static_cast<double>(v);
        while (next + 1 < knots.size() && knots[next].first < in) ++next;
        const auto& [x0, y0] = knots[next - 1];
        const auto& [x1, y1] = knots[next];
        curve[v] = std::min<double>(y0 + (in - x0) * (y1 - y0) / (x1 - x0), kMidiDataMax);
        if (v > 1) curve[v] = std::max(curve[v], curve[v - 1] + kLeastRise);
    }
    return curve;
}

}  // namespace

void InputFit::Pedal::see(int value) {
    if (first < 0) first = value;
    least = std::min(least, value);
    most = std::max(most, value);
}

PedalEnds InputFit::Pedal::ends(const PedalEnds& before) const {
    if (!seen()) return before;
    // A short way keeps what a pedal must have.
    const int margin =
        std::min(static_cast<int>(std::lround(kEndMargin * (most - least))), (most - least - PedalEnds::kLeastWay) / 2);
    const bool inverted = most - first < first - least;
    const PedalEnds ends{least + margin, most - margin};
    return inverted ? PedalEnds{ends.down, ends.up} : ends;
}

void InputFit::see(const MidiMessage& message) {
    if (message.kind == MidiKind::note_on) {
        ++counts_[is_black_note(message.data1) ? 1 : 0][message.data2 & 127];
        ++notes_;
    }
    if (message.kind != MidiKind::control_change) return;
    const std::array<int, 3> controllers = {kSustainPedal, kSostenutoPedal, kSoftPedal};
    for (std::size_t p = 0; p < controllers.size(); ++p) {
        if (message.data1 == controllers[p]) pedals_[p].see(message.data2);
    }
}

Result<InputMap> InputFit::map(const InputMap& from) const {
    if (notes_ < kLeastNotes) {
        return Error{
            fmt::format("{} notes were played, {} are needed to know a keyboard: play for two minutes, softly "
                        "and loudly",
                        notes_, kLeastNotes)};
    }
    InputMap map = from;
    Counts all{};
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = counts_[0][v] + counts_[1][v];
    map.curve = curve_of(all);
    map.black_offset = 0;
    if (total(counts_[0]) >= kLeastOfAColour && total(counts_[1]) >= kLeastOfAColour) {
        const auto median = [&](const Counts& counts) {
            const double in = at_share(counts, 0.5);
            const auto low = static_cast<std::size_t>(std::clamp(in, 1.0, kMidiDataMax - 1.0));
            return (*map.curve)[low] + (in - static_cast<double>(low)) * ((*map.curve)[low + 1] - (*map.curve)[low]);
        };
        map.black_offset = std::clamp(median(counts_[0]) - median(counts_[1]), -kMostBlack, kMostBlack);
    }
    map.sustain = pedals_[0].ends(from.sustain);
    map.sostenuto = pedals_[1].ends(from.sostenuto);
    map.soft = pedals_[2].ends(from.soft);
    return map;
}

}  // namespace letoff::core
