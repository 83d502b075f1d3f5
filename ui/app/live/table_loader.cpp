#include "ui/app/live/table_loader.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/rt/executor.h"

namespace letoff::ui {
namespace {

constexpr std::size_t kAtOnce = core::kLanes;  // keys, so that the thread can be ended soon

/// Keys whose table is not of the stamp that they are to have.
std::vector<std::size_t> stale(const std::vector<std::uint64_t>& stamps, const std::vector<std::uint64_t>& of) {
    std::vector<std::size_t> keys;
    for (std::size_t k = 0; k < stamps.size(); ++k) {
        if (k >= of.size() || of[k] != stamps[k]) keys.push_back(k);
    }
    return keys;
}

}  // namespace

TableLoader::TableLoader(Wanted wanted, core::SnapshotSwap<keyboard::LiveTables>& tables)
    : wanted_(std::move(wanted)), tables_(tables) {
    thread_ = std::thread([this] { run(); });
}

TableLoader::~TableLoader() {
    ask_to_stop();
    thread_.join();
}

void TableLoader::publish() {
    if (!wanted_.stamps.empty())
        wanted_.have.live.strokes_touch = *std::max_element(wanted_.stamps.begin(), wanted_.stamps.end());
    tables_.publish(std::make_unique<keyboard::LiveTables>(wanted_.have.live));
}

void TableLoader::run() {
    if (learn_strokes() && wanted_.catch_up) (void)record_catch_up();
    done_.store(true, std::memory_order_release);
}

/// False: it was stopped.
bool TableLoader::learn_strokes() {
    TouchTables& have = wanted_.have;
    const std::vector<std::size_t> missing = stale(wanted_.stamps, have.stroke_touch);
    const auto executor = std::move(core::make_executor("inline", 1).value());
    std::vector<std::string> warnings;  // said at the start
    for (std::size_t first = 0; first < missing.size(); first += kAtOnce) {
        if (stop_.load(std::memory_order_acquire)) return false;
        std::vector<keyboard::KeyBuild> keys;
        const std::size_t end = std::min(first + kAtOnce, missing.size());
        for (std::size_t i = first; i < end; ++i) keys.push_back(wanted_.keys[missing[i]]);
        auto strokes = find_or_learn_strokes(wanted_.strokes, keys, *executor, {}, warnings,
                                             [this] { return stop_.load(std::memory_order_acquire); });
        if (strokes.empty()) return false;
        for (std::size_t i = first; i < end; ++i) {
            have.live.strokes[missing[i]] = strokes[i - first];
            have.stroke_touch[missing[i]] = wanted_.stamps[missing[i]];
        }
    }
    if (!missing.empty()) publish();
    return true;
}

bool TableLoader::record_catch_up() {
    TouchTables& have = wanted_.have;
    const std::vector<std::size_t> missing =
        stale(wanted_.stamps, have.live.catch_up.empty() ? std::vector<std::uint64_t>() : have.live.catch_up_touch);
    have.live.catch_up.resize(wanted_.keys.size());
    have.live.catch_up_touch.resize(wanted_.keys.size(), keyboard::kNoTouch);
    const auto executor = std::move(core::make_executor("inline", 1).value());
    for (std::size_t first = 0; first < missing.size(); first += kAtOnce) {
        if (stop_.load(std::memory_order_acquire)) return false;
        std::vector<keyboard::KeyBuild> keys;
        std::vector<keyboard::StrokeTable> strokes;
        const std::size_t end = std::min(first + kAtOnce, missing.size());
        for (std::size_t i = first; i < end; ++i) {
            keys.push_back(wanted_.keys[missing[i]]);
            strokes.push_back(have.live.strokes[missing[i]]);
        }
        auto recorded = find_or_record_catch_up(wanted_.catch_ups, keys, strokes, *executor);
        for (std::size_t i = first; i < end; ++i) {
            have.live.catch_up[missing[i]] = std::move(recorded[i - first]);
            have.live.catch_up_touch[missing[i]] = wanted_.stamps[missing[i]];
        }
    }
    if (!missing.empty()) publish();
    return true;
}

}  // namespace letoff::ui
