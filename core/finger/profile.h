// A library of ways in which a finger acts on a key, so that "any finger" in a test means these: what the muscle gives
// over time, and the speed at which the fingertip meets the key. The finger's mass and pulp are the mechanism's
// (keyboard/action/grand.h); its weight is carried, so 0 N rests on the key without pressing it. Forces positive
// downwards, time from the start of the stroke.
//   constant  F
//   pulse     F sin^2(pi t / T) for T, its fall stopped by hold                  (Kinoshita 2007: 8-50 N staccato)
//   ramp      F t / T, then F
//   struck    arrives at v with F behind it                                      (Askenfelt & Jansson: struck touch)
//   trill     F max(0, sin(2 pi f t)): presses n times, lets the key lift the finger in between
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace letoff::core {

struct FingerProfile {
    enum class Kind : std::uint8_t { constant, pulse, ramp, struck, trill };
    Kind kind = Kind::constant;
    double force_N = 0;     // F
    double rise_s = 0;      // T; pulse and ramp
    double hold_N = 0;      // pulse: what it falls to
    double arrive_mps = 0;  // v; struck
    double rate_hz = 0;     // f; trill
    int strokes = 1;        // n; trill
    double held_s = 0.6;    // until the finger leaves the key; trill: the last press is held so long

    double force_at_N(double t_s) const;
    double length_s() const;
    std::string name() const;  // "pulse 5 N 60 ms then 0.6 N"
};

/// 92 fingers over what hands do, from below a strike to beyond ff.
std::vector<FingerProfile> finger_library();

/// A finger between the library's: kind and numbers drawn from this seed alone.
FingerProfile random_finger(std::uint64_t seed);

/// Random force over time for drives that are no finger at all: smooth steps between random levels, each `step_s` long.
class RandomForce {
  public:
    RandomForce(std::uint64_t seed, double most_N, double step_s) : seed_(seed), most_N_(most_N), step_s_(step_s) {}
    double at_N(double t_s) const;

  private:
    std::uint64_t seed_;
    double most_N_, step_s_;
};

}  // namespace letoff::core
