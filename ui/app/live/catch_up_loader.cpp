#include "ui/app/live/catch_up_loader.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/rt/executor.h"
#include "storage/stroke_cache.h"

namespace letoff::ui {
namespace {

constexpr const char* kBuildTag = "catch-up-2";  // changes when the action's or the finger's arithmetic does
constexpr size_t kAtOnce = 8;                    // keys, so that the thread can be ended soon
constexpr std::int64_t kMostRows = 8 * 88;       // 300 kB a key: below 220 MB

}  // namespace

CatchUpLoader::CatchUpLoader(std::span<const keyboard::KeyBuild> keys, std::span<const keyboard::StrokeTable> strokes,
                             int tick_hz, std::string cache_file, core::SnapshotSwap<keyboard::LiveTables>& tables)
    : keys_(keys), strokes_(strokes), tick_hz_(tick_hz), cache_file_(std::move(cache_file)), tables_(tables) {
    thread_ = std::thread([this] { run(); });
}

CatchUpLoader::~CatchUpLoader() {
    stop_.store(true, std::memory_order_release);
    thread_.join();
}

void CatchUpLoader::run() {
    std::vector<keyboard::CatchUpTable> found = find_or_record();
    if (found.size() == keys_.size()) {
        auto tables = std::make_unique<keyboard::LiveTables>();
        tables->strokes.assign(strokes_.begin(), strokes_.end());
        tables->catch_up = std::move(found);
        tables_.publish(std::move(tables));
    }
    done_.store(true, std::memory_order_release);
}

/// Fewer than all keys: it was stopped. A cache that fails costs time, never the instrument.
std::vector<keyboard::CatchUpTable> CatchUpLoader::find_or_record() {
    std::optional<storage::StrokeCache> cache;
    if (!cache_file_.empty()) {
        if (auto opened = storage::StrokeCache::open(cache_file_, kBuildTag, kMostRows))
            cache = std::move(opened.value());
    }
    std::vector<keyboard::CatchUpTable> tables(keys_.size());
    const auto find = [&](size_t k) {
        if (!cache) return false;
        const auto row = cache->find(keyboard::catch_up_hash(keys_[k], tick_hz_));
        if (!row) return false;
        const auto& stored = row.value();
        return stored && keyboard::CatchUpTable::from_doubles(*stored, tables[k]);
    };
    size_t known = 0;
    while (known < keys_.size() && !stop_.load(std::memory_order_acquire) && find(known)) ++known;
    const std::unique_ptr<core::Executor> inline_executor = std::move(core::make_executor("inline", 1).value());
    for (size_t first = known; first < keys_.size(); first += kAtOnce) {
        if (stop_.load(std::memory_order_acquire)) return {};
        const size_t count = std::min(kAtOnce, keys_.size() - first);
        std::vector<keyboard::CatchUpTable> some = keyboard::record_catch_up(
            keys_.subspan(first, count), strokes_.subspan(first, count), tick_hz_, *inline_executor);
        for (size_t i = 0; i < count; ++i) {
            if (cache && !cache->store(keyboard::catch_up_hash(keys_[first + i], tick_hz_), some[i].to_doubles()))
                cache.reset();
            tables[first + i] = std::move(some[i]);
        }
    }
    return tables;
}

}  // namespace letoff::ui
