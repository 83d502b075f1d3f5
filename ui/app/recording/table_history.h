// The finger tables that the keybed of a recording had, made again from the touches that it had: a table is a function
// of its key's touch and of the tick rate, so it comes out the same, from the cache or not.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "keyboard/gesture/live_player.h"
#include "ui/app/instrument.h"
#include "ui/app/live/live_touch.h"

namespace letoff::ui {

class TableHistory {
  public:
    /// `instrument` must outlive it.
    explicit TableHistory(Instrument& instrument);

    /// The next touch that was given to the keys.
    void turn(std::uint64_t version, const Touch& touch);
    std::unique_ptr<keyboard::KeybedTouch> keybed_touch(std::uint64_t version) const;
    /// Versions of the touch of the strokes, and of each key's catch-up; empty: without catch-up.
    std::unique_ptr<keyboard::LiveTables> tables(std::uint64_t strokes_touch,
                                                 std::vector<std::uint64_t> catch_up_touch) const;

  private:
    const std::vector<keyboard::KeyBuild>& keys_at(std::uint64_t version) const;

    Instrument& instrument_;
    TouchedKeys keys_;
    std::vector<std::pair<std::uint64_t, std::vector<keyboard::KeyBuild>>> by_version_;
};

}  // namespace letoff::ui
