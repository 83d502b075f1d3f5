#include "keyboard/bench/soft_control.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace letoff::keyboard {
namespace {

constexpr double kPlace_mps = 0.010, kStand_s = 0.05;
constexpr double kWait_s = 0.4;        // a stroke that has not struck by then is silent: 10 mm at 0.3 m/s2 take 0.26 s
constexpr double kAtButton_m = 1e-4;   // the finger feels the button: a tenth of a millimetre into it
constexpr std::size_t kPractice = 64;  // accelerations tried beforehand, evenly in their logarithm
constexpr double kSlowest_mps2 = 0.3, kFastest_mps2 = 200;

/// The key as it stands when it has been brought to a dip, ready to be pressed from there.
TestKey standing_at(const TestKey& key, double dip_m) {
    Bench bench(key);
    bench.drive_at(kPlace_mps, dip_m);
    bench.stop_and_hold(kStand_s);
    TestKey standing = key;
    standing.rest = bench.block().state();
    return standing;
}

/// Speed of the first strike for each acceleration of the finger; 0: none.
std::vector<double> play(const TestKey& key, std::span<const double> accelerations) {
    std::vector<double> speeds(accelerations.size(), 0.0);
    for (std::size_t first = 0; first < accelerations.size(); first += core::kLanes) {
        const std::size_t count = std::min<std::size_t>(core::kLanes, accelerations.size() - first);
        Bench bench(key, static_cast<int>(count));
        for (std::size_t l = 0; l < count; ++l) bench.press(static_cast<int>(l), accelerations[first + l]);
        std::size_t struck = 0;
        while (struck < count && bench.now_s() < kWait_s) {
            bench.tick();
            for (std::size_t l = 0; l < count; ++l) {
                const ActionBlock::Events& events = bench.block().events(static_cast<int>(l));
                if (!events.struck || speeds[first + l] != 0) continue;
                speeds[first + l] = events.strike.hammer_speed_mps;
                ++struck;
            }
        }
    }
    return speeds;
}

/// The acceleration that should give a speed, from what came of the practised ones: between the first two neighbours
/// that have it between them, straight in the logarithms; else the practised one that came nearest.
double acceleration_for(double asked_mps, std::span<const double> practised, std::span<const double> came) {
    std::size_t nearest = 0;
    for (std::size_t k = 0; k + 1 < came.size(); ++k) {
        const double low = came[k], high = came[k + 1];
        if (low > 0 && low <= asked_mps && high > asked_mps)
            return practised[k] *
                   std::pow(practised[k + 1] / practised[k], std::log(asked_mps / low) / std::log(high / low));
        if (high > 0 && std::abs(high - asked_mps) < std::abs(came[nearest] - asked_mps)) nearest = k + 1;
    }
    return practised[nearest];
}

template <typename Error>
double root_mean_square(const std::vector<SoftNote>& notes, Error&& error) {
    double sum = 0;
    int count = 0;
    for (const SoftNote& note : notes) {
        for (const double got : note.got_mps) {
            if (got <= 0) continue;
            const double e = error(note, got);
            sum += e * e;
            ++count;
        }
    }
    return count > 0 ? std::sqrt(sum / count) : 0.0;
}

}  // namespace

double SoftNote::mean_mps() const {
    double sum = 0;
    int count = 0;
    for (const double got : got_mps) {
        sum += got;
        count += got > 0;
    }
    return count > 0 ? sum / count : 0.0;
}

double SoftControl::off() const {
    return root_mean_square(notes, [](const SoftNote& n, double got) { return got / n.asked_mps - 1; });
}
double SoftControl::spread() const {
    return root_mean_square(notes, [](const SoftNote& n, double got) { return (got - n.mean_mps()) / n.asked_mps; });
}

SoftControl play_softly(const TestKey& key, const Regulation& regulation, bool from_escapement) {
    const TestKey start = from_escapement ? standing_at(key, regulation.let_off_dip_m + kAtButton_m) : key;
    std::vector<double> practised;
    for (std::size_t i = 0; i < kPractice; ++i)
        practised.push_back(kSlowest_mps2 *
                            std::pow(kFastest_mps2 / kSlowest_mps2, static_cast<double>(i) / (kPractice - 1)));
    const std::vector<double> came = play(start, practised);

    SoftControl control;
    std::vector<double> tries;
    for (int i = 0; i < kSoftSpeeds; ++i) {
        SoftNote note;
        note.asked_mps = kSoftest_mps + (kSoftLoudest_mps - kSoftest_mps) * i / (kSoftSpeeds - 1.0);
        note.acceleration_mps2 = acceleration_for(note.asked_mps, practised, came);
        for (int k = 0; k < kTries; ++k)
            tries.push_back(note.acceleration_mps2 * (1 + kHandSpread * (2.0 * k / (kTries - 1.0) - 1)));
        control.notes.push_back(note);
    }
    const std::vector<double> played = play(start, tries);
    for (std::size_t i = 0; i < control.notes.size(); ++i) {
        SoftNote& note = control.notes[i];
        for (std::size_t k = 0; k < kTries; ++k) {
            const double got = played[i * kTries + k];
            note.got_mps[k] = got;
            control.silent += got <= 0;
            if (got > 0 && (control.softest_mps == 0 || got < control.softest_mps)) control.softest_mps = got;
        }
    }
    return control;
}

}  // namespace letoff::keyboard
