#include "keyboard/keybed/keybed.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "core/rt/denormals.h"

namespace letoff::keyboard {
namespace {

// Keys that may move to another block in one tick: a move costs some microseconds. The rest wake where they are and are
// gathered later.
constexpr int kMovesATick = 2;
constexpr int kTicksBetweenGathers = 8;
constexpr int kStartsATick = 8;  // keys that begin to turn into another touch
// So few blocks are stepped faster than other threads are woken (some 5 us a block).
constexpr int kFewBlocks = 3;

}  // namespace

Keybed::Keybed(std::span<const KeyBuild> keys, int tick_hz, core::Executor& executor)
    : tick_hz_(tick_hz), executor_(executor), forces_(keys.size()) {
    for (size_t first = 0; first < keys.size(); first += core::kLanes) {
        blocks_.emplace_back(keys.subspan(first, std::min<size_t>(core::kLanes, keys.size() - first)), tick_hz);
    }
    keys_in_.resize(blocks_.size());
    for (int k = 0; k < static_cast<int>(keys.size()); ++k) {
        places_.push_back({static_cast<size_t>(k / core::kLanes), k % core::kLanes});
        keys_in_[static_cast<size_t>(k / core::kLanes)][static_cast<size_t>(k % core::kLanes)] = k;
    }
    for (const KeyBuild& key : keys) {
        fingers_.emplace_back(finger_for(key.values, *key.action));
        trays_.push_back(tray_reach(key.values));
        glides_.emplace_back(tick_hz);
    }
}

void Keybed::settle() {
    const auto run = [&](double seconds) {
        for (int i = 0; i < static_cast<int>(seconds * tick_hz_); ++i) tick(nullptr, nullptr);
    };
    run(SettleStroke::kBefore_s);
    for (int k = 0; k < keys(); ++k) press(k, now_s(), SettleStroke::kAcceleration_mps2);
    run(SettleStroke::kHeld_s);
    for (int k = 0; k < keys(); ++k) lift(k, now_s(), SettleStroke::kLift_mps);
    run(SettleStroke::kAfter_s);
    for (ActionBlock& block : blocks_) block.silence_strings();
    tick_ = 0;
}

// The keybed's own finger stands for the hand's: it is not moved, but says whether a finger is on the key.
void Keybed::press(int key_index, double start_s, double acceleration_mps2) {
    if (by_hands(key_index)) {
        fingers_[static_cast<size_t>(key_index)].press(start_s, dip_m(key_index), acceleration_mps2);
        return hands_->press(key_index, start_s, acceleration_mps2);
    }
    join_awake(key_index);
    block_of(key_index).press(lane_of(key_index), fingers_[static_cast<size_t>(key_index)], start_s, acceleration_mps2);
}

void Keybed::lift(int key_index, double start_s, double speed_mps) {
    core::Finger& finger = fingers_[static_cast<size_t>(key_index)];
    // Whose the stroke was is not asked: a key may have been lost and found since, and the hand is still on it.
    if (hands_ != nullptr) hands_->lift(key_index, start_s, speed_mps);
    if (by_hands(key_index)) {
        finger = core::Finger(finger.setting());
    } else {
        finger.lift(start_s, speed_mps);
    }
}

void Keybed::take_over(int key_index, const KeyState& state, const core::Finger& finger) noexcept {
    join_awake(key_index);
    block_of(key_index).set_key_state(lane_of(key_index), state);
    fingers_[static_cast<size_t>(key_index)] = finger;
}

double Keybed::tray_lift_m(double share, int key_index) const {
    return share * trays_[static_cast<size_t>(key_index)].travel_m;
}

double Keybed::lift_share(int key_index) const {
    const auto key = static_cast<size_t>(key_index);
    return std::max(pedals_.tray, (trays_[key].gap_m + sostenuto_.held_m(key)) / trays_[key].travel_m);
}

void Keybed::exchange(Place a, Place b) noexcept {
    ActionBlock::exchange(blocks_[a.block], a.lane, blocks_[b.block], b.lane);
    int& key_a = keys_in_[a.block][static_cast<size_t>(a.lane)];
    int& key_b = keys_in_[b.block][static_cast<size_t>(b.lane)];
    std::swap(key_a, key_b);
    places_[static_cast<size_t>(key_a)] = a;
    places_[static_cast<size_t>(key_b)] = b;
}

/// A sleeping lane of the fullest block that is awake, not counting the given one; -1: none.
int Keybed::sleeping_lane_elsewhere(size_t block, size_t& other) const noexcept {
    int most = 0;
    for (size_t b = 0; b < blocks_.size(); ++b) {
        const int awake = blocks_[b].awake_keys();
        if (b == block || blocks_[b].keys() < core::kLanes || awake == core::kLanes || awake <= most) continue;
        most = awake;
        other = b;
    }
    if (most == 0) return -1;
    int lane = 0;
    while (!blocks_[other].asleep(lane)) ++lane;
    return lane;
}

/// A key that is about to wake in a sleeping block takes the place of a sleeping key in one that is awake.
void Keybed::join_awake(int key_index) noexcept {
    const Place place = place_of(key_index);
    const ActionBlock& block = blocks_[place.block];
    if (moves_left_ == 0 || !block.asleep() || block.keys() < core::kLanes) return;
    size_t other = 0;
    const int lane = sleeping_lane_elsewhere(place.block, other);
    if (lane < 0) return;
    --moves_left_;
    exchange(place, {other, lane});
}

/// Moves one key from the emptiest block that is awake, if the others have room for all that are awake in it.
void Keybed::gather() noexcept {
    size_t emptiest = 0;
    int fewest = core::kLanes, room = 0;
    for (size_t b = 0; b < blocks_.size(); ++b) {
        const int awake = blocks_[b].awake_keys();
        if (awake == 0 || blocks_[b].keys() < core::kLanes) continue;
        room += core::kLanes - awake;
        if (awake >= fewest) continue;
        fewest = awake;
        emptiest = b;
    }
    if (fewest == core::kLanes || room - (core::kLanes - fewest) < fewest) return;
    int from = 0;
    while (blocks_[emptiest].asleep(from)) ++from;
    size_t other = 0;
    const int lane = sleeping_lane_elsewhere(emptiest, other);
    exchange({emptiest, from}, {other, lane});
}

/// A sleeping block on which nothing acts otherwise than in the tick before.
bool Keybed::left_alone(int b) const noexcept {
    const auto& keys = keys_in_[static_cast<size_t>(b)];
    const ActionBlock& block = blocks_[static_cast<size_t>(b)];
    return acts_as_before_ && block.asleep() && std::all_of(keys.begin(), keys.begin() + block.keys(), [this](int key) {
               return fingers_[static_cast<size_t>(key)].phase() == core::Finger::Phase::idle &&
                      !glides_[static_cast<size_t>(key)].moves();
           });
}

void Keybed::tick_block(int b) noexcept {
    ActionBlock& block = blocks_[static_cast<size_t>(b)];
    if (left_alone(b)) return block.sleep();
    for (int l = 0; l < block.keys(); ++l) {
        const auto lane = static_cast<size_t>(l);
        const auto key = static_cast<size_t>(keys_in_[static_cast<size_t>(b)][lane]);
        if (glides_[key].moves()) glides_[key].step(touch_->keys[key], block, l, fingers_[key], trays_[key]);
        // The damper lies on tray or rod, whichever is higher.
        const double by_rod_m = trays_[key].gap_m + sostenuto_.held_m(key, block.damper_lift_m(l));
        block.input.tray_lift_m[lane] = std::max(pedals_.tray * trays_[key].travel_m, by_rod_m);
        // There are haptics where motors_ is set.
        // NOLINTBEGIN(bugprone-unchecked-optional-access)
        const bool was_live = motors_ && haptics_->key(static_cast<int>(key)).live();
        const bool live = motors_ && haptics_->begin_key(static_cast<int>(key), block, l, now_s());
        // NOLINTEND(bugprone-unchecked-optional-access)
        const bool own_finger = fingers_[key].phase() != core::Finger::Phase::idle;
        if (own_finger && (live != was_live || (live && hands_ == nullptr))) {  // the finger on the device takes over
            fingers_[key] = core::Finger(fingers_[key].setting());
            block.place_finger(l, fingers_[key].setting().parked_m, 0);
        }
        block.input.finger_force_N[lane] = live ? 0.0 : block.finger_push_N(l, fingers_[key], now_s());
    }
    block.input.una_corda = pedals_.una_corda;
    block.tick(tick_);
    if (!motors_) return;
    for (int l = 0; l < block.keys(); ++l) {
        const int key = keys_in_[static_cast<size_t>(b)][static_cast<size_t>(l)];
        haptics_->finish_key(key, block, l, now_s());  // NOLINT(bugprone-unchecked-optional-access)
    }
}

void Keybed::use_haptics(std::span<const HapticValues> values, const HapticKey::Options& options) {
    haptics_.emplace(values, keys(), tick_hz_, options);
}

void Keybed::tell_key(int key_index, core::StrikeSink& strikes) const noexcept {
    const ActionBlock::Events& events = block_of(key_index).events(lane_of(key_index));
    if (events.struck) strikes.on_strike(events.strike);
    if (events.reached_bottom) strikes.on_key_bottom(events.bottom.key_index, events.bottom.time_s);
    if (events.released) strikes.on_release(events.release);
}

void Keybed::take_touch(const KeybedTouch& touch) noexcept {
    if (touch.version == touch_version_) return;
    touch_ = &touch;
    touch_version_ = touch.version;
    for (size_t k = 0; k < glides_.size(); ++k) glides_[k].aim(touch.keys[k].stamp);
    may_start_glides_ = true;
}

/// A few a tick: to begin costs a microsecond a key.
void Keybed::start_glides() noexcept {
    int left = kStartsATick;
    for (size_t k = 0; k < glides_.size() && left > 0; ++k) {
        if (!glides_[k].waits()) continue;
        const int key = static_cast<int>(k);
        glides_[k].start(touch_->keys[k], block_of(key).mechanics(lane_of(key)), trays_[k]);
        --left;
    }
    may_start_glides_ = left == 0;
}

int Keybed::gliding_keys() const {
    return static_cast<int>(
        std::count_if(glides_.begin(), glides_.end(), [](const TouchGlide& glide) { return glide.under_way(); }));
}

void Keybed::tick(core::SoundSink* sound, core::StrikeSink* strikes) noexcept {
    if (tick_ % kTicksBetweenGathers == 0) gather();
    if (may_start_glides_) start_glides();
    sostenuto_.move(pedals_.sostenuto);
    motors_ = haptics_ && !haptics_->rests();
    acts_as_before_ = std::exchange(pedals_before_, pedals_) == pedals_ && !motors_;
    if (awake_blocks() <= kFewBlocks) {
        const core::DenormalsOff denormals_off;
        for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) tick_block(b);
    } else {
        core::parallel_for(executor_, static_cast<int>(blocks_.size()), [this](int b) { tick_block(b); });
    }
    moves_left_ = kMovesATick;
    size_t force_count = 0;
    bool moved = false;
    const bool stepped = std::any_of(blocks_.begin(), blocks_.end(), [](const auto& b) { return b.stepped(); });
    for (int key = 0; stepped && key < keys(); ++key) {
        const ActionBlock& block = block_of(key);
        const int lane = lane_of(key);
        if (!block.stepped(lane)) continue;
        const ActionBlock::Events& events = block.events(lane);
        if (events.on_strings) forces_[force_count++] = events.force;
        damper_compression_m_[static_cast<size_t>(key)] = block.damper_compression_m(lane);
        noise_forces_N_[static_cast<size_t>(key)] = block.noise_forces_N(lane);
        moved = true;
        if (strikes != nullptr) tell_key(key, *strikes);
    }
    if (moved) sum_case_forces();
    if (sound != nullptr) {
        sound->on_tick({tick_, tick_hz_, std::span<const core::StringForce>(forces_.data(), force_count),
                        std::span<const double, core::kKeyCount>(damper_compression_m_), case_forces_});
    }
    if (haptics_) haptics_->close_tick(tick_);
    ++tick_;
}

void Keybed::sum_case_forces() noexcept {
    case_forces_ = {};
    for (size_t key = 0; key < noise_forces_N_.size(); ++key) {
        const double treble = static_cast<double>(key) / (core::kKeyCount - 1);
        for (size_t kind = 0; kind < core::kNoiseKinds; ++kind) {
            const double force_N = noise_forces_N_[key][kind];
            case_forces_.bass_N[kind] += (1 - treble) * force_N;
            case_forces_.treble_N[kind] += treble * force_N;
        }
    }
}

int Keybed::awake_blocks() const {
    return static_cast<int>(std::count_if(blocks_.begin(), blocks_.end(), [](const auto& b) { return !b.asleep(); }));
}

int Keybed::sleeping_keys() const {
    int count = 0;
    for (const ActionBlock& block : blocks_) count += block.keys() - block.awake_keys();
    return count;
}

std::uint64_t Keybed::state_hash() const {
    core::Hash hash;
    for (int key = 0; key < keys(); ++key) {
        const core::LaneState& state = block_of(key).state();
        for (size_t i = 0; i < kGrandBodies; ++i) {
            hash.add(state.q[i].lane[lane_of(key)]);
            hash.add(state.v[i].lane[lane_of(key)]);
        }
    }
    return hash.value();
}

std::int64_t Keybed::faults() const {
    std::int64_t sum = 0;
    for (const ActionBlock& block : blocks_) sum += block.faults();
    return sum;
}

std::int64_t Keybed::not_converged() const {
    std::int64_t sum = 0;
    for (const ActionBlock& block : blocks_) sum += block.output().not_converged;
    return sum;
}

}  // namespace letoff::keyboard
