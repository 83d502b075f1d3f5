// A key array on the keybed's thread: its motion into the coming tick, the tick's forces back to it, and where the
// array has hands of its own, the strokes of notes to them.
//
// The array's time and the keybed's differ by what the loop lost in gaps; `ahead_s` is how far the array's is ahead.
// Threads: before_tick(), after_tick() and the hands on the keybed's, real-time safe; the rest on the control thread.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/port/hands.h"
#include "core/port/key_array.h"
#include "core/rt/snapshot.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/keybed/keybed.h"
#include "ui/app/live/motion_gate.h"
#include "ui/app/recording/take_log.h"

namespace letoff::ui {

class LiveArray final : public core::Hands {
  public:
    /// Before the loop starts: its keys may be live from now on. `hands`: null where only players move the keys.
    LiveArray(core::KeyArray& array, core::Hands* hands, keyboard::Keybed& keybed,
              const keyboard::HapticValues& values);
    /// When the loop has ended.
    ~LiveArray() override;
    LiveArray(const LiveArray&) = delete;
    LiveArray& operator=(const LiveArray&) = delete;

    /// The array has keys of these numbers, one row a key of the piano. Keys that are live keep theirs.
    void wake(std::vector<keyboard::HapticValues> values);
    /// wake()'s numbers hold: now the array may push.
    bool is_awake() const noexcept { return taken_.load(std::memory_order_acquire) == version_; }
    /// There is no array any more.
    void sleep() noexcept { wanted_.store(false, std::memory_order_release); }

    /// False: nothing of the array needs the loop.
    bool needs_ticks() const noexcept { return wanted_.load(std::memory_order_acquire); }
    /// `take`, if there is one, is told everything of it that a replay needs.
    void before_tick(keyboard::Keybed& keybed, keyboard::LivePlayer& player, double ahead_s,
                     TakeLog* take = nullptr) noexcept;
    bool has_hands() const noexcept { return hands_ != nullptr; }
    void after_tick(const keyboard::Keybed& keybed) noexcept;

    void press(int key_index, double start_s, double acceleration_mps2) noexcept override {
        hands_->press(key_index, start_s + ahead_s_, acceleration_mps2);
    }
    void lift(int key_index, double start_s, double speed_mps) noexcept override {
        hands_->lift(key_index, start_s + ahead_s_, speed_mps);
    }

  private:
    struct Table {
        std::uint64_t version = 0;
        std::vector<keyboard::HapticValues> values;
        std::vector<keyboard::HapticKey> keys;
    };
    void take_table(keyboard::Keybed& keybed, TakeLog* take) noexcept;

    core::KeyArray& array_;
    core::Hands* hands_;
    keyboard::Keybed& keybed_;
    double tick_s_;
    std::uint64_t version_ = 0;  // control thread
    core::SnapshotSwap<Table> tables_;
    std::atomic<std::uint64_t> taken_{0};
    std::atomic<bool> wanted_{false};
    // keybed thread
    core::KeyMotion motion_, newest_;  // as the array has it, and on the keybed's clock
    MotionGate gate_;
    std::bitset<core::kKeyCount> live_;
    std::uint64_t in_use_ = 0;
    std::size_t next_key_ = 0;  // of the table that is being taken
    double ahead_s_ = 0;
};

}  // namespace letoff::ui
