// The last part of every stroke of one key, kept so that a live note can begin there: the whole mechanical state of the
// key over the time before its hammer meets the strings.
//
// Symbols: s, time before first contact of hammer and strings; T, the stroke's whole time (finger start to first
// contact); v, hammer speed at first contact. A curve is one stroke: kNodes states at s_k = T (k / (kNodes - 1))^2,
// close together near the strings. Between nodes q is cubic in time by its q and v at both ends, v is linear; between
// curves everything is linear in v, so that the speed asked for is met. Friction sides and phase come from the nearer
// curve.
// Strokes with the pedal's tray down and with it lifted clear of all keys are kept apart; keys without a damper have
// one.
// Reading is real-time safe. Numbers are floats: 3 nm at the crown. About 84 kB a key and tray.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/rt/executor.h"
#include "keyboard/gesture/stroke_table.h"
#include "keyboard/keybed/action_block.h"

namespace letoff::keyboard {

/// Friction that a key remembers: pivots of all bodies but the finger, and the contacts that rub.
inline constexpr std::array<int, 12> kKeyFrictions{kKey,
                                                   kWippen,
                                                   kJack,
                                                   kLever,
                                                   kHammer,
                                                   kDamper,
                                                   core::kMaxBodies + kJackKnuckle,
                                                   core::kMaxBodies + kLeverKnuckle,
                                                   core::kMaxBodies + kJackButton,
                                                   core::kMaxBodies + kTailBackcheck,
                                                   core::kMaxBodies + kHammerRest,
                                                   core::kMaxBodies + kLeverDropScrew};

class CatchUpTable {
  public:
    static constexpr int kNodes = 21;
    static constexpr int kEvery = 2;  // of the stroke table's velocities: speeds are within 0.5 % between them
    static constexpr int kVelocities = (StrokeTable::kVelocities + kEvery - 1) / kEvery;
    enum class Tray : std::uint8_t { down, lifted };
    static constexpr int kTrays = 2;

    struct Node {
        std::array<float, kGrandBodies> q{}, v{};
        std::array<float, kKeyFrictions.size()> friction_impulse_Ns{};
        std::array<std::int8_t, kKeyFrictions.size()> friction_side{};
        std::int8_t phase = 0;  // which of the action's sub-models reigns
        float hammer_torque_Nm = 0, finger_N = 0;
    };
    struct Curve {
        double speed_mps = 0;  // 0: the hammer does not get there
        double travel_s = 0, acceleration_mps2 = 0;
        double from_m = 0;                                      // where the finger began
        double escapement_before_s = -1, bottom_before_s = -1;  // before the strike; negative: after it
        std::array<Node, kNodes> nodes{};
    };
    static double before_s(const Curve& curve, int node) {
        const double share = static_cast<double>(node) / (kNodes - 1);
        return curve.travel_s * share * share;
    }

    CatchUpTable() = default;  // holds no stroke
    explicit CatchUpTable(bool damped) : curves_(static_cast<size_t>((damped ? kTrays : 1) * kVelocities)) {}

    /// The tray makes no difference to a key without a damper: it has the same curves for both.
    const Curve& curve(Tray tray, int velocity) const { return curves_[place(tray, velocity)]; }
    Curve& curve(Tray tray, int velocity) { return curves_[place(tray, velocity)]; }
    bool damped() const { return curves_.size() == static_cast<size_t>(kTrays * kVelocities); }
    /// False where the key has no stroke that strikes.
    bool playable() const { return first_ < kVelocities; }
    /// After curves were written: finds the softest that strikes.
    void finish();

    /// The strokes on both sides of a speed, mixed; beyond the softest or loudest that one.
    struct Mix {
        int lower = 0;     // curve
        double share = 0;  // of the next one
        double speed_mps = 0, travel_s = 0, acceleration_mps2 = 0, from_m = 0;
        double escapement_before_s = -1, bottom_before_s = -1;
    };
    Mix mix(Tray tray, double speed_mps) const noexcept;

    struct State {
        KeyState key;  // its times of escapement and bottom left out
        double finger_N = 0;
    };
    State at(Tray tray, const Mix& mix, double before_s) const noexcept;

    std::vector<double> to_doubles() const;
    static bool from_doubles(std::span<const double> values, CatchUpTable& table);

  private:
    size_t place(Tray tray, int velocity) const {
        return static_cast<size_t>((damped() ? static_cast<int>(tray) : 0) * kVelocities + velocity);
    }

    std::vector<Curve> curves_;
    int first_ = kVelocities;  // softest that strikes, on any tray
};

/// For the cache: differs from stroke_hash of the same key.
std::uint64_t catch_up_hash(const KeyBuild& key, int tick_hz);

/// Plays the calibrated strokes of the given keys once more and keeps what they did; progress is told the share done,
/// on the calling thread. Control thread.
std::vector<CatchUpTable> record_catch_up(std::span<const KeyBuild> keys, std::span<const StrokeTable> strokes,
                                          int tick_hz, core::Executor& executor,
                                          const std::function<void(double)>& progress = {});

}  // namespace letoff::keyboard
