#include "audio/live/force_feed.h"

#include <algorithm>

namespace letoff::audio {

ForceFeed::ForceFeed(FrameRing& ring, int tick_hz, int interval_hz)
    : ring_(ring),
      tick_places_(kPlacePerGrid * (core::kStrikeGrid_hz / tick_hz)),
      impulse_scale_(static_cast<double>(interval_hz) / core::kStrikeGrid_hz),
      forces_(core::kKeyCount) {
    force_index_.fill(-1);
}

void ForceFeed::pop() noexcept {
    const TickRecord& tick = ring_.at(0);
    damper_before_m_ = tick.damper_compression_m;
    passed_ = begin_of(tick) + tick_places_;
    ring_.pop();
    --readable_;
}

void ForceFeed::refresh(std::uint32_t epoch) noexcept {
    if (epoch != epoch_) {
        epoch_ = epoch;
        end_ = passed_ = kNowhere;
        contact_at_end_ = false;
    }
    readable_ = ring_.readable();
    for (; readable_ > 0 && (ring_.at(0).epoch != epoch || begin_of(ring_.at(0)) < passed_); --readable_) ring_.pop();
    if (readable_ == 0) return;
    const TickRecord& newest = ring_.at(readable_ - 1);
    end_ = begin_of(newest) + tick_places_;
    contact_at_end_ = newest.rows > 0;
}

void ForceFeed::drop_before(Place place) noexcept {
    bool first = true;
    for (; readable_ > 0 && begin_of(ring_.at(0)) + tick_places_ <= place; first = false) pop();
    if (first && readable_ > 0) damper_before_m_ = ring_.at(0).damper_compression_m;
    damper_m_ = damper_before_m_;
}

Place ForceFeed::skip_free(Place from, Place to) noexcept {
    for (std::size_t i = 0; i < readable_ && from < to; ++i) {
        const TickRecord& tick = ring_.at(i);
        const Place begin = begin_of(tick);
        if (begin + tick_places_ <= from) continue;
        if (tick.rows > 0) return begin > from ? std::min(to, begin) : from;
        from = std::min(to, begin + tick_places_);
    }
    return from;
}

core::StringForce& ForceFeed::force_of(int key_index, int count) noexcept {
    int& index = force_index_[static_cast<std::size_t>(key_index)];
    if (index < 0) {
        index = static_cast<int>(used_++);
        core::StringForce& force = forces_[static_cast<std::size_t>(index)];
        force.key_index = key_index;
        force.count = count;
        std::fill_n(force.force_N.begin(), count, 0.0);
    }
    return forces_[static_cast<std::size_t>(index)];
}

void ForceFeed::add_row(const ForceRow& row, Place begin, std::span<const Place> edges) noexcept {
    if (row.key_index < 0 || row.key_index >= core::kKeyCount) return;
    const std::size_t count = edges.size() - 1;
    core::StringForce& force = force_of(row.key_index, static_cast<int>(count));
    std::size_t k = 0;
    for (std::size_t j = 0; j < row.force_N.size(); ++j, begin += kPlacePerGrid) {
        if (row.force_N[j] == 0) continue;
        const Place end = begin + kPlacePerGrid;
        while (k < count && edges[k + 1] <= begin) ++k;
        for (std::size_t at = k; at < count && edges[at] < end; ++at) {
            const Place overlap = std::min(end, edges[at + 1]) - std::max(begin, edges[at]);
            if (overlap <= 0) continue;
            const double share = static_cast<double>(overlap) / static_cast<double>(kPlacePerGrid) * impulse_scale_;
            force.force_N[at] += share * static_cast<double>(row.force_N[j]);
        }
    }
}

std::span<const core::StringForce> ForceFeed::gather(std::span<const Place> edges) noexcept {
    for (std::size_t i = 0; i < used_; ++i) force_index_[static_cast<std::size_t>(forces_[i].key_index)] = -1;
    used_ = 0;
    const Place first = edges.front(), last = edges.back();
    for (std::size_t i = 0; i < readable_; ++i) {
        const TickRecord& tick = ring_.at(i);
        const Place begin = begin_of(tick);
        if (begin >= last) break;
        if (begin + tick_places_ <= first) continue;
        for (int r = 0; r < tick.rows; ++r) add_row(ring_.row(tick, r), begin, edges);
    }
    read_dampers(last);
    while (readable_ > 0 && begin_of(ring_.at(0)) + tick_places_ <= last) pop();
    return {forces_.data(), used_};
}

void ForceFeed::read_dampers(Place at) noexcept {
    const double* before = damper_before_m_.data();
    for (std::size_t i = 0; i < readable_; ++i) {
        const TickRecord& tick = ring_.at(i);
        const Place begin = begin_of(tick), end = begin + tick_places_;
        if (begin < at) case_forces_ = tick.case_forces;
        if (end < at) {
            before = tick.damper_compression_m.data();
            continue;
        }
        if (end == at) {
            damper_m_ = tick.damper_compression_m;
            return;
        }
        if (begin >= at) break;
        const double share = static_cast<double>(at - begin) / static_cast<double>(tick_places_);
        for (std::size_t key = 0; key < core::kKeyCount; ++key)
            damper_m_[key] = before[key] + share * (tick.damper_compression_m[key] - before[key]);
        return;
    }
    std::copy_n(before, core::kKeyCount, damper_m_.begin());
}

}  // namespace letoff::audio
