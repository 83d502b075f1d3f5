#include "ui/app/live/live_array.h"

#include <algorithm>
#include <utility>

namespace letoff::ui {
namespace {

constexpr std::size_t kKeysATick = 8;  // of a new table: each is some 5 kB to copy

}  // namespace

LiveArray::LiveArray(core::KeyArray& array, core::Hands* hands, keyboard::Keybed& keybed,
                     const keyboard::HapticValues& values)
    : array_(array),
      hands_(hands),
      keybed_(keybed),
      tick_s_(1.0 / keybed.tick_hz()),
      tables_(std::make_unique<Table>()),
      gate_(keybed.tick_hz()) {
    keybed.use_haptics({&values, 1});
    if (hands != nullptr) keybed.use_hands(this);
}

LiveArray::~LiveArray() {
    if (hands_ != nullptr) keybed_.use_hands(nullptr);
}

void LiveArray::wake(std::vector<keyboard::HapticValues> values) {
    auto table = std::make_unique<Table>();
    table->version = ++version_;
    table->keys.reserve(values.size());
    for (const keyboard::HapticValues& of_key : values) table->keys.emplace_back(of_key, tick_s_);
    table->values = std::move(values);
    tables_.publish(std::move(table));
    wanted_.store(true, std::memory_order_release);
}

void LiveArray::take_table(keyboard::Keybed& keybed, TakeLog* take) noexcept {
    const Table& table = tables_.begin_tick();
    if (table.version != in_use_) {
        in_use_ = table.version;
        next_key_ = 0;
    }
    const std::size_t keys = std::min(table.keys.size(), static_cast<std::size_t>(keybed.keys()));
    const std::size_t end = std::min(keys, next_key_ + kKeysATick);
    for (; next_key_ < end; ++next_key_) {
        const int key = static_cast<int>(next_key_);
        if (keybed.haptics().key(key).live()) continue;
        keybed.set_haptics(key, table.keys[next_key_]);
        if (take != nullptr) take->device_key(key, table.values[next_key_]);
    }
    if (next_key_ == keys) taken_.store(in_use_, std::memory_order_release);
}

void LiveArray::before_tick(keyboard::Keybed& keybed, keyboard::LivePlayer& player, double ahead_s,
                            TakeLog* take) noexcept {
    ahead_s_ = ahead_s;
    take_table(keybed, take);
    const bool fresh = array_.newest_motion(motion_);
    if (fresh) {
        newest_ = motion_;
        newest_.time_s -= ahead_s;
    }
    if (!gate_.pass(keybed.now_s(), newest_, fresh, take)) return;
    keybed.take_motion(gate_.given());
    if (gate_.given().live == live_) return;
    live_ = gate_.given().live;
    for (int k = 0; k < keybed.keys(); ++k) player.set_motor_enabled(k, live_[static_cast<std::size_t>(k)]);
}

void LiveArray::after_tick(const keyboard::Keybed& keybed) noexcept {
    if (needs_ticks()) array_.send_forces(keybed.forces());
}

}  // namespace letoff::ui
