#include "ui/app/bench/workload.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "keyboard/action/grand.h"
#include "keyboard/keybed/grand_keys.h"

namespace letoff::ui {
namespace {

// Each key four times a second, its finger down for half of it; strokes from piano to forte. Chosen so that no key ever
// rests.
constexpr double kPeriod_s = 0.25, kDown_s = 0.125;
constexpr double kSoftest_mps2 = 4, kHardest_mps2 = 40;
constexpr double kLift_mps = 0.25;

double time_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<int> all_keys() {
    std::vector<int> keys(core::kKeyCount);
    std::iota(keys.begin(), keys.end(), 0);
    return keys;
}

/// A period of the playing has so many moments.
void to_next_moment(BusyKeybed& keybed, int moments) {
    const int apart = std::max(1, static_cast<int>(kPeriod_s * keybed.keybed().tick_hz()) / moments);
    for (int t = 0; t < apart; ++t) keybed.tick();
}

}  // namespace

double thread_time_s() {
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}
double process_time_s() {
    return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

BusyKeybed::BusyKeybed(const core::StringSet& strings, int tick_hz, const keyboard::GrandTouch& touch)
    : BusyKeybed(strings, tick_hz, std::move(core::make_executor("inline", 1).value()), all_keys(), touch) {}

BusyKeybed::BusyKeybed(const core::StringSet& strings, int tick_hz, std::unique_ptr<core::Executor> executor,
                       std::vector<int> played, const keyboard::GrandTouch& touch)
    : executor_(std::move(executor)), played_(std::move(played)) {
    keybed_ = std::make_unique<keyboard::Keybed>(keyboard::grand_keys(strings, 0, core::kKeyCount, touch), tick_hz,
                                                 *executor_);
    const auto period = static_cast<std::int64_t>(kPeriod_s * tick_hz),
               count = static_cast<std::int64_t>(played_.size());
    // 37 is prime to 88 and to the powers of two: neighbours, which share a block, are far apart in time.
    for (std::int64_t i = 0; i < count; ++i) ahead_.push_back(period * (37 * i % count) / count);
}

void BusyKeybed::tick() {
    const auto period = static_cast<std::int64_t>(kPeriod_s * keybed_->tick_hz());
    const auto down = static_cast<std::int64_t>(kDown_s * keybed_->tick_hz());
    const auto count = static_cast<std::int64_t>(played_.size());
    const std::int64_t now = keybed_->now_ticks() % period;
    for (std::int64_t i = 0; i < count; ++i) {
        const int key = played_[static_cast<std::size_t>(i)];
        const std::int64_t later = now + ahead_[static_cast<std::size_t>(i)];
        const std::int64_t at = later < period ? later : later - period;
        if (at == 0) {
            const double share = static_cast<double>(key * 29 % core::kKeyCount) / core::kKeyCount;
            keybed_->press(key, keybed_->now_s(), kSoftest_mps2 + (kHardest_mps2 - kSoftest_mps2) * share);
        } else if (at == down) {
            keybed_->lift(key, keybed_->now_s(), kLift_mps);
        }
    }
    keybed_->tick(nullptr, nullptr);
}

int BusyKeybed::busy_keys() const {
    return keybed_->keys() - keybed_->sleeping_keys();
}

StepLoad::StepLoad(BusyKeybed& keybed, int moments) : h_s_(1.0 / keybed.keybed().tick_hz()) {
    for (int i = 0; i < moments; ++i) {
        to_next_moment(keybed, moments);
        for (int key = 0; key < keybed.keybed().keys(); key += core::kLanes) {
            const keyboard::ActionBlock& from = keybed.keybed().block_of(key);
            if (i == 0) places_.push_back({&from.model(), from.keys(), {}, {}, {}});
            Block block{from.state(), {}, {}};
            for (int lane = 0; lane < core::kLanes; ++lane) {
                const auto key_lane = static_cast<std::size_t>(std::min(lane, from.keys() - 1));
                block.input.force[keyboard::kFinger].lane[lane] =
                    from.input.finger_force_N[key_lane] -
                    from.model().body[keyboard::kFinger].mass.lane[lane] * core::kGravity_mps2;
            }
            blocks_.push_back(block);
        }
    }
}

Stepped StepLoad::run() {
    Stepped sum;
    for (std::size_t first = 0; first < blocks_.size(); first += places_.size()) {
        for (std::size_t p = 0; p < places_.size(); ++p) {
            places_[p].state = blocks_[first + p].state;
            places_[p].input = blocks_[first + p].input;
        }
        const double start_s = thread_time_s();
        for (Place& place : places_) core::step_lanes(*place.model, place.input, h_s_, place.state, place.output);
        sum.seconds += thread_time_s() - start_s;
        for (std::size_t p = 0; p < places_.size(); ++p) {
            blocks_[first + p].iterations = places_[p].output.iterations;
            sum.steps += places_[p].keys;
        }
    }
    return sum;
}

double StepLoad::mean_iterations() const {
    double sum = 0;
    std::int64_t count = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const int keys = places_[b % places_.size()].keys;
        for (int lane = 0; lane < keys; ++lane) sum += blocks_[b].iterations.lane[lane];
        count += keys;
    }
    return sum / static_cast<double>(std::max<std::int64_t>(1, count));
}

ActionLoad::ActionLoad(BusyKeybed& keybed, int moments) : action_(&keybed.keybed().block_of(0).action()) {
    const double h_s = 1.0 / keybed.keybed().tick_hz();
    for (int i = 0; i < moments; ++i) {
        to_next_moment(keybed, moments);
        for (int k = 0; k < keybed.keybed().keys(); ++k) {
            const keyboard::ActionBlock& from = keybed.keybed().block_of(k);
            const int lane = keybed.keybed().lane_of(k);
            Key key{from.mechanics(lane).own, {}, {}, {}};
            key.in.h_s = h_s;
            key.in.string_samples = core::kStrikeGrid_hz / keybed.keybed().tick_hz();
            key.in.force[keyboard::kFinger] =
                from.input.finger_force_N[static_cast<std::size_t>(lane)] -
                from.model().body[keyboard::kFinger].mass.lane[lane] * core::kGravity_mps2;
            for (std::size_t b = 0; b < keyboard::kGrandBodies; ++b) {
                key.pose.q[b] = from.state().q[b].lane[lane];
                key.pose.v[b] = from.state().v[b].lane[lane];
            }
            key.pose.phase = from.phase(lane);
            keys_.push_back(key);
        }
    }
}

Stepped ActionLoad::run() {
    for (Key& key : keys_) key.stepped = key.pose;
    const double start_s = thread_time_s();
    for (Key& key : keys_) {
        out_ = {};
        action_->step(key.numbers, key.in, key.stepped, out_);
    }
    return {static_cast<std::int64_t>(keys_.size()), thread_time_s() - start_s};
}

core::Performance dense_performance() {
    constexpr int kNotes = 400;
    constexpr double kEvery_s = 0.025, kHeld_s = 0.3;
    std::mt19937 random(
        88);  // its sequence is fixed by the standard; the standard's distributions are not, so none is used
    core::Performance performance;
    for (int i = 0; i < kNotes; ++i) {
        core::PerformedNote note;
        note.key_index = (i * 31) % core::kKeyCount;  // 31 is prime to 88: every key in turn, 2.2 s apart
        note.on_time_s = i * kEvery_s;
        note.off_time_s = note.on_time_s + kHeld_s;
        note.velocity = 30 + static_cast<int>(random() % 80);
        performance.notes.push_back(note);
    }
    for (int i = 0; i < 10; ++i) {
        performance.sustain.push_back({i + 0.1, 1.0});
        performance.sustain.push_back({i + 0.9, 0.0});
    }
    performance.end_s = (kNotes - 1) * kEvery_s + kHeld_s;
    return performance;
}

}  // namespace letoff::ui
