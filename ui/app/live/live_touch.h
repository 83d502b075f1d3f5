// The touch that the live instrument plays with, and how another one comes into it: the keys' mechanics at once,
// gliding (keyboard/keybed/touch_glide.h), then their finger tables, made behind.
//
// Threads: everything on the control thread; what tables() and touches() hand over, the keybed's takes.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/rt/snapshot.h"
#include "keyboard/action/registers.h"
#include "keyboard/keybed/key_mechanics.h"
#include "keyboard/strike/hammer_string.h"
#include "ui/app/instrument.h"
#include "ui/app/live/table_loader.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

/// 88 keys on their way through the touches that they are given.
struct TouchedKeys {
    std::vector<keyboard::KeyBuild> keys;
    std::vector<std::uint64_t> stamps;  // the version of the touch that changed each key last
    core::StringDesign design;          // of the strings that the hammers meet: as built, but for their voicing
    std::vector<keyboard::HammerFelt> felts;

    static TouchedKeys as_built(const Instrument& instrument);

    /// The keys become those of the next touch, and their hammers voiced as it says, but for rows that shape the
    /// instrument as it is built (core::Live::kNobody). The keys that changed; `fixed`, if given, is told the rows that
    /// stay.
    std::vector<int> turn(const core::StringSet& strings, const Touch& touch, std::uint64_t version,
                          std::set<std::string_view>* fixed = nullptr);
    /// For the keybed.
    std::unique_ptr<keyboard::KeybedTouch> keybed_touch(std::uint64_t version) const;
};

/// The finger tables that live play begins with: the instrument's strokes, without catch-up.
std::unique_ptr<keyboard::LiveTables> first_tables(const Instrument& instrument);

class LiveTouch {
  public:
    /// The instrument as it was built; it must outlive this.
    explicit LiveTouch(const Instrument& instrument);

    core::SnapshotSwap<keyboard::LiveTables>& tables() { return tables_; }
    core::SnapshotSwap<keyboard::KeybedTouch>& touches() { return touches_; }

    /// From the next tick on. Rows that shape the instrument as it is built (core::Live::kNobody) stay as they are. A
    /// sentence: which keys turn.
    std::string take(const Touch& touch);
    /// Of the touch that take() is given next.
    std::uint64_t next_version() const { return version_ + 1; }
    /// Whether notes are to sound as they come; tables for it are made only then.
    void want_catch_up(bool wanted);
    /// Now and then. A sentence when tables are there, else "".
    std::string poll();
    /// No more tables are made; waits for a few keys' time.
    void stop() { loader_.reset(); }

  private:
    void load();

    const Instrument& instrument_;
    TouchedKeys keys_;
    std::uint64_t version_ = 0;
    core::SnapshotSwap<keyboard::LiveTables> tables_;
    core::SnapshotSwap<keyboard::KeybedTouch> touches_;
    TouchTables have_;  // while no loader has it
    std::unique_ptr<TableLoader> loader_;
    bool catch_up_ = false;
    bool load_again_ = false;   // when the loader is done: something else is wanted by now
    std::vector<int> awaited_;  // keys whose tables will be told
    bool told_first_ = false;
};

}  // namespace letoff::ui
