#include "storage/tempo_map.h"

namespace letoff::storage {

namespace {

constexpr std::int64_t kMicrosecondsPerSecond = 1000000;

}  // namespace

TempoMap::TempoMap(int division_word) {
    smpte_ = (division_word & 0x8000) != 0;
    if (!smpte_) {
        denominator_ = division_word * kMicrosecondsPerSecond;
        per_tick_ = kDefaultTempo_us;
        return;
    }
    const int frames_per_second = 256 - (division_word >> 8);  // the upper byte is negative
    const int ticks_per_frame = division_word & 0xFF;
    if (frames_per_second == 24 || frames_per_second == 25 || frames_per_second == 30) {
        denominator_ = frames_per_second * ticks_per_frame;
        per_tick_ = 1;
    } else if (frames_per_second == 29) {
        denominator_ = 30000 * ticks_per_frame;
        per_tick_ = 1001;
    }
}

std::int64_t TempoMap::elapsed(std::int64_t tick) const {
    return segment_start_ + (tick - segment_tick_) * per_tick_;
}

double TempoMap::seconds(std::int64_t tick) const {
    return static_cast<double>(elapsed(tick)) / static_cast<double>(denominator_);
}

void TempoMap::set_tempo(std::int64_t tick, int us_per_quarter) {
    if (smpte_) return;
    segment_start_ = elapsed(tick);
    segment_tick_ = tick;
    per_tick_ = us_per_quarter;
}

void TempoMap::start_sequence(std::int64_t tick) {
    segment_start_ = elapsed(tick);
    segment_tick_ = 0;
    if (!smpte_) per_tick_ = kDefaultTempo_us;
}

bool TempoMap::later_than(std::int64_t tick, int time_s) const {
    // Compared in ticks of this segment: the product of a lying delta time and a slow tempo need not fit an integer.
    return tick - segment_tick_ > (time_s * denominator_ - segment_start_) / per_tick_;
}

}  // namespace letoff::storage
