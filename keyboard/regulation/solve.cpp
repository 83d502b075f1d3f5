#include "keyboard/regulation/solve.h"

#include <fmt/format.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/unit/key_name.h"
#include "keyboard/keybed/grand_keys.h"

namespace letoff::keyboard {
namespace {

constexpr int kMostRounds = 14;
constexpr double kFinest = 1e-5;  // screws are turned in steps of this: 0.01 um is 0.07 um of let-off

double rounded(double turn) {
    return std::round(turn / kFinest) * kFinest;
}

KeyBuild build_of(const GrandTouch& touch, int key_index, const core::StringSet& strings) {
    return grand_keys(strings, key_index, 1, touch).front();
}

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

/// A singular matrix gives no step.
Vector solution(const Matrix& a, const Vector& b) {
    const auto n = static_cast<Eigen::Index>(b.size());
    Eigen::MatrixXd m(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        m.row(i) = Eigen::Map<const Eigen::RowVectorXd>(a[static_cast<std::size_t>(i)].data(), n);
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(m);
    if (lu.matrixLU().diagonal().cwiseAbs().minCoeff() < 1e-12) return Vector(b.size(), 0.0);
    const Eigen::VectorXd x = lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
    return {x.begin(), x.end()};
}

/// One key on its way to what is wanted of it.
class Search {
  public:
    Search(const RegulateTask& task, std::span<const std::size_t> screws, int key_index, const Measured& before)
        : task_(task), screws_(screws), key_index_(key_index) {
        const std::size_t n = screws.size();
        turn_.assign(n, 0.0);
        best_turn_ = turn_;
        for (std::size_t i = 0; i < n; ++i) {
            const Wanted& w = task.wanted[i];
            target_.push_back(w.relative ? kFigures[w.figure].read(before) + w.value : w.value);
            way_.push_back(way_of(task.start, key_index, kScrews[screws[i]].row));
        }
        matrix_ = first_guess();
    }

    bool done() const { return done_; }
    const Measured& best() const { return best_; }
    std::vector<Turn> best_turns() const { return turns(best_turn_); }
    double target(std::size_t i) const { return target_[i]; }
    KeyBuild build() const {
        return build_of(turned(task_.start, key_index_, turns(turn_)), key_index_, task_.strings);
    }

    /// What the present turns gave; turns on.
    void measured(const Measured& m) {
        if (done_) return;
        Vector missing(target_.size()), figures(target_.size());
        double worst = 0;
        for (std::size_t i = 0; i < target_.size(); ++i) {
            const Figure& figure = kFigures[task_.wanted[i].figure];
            figures[i] = figure.read(m);
            missing[i] = target_[i] - figures[i];
            worst = std::max(worst, std::abs(missing[i]) / figure.precise);
        }
        if (worst < best_worst_) {
            best_worst_ = worst;
            best_ = m;
            best_turn_ = turn_;
        }
        if (worst <= 1) {
            done_ = true;
            return;
        }
        if (!last_step_.empty()) learn(figures);
        last_figures_ = figures;
        Vector step = solution(matrix_, missing);
        double share = 1;
        for (std::size_t i = 0; i < step.size(); ++i) {
            if (step[i] != 0) share = std::min(share, kScrews[screws_[i]].most / std::abs(step[i]));
        }
        done_ = true;
        for (std::size_t i = 0; i < step.size(); ++i) {
            const double to =
                rounded(std::clamp(turn_[i] + share * step[i], way_[i].least + kFinest, way_[i].most - kFinest));
            step[i] = to - turn_[i];
            turn_[i] = to;
            if (step[i] != 0) done_ = false;
        }
        last_step_ = step;
    }

    /// The figure that is farthest from what is accepted, if any is beyond it.
    std::size_t missed() const {
        double worst = 1;
        std::size_t which = target_.size();
        for (std::size_t i = 0; i < target_.size(); ++i) {
            const Figure& figure = kFigures[task_.wanted[i].figure];
            const double off = std::abs(figure.read(best_) - target_[i]) / figure.accepted;
            if (off <= worst) continue;
            worst = off;
            which = i;
        }
        return which;
    }

  private:
    Matrix first_guess() const {
        Matrix m(screws_.size(), Vector(screws_.size()));
        for (std::size_t i = 0; i < screws_.size(); ++i) {
            for (std::size_t j = 0; j < screws_.size(); ++j)
                m[i][j] = kScrews[screws_[j]].changes[task_.wanted[i].figure];
        }
        return m;
    }

    void learn(const Vector& figures) {
        double length = 0;  // of the step, each screw by what it may turn at once
        for (std::size_t j = 0; j < last_step_.size(); ++j)
            length += std::pow(last_step_[j] / kScrews[screws_[j]].most, 2);
        if (length < 1e-12) return;
        const Matrix guess = first_guess();
        for (std::size_t i = 0; i < figures.size(); ++i) {
            if (kFigures[task_.wanted[i].figure].weights) continue;
            double foreseen = 0;
            for (std::size_t j = 0; j < last_step_.size(); ++j) foreseen += matrix_[i][j] * last_step_[j];
            const double unforeseen = figures[i] - last_figures_[i] - foreseen;
            for (std::size_t j = 0; j < last_step_.size(); ++j)
                matrix_[i][j] += unforeseen * last_step_[j] / (length * std::pow(kScrews[screws_[j]].most, 2));
            // A step across a band of friction teaches nonsense.
            const double now = matrix_[i][i] / guess[i][i];
            if (now < 0.25 || now > 4) matrix_[i] = guess[i];
        }
    }

    std::vector<Turn> turns(const Vector& by) const {
        std::vector<Turn> all;
        for (std::size_t i = 0; i < by.size(); ++i) {
            if (by[i] != 0) all.push_back({kScrews[screws_[i]].row, by[i]});
        }
        return all;
    }

    const RegulateTask& task_;
    std::span<const std::size_t> screws_;
    int key_index_;
    Vector target_, turn_, best_turn_, last_step_, last_figures_;
    std::vector<Way> way_;
    Matrix matrix_;
    Measured best_;
    double best_worst_ = std::numeric_limits<double>::infinity();
    bool done_ = false;
};

std::string number(double value, double step) {
    return fmt::format("{:.{}f}", value, step < 1 ? 1 : 0);
}

/// `reached`: the nearest that was found.
std::string sentence(const RegulateTask& task, int key_index, const Wanted& wanted, double target, double reached,
                     std::size_t screw, std::string_view fault) {
    const Figure& figure = kFigures[wanted.figure];
    const FigureRange range = range_that_works(task.start, key_index, wanted.figure, screw, task.strings);
    const double low = std::ceil(range.low / figure.told - 1e-9) * figure.told;
    const double high = std::floor(range.high / figure.told + 1e-9) * figure.told;
    if (low > high) {
        std::string_view why = "its screw ends there";
        for (const std::string_view reason : {range.below, range.above, fault}) {
            if (!reason.empty()) why = reason;
        }
        return fmt::format("{} of {} cannot be turned: {}", figure.row.id, core::key_name(key_index), why);
    }
    // Each figure may be had and all of them not: a down and an up weight whose friction the key's pins cannot give.
    if (task.wanted.size() > 1 && target >= low && target <= high && fault.empty()) {
        return fmt::format(
            "{} of {} comes to {} {} at the nearest beside what else is asked, not {:g}; alone it can be {} to {}",
            figure.row.id, core::key_name(key_index), number(reached, figure.told), figure.row.unit, target,
            number(low, figure.told), number(high, figure.told));
    }
    const std::string can =
        fmt::format("{} of {} can be {} to {} {}, not {:g}", figure.row.id, core::key_name(key_index),
                    number(low, figure.told), number(high, figure.told), figure.row.unit, target);
    const std::string_view why = target > range.high ? range.above : target < range.low ? range.below : fault;
    return why.empty() ? can : fmt::format("{}: {}", can, why);
}

void regulate_batch(const RegulateTask& task, std::span<const std::size_t> screws, std::span<RegulatedKey> keys) {
    MeasureWhat what{.weights = task.weights};
    bool check = false;
    for (const Wanted& w : task.wanted) {
        what.weights |= kFigures[w.figure].weights;
        check |= kFigures[w.figure].row.id == "check_distance_mm";
    }
    std::vector<KeyBuild> builds;
    for (const RegulatedKey& key : keys) builds.push_back(build_of(task.before, key.key_index, task.strings));
    for (std::size_t k = 0; check && k < builds.size(); ++k) {  // that of the mf stroke proper
        constexpr double kMf_mps = 2.8;
        what.accelerations_mps2.push_back(
            find_strokes(settle_test_key(builds[k]), {&kMf_mps, 1}).front().acceleration_mps2);
    }
    std::vector<Measured> now = measure_keys(builds, what);
    std::vector<Search> searches;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        keys[k].before = keys[k].after = now[k];
        searches.emplace_back(task, screws, keys[k].key_index, now[k]);
    }
    const auto all_done = [&] {
        return std::all_of(searches.begin(), searches.end(), [](const Search& s) { return s.done(); });
    };
    for (int round = 0; round < kMostRounds && !all_done(); ++round) {
        what.expected.clear();
        for (std::size_t k = 0; k < keys.size(); ++k) {
            builds[k] = searches[k].build();
            what.expected.push_back(now[k].touchweight);
        }
        now = measure_keys(builds, what);
        for (std::size_t k = 0; k < keys.size(); ++k) searches[k].measured(now[k]);
    }
    for (std::size_t k = 0; k < keys.size(); ++k) {
        RegulatedKey& key = keys[k];
        key.after = searches[k].best();
        key.turns = searches[k].best_turns();
        const std::size_t missed = searches[k].missed();
        const std::string_view fault = fault_of(key.before).empty() ? fault_of(key.after) : std::string_view{};
        if (missed < task.wanted.size()) {
            const Wanted& wanted = task.wanted[missed];
            key.refused = sentence(task, key.key_index, wanted, searches[k].target(missed),
                                   kFigures[wanted.figure].read(key.after), screws[missed], fault);
        } else if (!fault.empty() && !task.wanted.empty()) {
            key.refused = sentence(task, key.key_index, task.wanted[0], searches[k].target(0),
                                   kFigures[task.wanted[0].figure].read(key.after), screws[0], fault);
        }
    }
}

}  // namespace

Way way_of(const GrandTouch& touch, int key_index, std::string_view row) {
    const GrandValues v = grand_values_before_parts(key_index, touch);
    if (const core::Row* raw = core::find(kGrandRows, row)) {
        const double at = v[static_cast<std::size_t>(raw - kGrandRows)];
        return {raw->minimum - at, raw->maximum - at};
    }
    const core::Row* part = core::find(kPartRows, row);
    std::array<double, kPartCount> found{};
    with_parts(v, key_index, touch.parts, nullptr, &found);
    const double at = found[static_cast<std::size_t>(part - kPartRows.data())];
    return {part->minimum - at, part->maximum - at};
}

GrandTouch turned(GrandTouch touch, int key_index, std::span<const Turn> turns) {
    for (const Turn& turn : turns) {
        if (const core::Row* raw = core::find(kGrandRows, turn.row)) {
            touch.keys.push_back({key_index, static_cast<std::size_t>(raw - kGrandRows), turn.by, true});
        } else if (const core::Row* part = core::find(kPartRows, turn.row)) {
            touch.parts.push_back({key_index, static_cast<std::size_t>(part - kPartRows.data()), turn.by, true});
        }
    }
    return touch;
}

core::Result<std::vector<RegulatedKey>> regulate_keys(const RegulateTask& task, std::span<const int> key_indices,
                                                      core::Executor& executor) {
    std::vector<std::size_t> figures;
    for (const Wanted& w : task.wanted) figures.push_back(w.figure);
    const auto screws = screws_for(figures);
    if (!screws) return core::Error{screws.error()};
    std::vector<RegulatedKey> keys(key_indices.size());
    for (std::size_t k = 0; k < keys.size(); ++k) keys[k].key_index = key_indices[k];
    constexpr std::size_t kBatch = core::kLanes;
    const std::size_t batches = (keys.size() + kBatch - 1) / kBatch;
    core::parallel_for(executor, static_cast<int>(batches), [&](int b) {
        const std::size_t first = static_cast<std::size_t>(b) * kBatch;
        regulate_batch(task, screws.value(), std::span(keys).subspan(first, std::min(kBatch, keys.size() - first)));
    });
    return keys;
}

}  // namespace letoff::keyboard
