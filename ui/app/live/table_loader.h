// The finger tables of a touch, found or computed on a thread of their own while the instrument already plays: with the
// strokes that it has until the new ones are there, and without catch-up on keys whose tables are of another touch.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "core/rt/snapshot.h"
#include "keyboard/gesture/live_player.h"
#include "ui/app/finger_tables.h"

namespace letoff::ui {

/// Tables, and of which touch each is (keyboard::KeyTouch::stamp).
struct TouchTables {
    keyboard::LiveTables live;                // strokes of all keys; catch_up of all or none
    std::vector<std::uint64_t> stroke_touch;  // stamps
};

class TableLoader {
  public:
    struct Wanted {
        std::vector<keyboard::KeyBuild> keys;
        std::vector<std::uint64_t> stamps;  // of the touch that they have
        bool catch_up = true;               // false: strokes only
        TouchTables have;                   // what is of another stamp is found or computed
        TableSetting strokes, catch_ups;    // their caches
    };

    /// Starts at once; publishes the strokes, then all, into `tables`, which must outlive it. Nobody else may publish
    /// there meanwhile.
    TableLoader(Wanted wanted, core::SnapshotSwap<keyboard::LiveTables>& tables);
    /// Asks it to stop and waits: a few keys' time.
    ~TableLoader();
    TableLoader(const TableLoader&) = delete;
    TableLoader& operator=(const TableLoader&) = delete;

    /// It ends soon, with what it has by then.
    void ask_to_stop() { stop_.store(true, std::memory_order_release); }
    bool done() const { return done_.load(std::memory_order_acquire); }

    /// When it is done, once: what there is now.
    TouchTables take() { return std::move(wanted_.have); }

  private:
    void run();
    bool learn_strokes();
    bool record_catch_up();
    void publish();

    Wanted wanted_;
    core::SnapshotSwap<keyboard::LiveTables>& tables_;
    std::atomic<bool> stop_{false}, done_{false};
    std::thread thread_;
};

}  // namespace letoff::ui
