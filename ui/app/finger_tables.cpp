#include "ui/app/finger_tables.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "storage/stroke_cache.h"

namespace letoff::ui {
namespace {

// Each changes when the action's or the finger's arithmetic does.
constexpr const char* kStrokesTag = "strokes-6";
constexpr const char* kCatchUpTag = "catch-up-2";
constexpr std::int64_t kMostCatchUpRows = 8 * 88;  // 300 kB a key: below 220 MB

/// From the cache what it has, the indices of the rest.
template <typename Table, typename Hash>
std::vector<std::size_t> find(std::optional<storage::StrokeCache>& cache, std::span<const keyboard::KeyBuild> keys,
                              const Hash& hash, std::vector<Table>& tables) {
    std::vector<std::size_t> missing;
    tables.resize(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (cache) {
            const auto row = cache->find(hash(keys[k]));
            const std::optional<std::vector<double>> kept = row.ok() ? row.value() : std::nullopt;
            if (kept && Table::from_doubles(*kept, tables[k])) continue;
        }
        missing.push_back(k);
    }
    return missing;
}

template <typename Item>
std::vector<Item> those(std::span<const Item> all, std::span<const std::size_t> which) {
    std::vector<Item> some;
    for (const std::size_t i : which) some.push_back(all[i]);
    return some;
}

/// Puts what was computed where it is missing, and keeps it. The sentence of the first failure.
template <typename Table, typename Hash>
std::string keep(std::optional<storage::StrokeCache>& cache, std::span<const keyboard::KeyBuild> keys, const Hash& hash,
                 std::span<const std::size_t> missing, std::vector<Table> made, std::vector<Table>& tables) {
    std::string failure;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const std::size_t k = missing[i];
        tables[k] = std::move(made[i]);
        if (!cache) continue;
        const auto stored = cache->store(hash(keys[k]), tables[k].to_doubles());
        if (stored.ok()) continue;
        failure = stored.error();
        cache.reset();
    }
    return failure;
}

}  // namespace

std::vector<keyboard::StrokeTable> find_or_learn_strokes(
    const TableSetting& setting, std::span<const keyboard::KeyBuild> keys, core::Executor& executor,
    const std::function<void(double share, const char* what)>& progress, std::vector<std::string>& warnings,
    const std::function<bool()>& stopped) {
    std::optional<storage::StrokeCache> cache;
    if (!setting.cache_file.empty()) {
        auto opened = storage::StrokeCache::open(setting.cache_file, kStrokesTag);
        if (opened.ok()) {
            cache = std::move(opened.value());
        } else {
            warnings.push_back(opened.error());
        }
    }
    const auto hash = [&](const keyboard::KeyBuild& key) { return keyboard::stroke_hash(key, setting.tick_hz); };
    std::vector<keyboard::StrokeTable> tables;
    const std::vector<std::size_t> missing = find(cache, keys, hash, tables);
    if (missing.empty()) return tables;
    const std::string what = fmt::format("learning the touch of {} keys", missing.size());
    const auto show = [&](double share) {
        if (progress) progress(share, what.c_str());
    };
    auto learned = keyboard::calibrate_strokes(those(keys, missing), setting.tick_hz, executor, show, stopped);
    if (learned.empty()) return {};
    const std::string failure = keep(cache, keys, hash, missing, std::move(learned), tables);
    if (!failure.empty()) warnings.push_back(failure);
    return tables;
}

std::vector<keyboard::CatchUpTable> find_or_record_catch_up(const TableSetting& setting,
                                                            std::span<const keyboard::KeyBuild> keys,
                                                            std::span<const keyboard::StrokeTable> strokes,
                                                            core::Executor& executor) {
    std::optional<storage::StrokeCache> cache;
    if (!setting.cache_file.empty()) {
        if (auto opened = storage::StrokeCache::open(setting.cache_file, kCatchUpTag, kMostCatchUpRows))
            cache = std::move(opened.value());
    }
    const auto hash = [&](const keyboard::KeyBuild& key) { return keyboard::catch_up_hash(key, setting.tick_hz); };
    std::vector<keyboard::CatchUpTable> tables;
    const std::vector<std::size_t> missing = find(cache, keys, hash, tables);
    if (missing.empty()) return tables;
    auto recorded = keyboard::record_catch_up(those(keys, missing), those(strokes, missing), setting.tick_hz, executor);
    (void)keep(cache, keys, hash, missing, std::move(recorded), tables);
    return tables;
}

}  // namespace letoff::ui
