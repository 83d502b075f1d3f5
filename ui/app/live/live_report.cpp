#include "ui/app/live/live_play.h"

namespace letoff::ui {

std::vector<core::TickRecord> LivePlay::take_late_ticks() {
    std::vector<core::TickRecord> ticks;
    if (!thread_) return ticks;
    auto& box = thread_->loop().black_box();
    if (!box.frozen()) return ticks;
    for (std::size_t i = 0; i < box.size(); ++i) ticks.push_back(box.at(i));
    box.thaw();
    return ticks;
}

LiveReport LivePlay::report() {
    LiveReport r = last_;
    if (!thread_) return r;
    const core::PeriodicLoop& loop = thread_->loop();
    r.played_s = 1e-9 * static_cast<double>(core::monotonic_now_ns() - started_ns_);
    r.late_ours = loop.late_ours();
    r.late_hosts = loop.late_hosts();
    r.skipped_ticks = loop.skipped_ticks();
    r.tick_p50_us = loop.cpu().quantile_us(0.5);
    r.tick_p99_us = loop.cpu().quantile_us(0.99);
    r.tick_p999_us = loop.cpu().quantile_us(0.999);
    r.tick_max_us = loop.cpu().max_us();
    r.tick_times = loop.cpu().quarters();
    r.lateness_p50_us = loop.lateness().quantile_us(0.5);
    r.lateness_p99_us = loop.lateness().quantile_us(0.99);
    r.lateness_p999_us = loop.lateness().quantile_us(0.999);
    r.lateness_max_us = loop.lateness().max_us();
    if (!audio_) return r;
    const audio::CallbackCounters& blocks = audio_->counters();
    r.blocks = blocks.blocks.load(std::memory_order_relaxed);
    r.xruns = xruns_of_others_ + blocks.xruns.load(std::memory_order_relaxed);
    r.blocks_over_period = blocks.over_period.load(std::memory_order_relaxed);
    r.blocks_over_period_ours = blocks.ours_over_period.load(std::memory_order_relaxed);
    r.block_p50_us = blocks.wall_us.quantile_us(0.5);
    r.block_p999_us = blocks.wall_us.quantile_us(0.999);
    r.audio = audio_->format();
    return r;
}

}  // namespace letoff::ui
