// A few keys of the piano played live: strokes and catch-up tables of A0, A4 and C8 in one block, and a player on them.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/midi/velocity.h"
#include "keyboard/gesture/live_player.h"
#include "keyboard/gesture/stroke_trial.h"
#include "tests/keyboard/keybed/piano_keys.h"

namespace letoff::keyboard {

inline constexpr int kLiveTick_hz = 4000;

/// Numbered 0, 1, 2 and so MIDI notes 21, 22, 23: A0 and A4 have dampers, C8 has none.
struct LiveKeys {
    static constexpr int kA0 = 21, kA4 = 22, kC8 = 23;
    static constexpr int kNotes[] = {kA0, kA4, kC8};

    std::vector<KeyBuild> keys;
    LiveTables tables;

    static const LiveKeys& get() {
        static const LiveKeys all = make();
        return all;
    }

    /// Any number of keys.
    static LiveTables quick_tables(std::span<const KeyBuild> keys) {
        LiveTables tables;
        for (size_t first = 0; first < keys.size(); first += core::kLanes) {
            const auto block = quick_strokes(keys.subspan(first, std::min<size_t>(core::kLanes, keys.size() - first)));
            tables.strokes.insert(tables.strokes.end(), block.begin(), block.end());
        }
        const auto executor = std::move(core::make_executor("inline", 1).value());
        tables.catch_up = record_catch_up(keys, tables.strokes, kLiveTick_hz, *executor);
        return tables;
    }

  private:
    /// As calibrate_strokes within 1 %, but for two trays and every second velocity only; the others are their
    /// neighbours'. The catch-up tables read no others.
    static std::vector<StrokeTable> quick_strokes(std::span<const KeyBuild> keys) {
        constexpr int kGrid = 32, kTries = 6;
        std::vector<StrokeTable> tables(keys.size());
        StrokeTrial rest(keys, kLiveTick_hz);
        rest.settle();
        for (const bool lifted : {false, true}) {
            StrokeTrial bench = rest;
            bench.set_tray_share(lifted ? 1 : 0);
            bench.run(0.15);
            LaneValues start_s;
            start_s.fill(bench.now_s());
            const auto play = [&](const LaneValues& a) { return StrokeTrial(bench).strike(start_s, a, 0.6); };
            std::vector<LaneTrials> grid;
            const auto grid_a = [](int g) { return 0.3 * std::pow(1500.0, g / (kGrid - 1.0)); };
            for (int g = 0; g < kGrid; ++g) {
                LaneValues a;
                a.fill(grid_a(g));
                grid.push_back(play(a));
            }
            for (int v = 0; v < StrokeTable::kVelocities; v += CatchUpTable::kEvery) {
                const double wanted =
                    core::speed_mps_of_midi_velocity(StrokeTable::kVelocityKnots[static_cast<size_t>(v)]);
                LaneValues low{}, high{}, a{}, best{};
                best.fill(1e9);
                for (size_t l = 0; l < keys.size(); ++l) {
                    int g = 1;
                    while (g + 1 < kGrid && grid[static_cast<size_t>(g)][l].speed_mps < wanted) ++g;
                    low[l] = grid_a(g - 1);
                    high[l] = grid_a(g);
                }
                for (int i = 0; i < kTries; ++i) {
                    for (size_t l = 0; l < keys.size(); ++l) a[l] = std::sqrt(low[l] * high[l]);
                    const LaneTrials trials = play(a);
                    bool good = true;
                    for (size_t l = 0; l < keys.size(); ++l) {
                        const double speed = trials[l].speed_mps;
                        (speed < wanted ? low[l] : high[l]) = a[l];
                        const double error = std::abs(speed / wanted - 1);
                        if (error < best[l]) {
                            best[l] = error;
                            const StrokeTable::Entry entry{{a[l], trials[l].strike_s - start_s[l]}, speed};
                            const int first = lifted ? StrokeTable::kTrays - 1 : 0;
                            const int last = lifted ? first : StrokeTable::kTrays - 2;
                            for (int tray = first; tray <= last; ++tray) {
                                tables[l].entry(tray, v) = entry;
                                if (v > 0) tables[l].entry(tray, v - 1) = entry;
                            }
                        }
                        good = good && best[l] < 0.01;
                    }
                    if (good) break;
                }
            }
        }
        return tables;
    }

    static LiveKeys make() {
        LiveKeys live;
        for (const int key : {0, 48, 87}) {
            live.keys.push_back(piano_keys(key, 1).front());
            live.keys.back().key_index = static_cast<int>(live.keys.size()) - 1;
        }
        live.tables = quick_tables(live.keys);
        return live;
    }
};

/// Keys at rest with a player, in virtual time.
class LiveStage {
  public:
    explicit LiveStage(std::span<const KeyBuild> keys = LiveKeys::get().keys,
                       const LiveTables& tables = LiveKeys::get().tables)
        : executor(std::move(core::make_executor("inline", 1).value())),
          keybed(keys, kLiveTick_hz, *executor),
          swap(std::make_unique<LiveTables>(tables)),
          player(swap, static_cast<int>(keys.size()), kLiveTick_hz, &events) {
        keybed.settle();
    }

    void on(double time_s, int note, int velocity, int channel = 0) {
        player.message(time_s, core::note_on(channel, note, velocity));
    }
    void off(double time_s, int note, int channel = 0) { player.message(time_s, core::note_off(channel, note)); }
    void tick() {
        player.before_tick(keybed);
        keybed.tick(&events, &player);
    }
    void run_to(double time_s) {
        while (keybed.now_s() < time_s) tick();
    }

    std::unique_ptr<core::Executor> executor;
    Keybed keybed;
    core::SnapshotSwap<LiveTables> swap;
    KeptEvents events;
    LivePlayer player;
};

/// How far a strike is from its note's speed, as a share.
inline double speed_error(const core::Strike& strike, double midi_velocity) {
    return strike.hammer_speed_mps / core::speed_mps_of_midi_velocity(midi_velocity) - 1;
}

/// One note on each of LiveKeys, held for half a second, let go, at rest again.
inline void play_once(LiveStage& stage, int velocity, double on_s) {
    for (const int note : LiveKeys::kNotes) stage.on(on_s, note, velocity);
    for (const int note : LiveKeys::kNotes) stage.off(on_s + 0.5, note);
    stage.run_to(on_s + 1.2);
}

}  // namespace letoff::keyboard
