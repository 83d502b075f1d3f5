// Work that is measured: all 88 keys played over and over, each at its own moment, so that at any time some are
// pressed, some are held, some rise and some hammers fly. Used by letoff bench and by the benchmarks of tests/bench.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/midi/performance.h"
#include "core/multibody/step.h"
#include "core/rt/executor.h"
#include "core/string/modal_string.h"
#include "keyboard/action/registers.h"
#include "keyboard/keybed/keybed.h"

namespace letoff::ui {

/// Processor time of the calling thread: what others do on the machine does not count.
double thread_time_s();
/// The same of all threads of the program.
double process_time_s();

class BusyKeybed {
  public:
    BusyKeybed(const core::StringSet& strings, int tick_hz, const keyboard::GrandTouch& touch = {});
    /// `played`: the keys that are played (0..87), the others are left alone; none is: a keybed at rest.
    BusyKeybed(const core::StringSet& strings, int tick_hz, std::unique_ptr<core::Executor> executor,
               std::vector<int> played, const keyboard::GrandTouch& touch = {});

    /// One tick of the keybed with its fingers, without sound.
    void tick();
    /// Keys whose dip or finger moved or pushed in the last tick: to see that the work is what it claims to be.
    int busy_keys() const;
    keyboard::Keybed& keybed() { return *keybed_; }

  private:
    std::unique_ptr<core::Executor> executor_;
    std::vector<int> played_;
    std::vector<std::int64_t> ahead_;  // ticks, of the first one played
    std::unique_ptr<keyboard::Keybed> keybed_;
};

/// What a load took: steps of one key, and the processor time of these steps alone.
struct Stepped {
    std::int64_t steps = 0;
    double seconds = 0;
};

/// The mechanics of one step alone, from moments taken out of the playing of 88 keys. A moment's states are brought
/// where they are stepped before the clock runs: a keybed's own are in the cache too.
class StepLoad {
  public:
    StepLoad(BusyKeybed& keybed, int moments);

    /// Steps all 88 keys once from each moment.
    Stepped run();
    /// Newton iterations a step, the mean over the last run.
    double mean_iterations() const;

  private:
    struct Block {
        core::LaneState state;
        core::StepInput input;
        core::LaneBlock iterations;
    };
    struct Place {  // where the keys of a block are stepped
        const core::LaneModel* model;
        int keys;
        core::LaneState state;
        core::StepInput input;
        core::StepOutput output;
    };
    double h_s_;
    std::vector<Place> places_;
    std::vector<Block> blocks_;  // those of the first moment, in the order of places_, then those of the second ...
};

/// The same for an action that is stepped key by key.
class ActionLoad {
  public:
    ActionLoad(BusyKeybed& keybed, int moments);
    Stepped run();

  private:
    struct Key {
        keyboard::ActionNumbers numbers;
        keyboard::ActionStep in;
        keyboard::ActionPose pose, stepped;
    };
    const keyboard::Action* action_;
    std::vector<Key> keys_;
    keyboard::ActionForces out_;
};

/// Ten seconds of chords and scales over the whole keyboard with pedal, 40 notes a second, the same every time.
core::Performance dense_performance();

}  // namespace letoff::ui
