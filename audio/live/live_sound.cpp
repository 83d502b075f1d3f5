#include "audio/live/live_sound.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/rt/denormals.h"

namespace letoff::audio {
namespace {

constexpr float kNeedleFalls_s = 0.3F;  // slow enough to be seen when it is looked at 20 times a second

// More than this behind or ahead of its place, the reading place is taken anew: longer than any contact of a hammer
// (4 ms in the bass) and than the stalls of a busy machine; as much delay as a player just tolerates.
constexpr double kGreatestLag_s = 0.05;
// The ring holds the longest block, the greatest lag and as much again, for a device thread that is late itself.
constexpr double kRingSpare_s = 0.1;
// Hammers on strings in all the ticks of the ring: 88 at once for 12 ms at 8 kHz, or 40 notes a second each in its
// contact for as long as the ring is.
constexpr std::size_t kRingRows = 8192;

std::size_t ring_ticks(const LiveSoundConfig& config) {
    const double seconds = static_cast<double>(config.longest_block) / config.sample_rate_hz + kRingSpare_s;
    return static_cast<std::size_t>(seconds * config.tick_hz);
}

double to_s(Place place) noexcept {
    return static_cast<double>(place) / static_cast<double>(kPlacePerSecond);
}

constexpr Place kGreatestLag = place_of_time(kGreatestLag_s);

core::Result<std::unique_ptr<SoundEngine>> engine_of(const core::StringSet& strings, const LiveSoundConfig& config,
                                                     const SoundValues& values) {
    SoundConfig sound;
    sound.sample_rate_hz = config.sample_rate_hz;
    sound.tick_hz = config.tick_hz;
    sound.samples_per_chunk = config.samples_per_chunk;
    sound.soundboard_seed = config.soundboard_seed;
    sound.values = values;
    auto engine = SoundEngine::create(strings, sound);
    if (!engine) return core::Error{engine.error()};
    return std::make_unique<SoundEngine>(std::move(engine.value()));
}

}  // namespace

core::Result<std::unique_ptr<LiveSound>> LiveSound::create(const core::StringSet& strings,
                                                           const LiveSoundConfig& config, core::FaultCounters& faults) {
    if (config.tick_hz < 1000 || config.tick_hz > 8000 || core::kStrikeGrid_hz % config.tick_hz != 0)
        return core::Error{"tick rate " + std::to_string(config.tick_hz) +
                           " Hz is not possible for the sound: 1000, 2000, 4000 or 8000 Hz are"};
    if (config.samples_per_chunk < 1)
        return core::Error{"a chunk of " + std::to_string(config.samples_per_chunk) +
                           " samples is not possible live: 1 or more are"};
    auto engine = engine_of(strings, config, config.values);
    if (!engine) return core::Error{engine.error()};
    return std::unique_ptr<LiveSound>(new LiveSound(std::move(engine.value()), config, faults));
}

LiveSound::LiveSound(std::unique_ptr<SoundEngine> engine, const LiveSoundConfig& config, core::FaultCounters& faults)
    : config_(config),
      faults_(faults),
      engine_(std::move(engine), config.sample_rate_hz),
      room_share_(config.values.room()),
      tick_places_(kPlacePerGrid * (core::kStrikeGrid_hz / config.tick_hz)),
      ring_(core::kStrikeGrid_hz / config.tick_hz, ring_ticks(config), kRingRows),
      feed_(ring_, config.tick_hz, config.sample_rate_hz * grid_per_sample(config.sample_rate_hz)),
      clock_(config.sample_rate_hz),
      limiter_(config.sample_rate_hz) {
    if (config.room) room_.emplace(*config.room, config.values.room(), config.sample_rate_hz);
}

core::Result<std::unique_ptr<SoundEngine>> LiveSound::make_engine(const core::StringSet& strings,
                                                                  const SoundValues& values) const {
    return engine_of(strings, config_, values);
}

void LiveSound::replace(std::unique_ptr<SoundEngine> next, double room_share) {
    room_share_.store(room_share, std::memory_order_relaxed);
    engine_.replace(std::move(next));
}

void LiveSound::set_time_zero_ns(std::int64_t time_ns) noexcept {
    time_zero_ns_.store(time_ns, std::memory_order_relaxed);
    epoch_.fetch_add(1, std::memory_order_release);
}

void LiveSound::on_tick(const core::SoundFrame& frame) noexcept {
    const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
    const bool gap = epoch == told_epoch_ && next_tick_ != INT64_MIN && frame.tick != next_tick_;
    told_epoch_ = epoch;
    next_tick_ = frame.tick + 1;
    if (!listening_.load(std::memory_order_acquire)) return;
    if (gap) faults_.raise(core::Fault::kSoundFrameMissing);
    if (!ring_.try_push(frame, epoch)) faults_.raise(core::Fault::kSoundRingFull);
    if (config_.samples != nullptr) config_.samples->on_tick(frame, epoch);
}

void LiveSound::on_strike(const core::Strike& strike) noexcept {
    if (config_.samples == nullptr || !listening_.load(std::memory_order_acquire)) return;
    config_.samples->on_strike(strike, epoch_.load(std::memory_order_acquire));
}

void LiveSound::device_stopped() noexcept {
    listening_.store(false, std::memory_order_release);
}

bool LiveSound::take_status(LiveSoundStatus& status) noexcept {
    if (!status_.update()) return false;
    status = status_.value();
    return true;
}

/// True: the device has started anew.
bool LiveSound::take_epoch() noexcept {
    const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
    const bool anew = !listening_.load(std::memory_order_relaxed);
    if (epoch == heard_epoch_ && !anew) return false;
    heard_epoch_ = epoch;
    zero_ns_ = time_zero_ns_.load(std::memory_order_relaxed);
    running_ = false;
    clock_.reset();
    listening_.store(true, std::memory_order_release);
    return anew;
}

void LiveSound::render(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept {
    const core::DenormalsOff denormals_off;
    // A longer block than foreseen is several requests, each later by the length of the ones before.
    for (int done = 0; done < frames;) {
        const int part = std::min(frames - done, config_.longest_block);
        const std::int64_t later_ns = std::int64_t{1000000000} * done / config_.sample_rate_hz;
        render_block(left + done, right + done, part, request_time_ns + later_ns);
        done += part;
    }
}

void LiveSound::render_block(float* left, float* right, int frames, std::int64_t request_time_ns) noexcept {
    const bool anew = take_epoch();
    feed_.refresh(heard_epoch_);
    if (engine_.begin_block(feed_.contact_at_end()) && room_)
        room_->set_share(room_share_.load(std::memory_order_relaxed));
    const BlockClock::Span span = clock_.next(request_time_ns - zero_ns_, frames);
    const double held_back_ns = 1e9 / config_.tick_hz + 1e9 * config_.margin_s;
    const BlockPlaces block{place_of_time(1e-9 * (span.start_ns - held_back_ns)),
                            place_of_time(1e-9 * (span.end_ns - held_back_ns)), frames};
    if (span.restarted && now_.blocks > 0 && running_) {
        ++now_.clock_restarts;
        faults_.raise(core::Fault::kClockLost);
    }
    find_place(block);
    stopped_ = 0;
    audible_ = false;
    SampleLink* samples = config_.samples;
    strings_struck_ = config_.engine != Engine::kSample || samples == nullptr || !samples->playing();
    for (int first = 0; first < frames; first += config_.samples_per_chunk)
        render_chunk(block, first, std::min(config_.samples_per_chunk, frames - first), left + first, right + first);
    const bool resting = resting_.load(std::memory_order_acquire);
    if (stopped_ > 0 && !resting) ++now_.stops;
    if (audible_ || (stopped_ >= tick_places_ && !resting)) faults_.raise(core::Fault::kSoundFrameMissing);
    if (samples != nullptr)
        samples->mix({block.begin, block.end, heard_epoch_, frames, anew, request_time_ns}, left, right);
    if (anew && room_) room_->silence();
    finish_block(left, right, frames);
    report(block, resting);
}

void LiveSound::find_place(const BlockPlaces& block) noexcept {
    if (running_ && std::abs(block.begin - place_) > kGreatestLag) {
        running_ = false;
        faults_.raise(core::Fault::kClockLost);
    }
    if (running_) return;
    feed_.drop_before(block.begin);
    // The keybed is there when it has told of this block but for a tick.
    if (!feed_.any() || feed_.end() + tick_places_ < block.end) return;
    running_ = true;
    place_ = std::min(block.begin, feed_.end());
}

void LiveSound::render_chunk(const BlockPlaces& block, int first, int samples, float* left, float* right) noexcept {
    core::SoundFrame frame{0, config_.tick_hz, {}, feed_.damper_compression_m(), feed_.case_forces()};
    if (running_) {
        const Place begin = block.at(first);
        if (place_ < begin) {
            place_ = feed_.skip_free(place_, begin);
            audible_ = audible_ || (place_ < begin && place_ < feed_.end());
        }
        const Place lag = std::max<Place>(begin - place_, 0);
        const int intervals = samples * grid_per_sample(config_.sample_rate_hz);
        const Place length = block.at(first + samples) - begin;
        Place wanted = place_;
        for (int i = 0; i <= intervals; ++i) {
            wanted = std::max(place_, begin + length * i / intervals - lag);
            edges_[static_cast<std::size_t>(i)] = std::min(wanted, std::max(feed_.end(), place_));
        }
        const std::span<const Place> edges(edges_.data(), static_cast<std::size_t>(intervals) + 1);
        const Place missing = wanted - edges.back();
        stopped_ += missing;
        audible_ = audible_ || (missing > 0 && feed_.contact_at_end());
        frame.forces = feed_.gather(edges);
        frame.case_forces = feed_.case_forces();
        if (!strings_struck_) frame.forces = {};
        place_ = edges.back();
    }
    const auto count = static_cast<std::size_t>(samples);
    engine_.render(frame, {left, count}, {right, count});
}

void LiveSound::finish_block(float* left, float* right, int frames) noexcept {
    const auto count = static_cast<std::size_t>(frames);
    const std::int64_t into_room = room_ ? room_->process({left, count}, {right, count}) : 0;
    Limiter::Report found = limiter_.process({left, count}, {right, count});
    found.not_finite += into_room;
    now_.peak = found.largest;
    const float falls = static_cast<float>(frames) / (kNeedleFalls_s * static_cast<float>(config_.sample_rate_hz));
    now_.meter = std::max(found.largest, now_.meter * std::max(0.0F, 1.0F - falls));
    if (found.limited > 0) faults_.raise(core::Fault::kSoundLimited, static_cast<std::uint64_t>(found.limited));
    if (found.not_finite == 0) return;
    faults_.raise(core::Fault::kSampleNotFinite, static_cast<std::uint64_t>(found.not_finite));
    engine_.silence();
}

void LiveSound::report(const BlockPlaces& block, bool resting) noexcept {
    ++now_.blocks;
    const double reserve_s = feed_.any() || running_ ? to_s(feed_.end() - block.end) : 0;
    if (reserve_frames_ <= 0 || reserve_s < now_.least_reserve_s) now_.least_reserve_s = reserve_s;
    if (reserve_frames_ <= 0) reserve_frames_ = config_.sample_rate_hz;
    reserve_frames_ -= block.frames;
    now_.running = running_;
    now_.behind_s = running_ && !resting ? to_s(block.end - place_) : 0;
    now_.delay_s = to_s(block.end - block.begin) + 1.0 / config_.tick_hz + config_.margin_s + now_.behind_s;
    now_.drift = clock_.drift();
    status_.write(now_);
}

}  // namespace letoff::audio
