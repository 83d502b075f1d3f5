// The catch-up tables of all keys: from the cache, else recorded anew on a thread of its own while the instrument
// already plays, with real travel.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/rt/snapshot.h"
#include "keyboard/gesture/live_player.h"

namespace letoff::ui {

class CatchUpLoader {
  public:
    /// Starts at once; publishes strokes and catch-up tables into `tables` when it is done. All must outlive it;
    /// nobody else may publish meanwhile. cache_file: empty for none.
    CatchUpLoader(std::span<const keyboard::KeyBuild> keys, std::span<const keyboard::StrokeTable> strokes, int tick_hz,
                  std::string cache_file, core::SnapshotSwap<keyboard::LiveTables>& tables);
    /// Waits for the thread: a few keys' time at the most.
    ~CatchUpLoader();
    CatchUpLoader(const CatchUpLoader&) = delete;
    CatchUpLoader& operator=(const CatchUpLoader&) = delete;

    bool done() const { return done_.load(std::memory_order_acquire); }

  private:
    void run();
    std::vector<keyboard::CatchUpTable> find_or_record();

    std::span<const keyboard::KeyBuild> keys_;
    std::span<const keyboard::StrokeTable> strokes_;
    const int tick_hz_;
    const std::string cache_file_;
    core::SnapshotSwap<keyboard::LiveTables>& tables_;
    std::atomic<bool> stop_{false}, done_{false};
    std::thread thread_;
};

}  // namespace letoff::ui
