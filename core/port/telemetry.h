// What a live instrument tells of itself while it plays: what moves, as often as a picture of it is drawn, and how it
// fares, for its keeper.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/multibody/mechanism.h"
#include "core/rt/histogram.h"
#include "core/unit/keys.h"

namespace letoff::core {

/// The newest of everything that moves. Trivially copyable: it goes through a LatestValue.
struct Telemetry {
    std::int64_t tick = 0;
    std::array<float, kKeyCount> dip_m{};             // of the key front
    std::array<float, kKeyCount> crown_m{};           // hammer crown below its strings
    std::array<std::uint8_t, kKeyCount> strikes{};    // so far, modulo 256
    std::array<float, kKeyCount> strike_mps{};        // hammer speed of the last
    float sustain = 0, sostenuto = 0, una_corda = 0;  // pedals, 0 up .. 1 down
    float meter = 0;                                  // largest sample lately, 1 is full scale
    /// One key in full.
    struct Watched {
        int key_index = -1;
        std::array<float, kMaxBodies> q{};            // rad, m on a guide
        std::array<float, kMaxContacts> contact_N{};  // in the order of the drawing's contacts
        float finger_N = 0, crown_mps = 0, string_N = 0;
    } watched;
};

/// How the instrument is, for its keeper.
struct Health {
    double played_s = 0;
    std::int64_t ticks = 0, late_ours = 0, late_hosts = 0, skipped_ticks = 0;
    double tick_p50_us = 0, tick_p999_us = 0, tick_max_us = 0, tick_us = 250;
    std::vector<Histogram::Bin> tick_times;  // processor time of ticks
    bool black_box = false;                  // the ticks before the first late one can be fetched
    std::string audio, audio_device;
    int rate_hz = 0, frames = 0;
    std::int64_t xruns = 0;
    double delay_ms = 0;
    std::int64_t notes = 0, strikes = 0, silent = 0;
    int sleeping_keys = 0;
    std::vector<std::pair<std::string, std::int64_t>> faults;
    std::vector<std::string> messages;  // what was said lately, oldest first
};

}  // namespace letoff::core
