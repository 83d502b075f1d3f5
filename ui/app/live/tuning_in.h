// A tuning that comes by MIDI (core/midi/mts.h). Strings are tuned as the instrument is built, so it is kept as a Scala
// scale and keyboard map, and one sentence says how to play it from the next start on.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/midi/mts.h"

namespace letoff::ui {

class TuningIn {
  public:
    /// Single notes come one by one: it is told when nothing came for so long.
    static constexpr std::int64_t kSettled_ns = 500'000'000;

    /// `folder`: where the files are put, made when there is one to put.
    explicit TuningIn(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void take(std::span<const std::uint8_t> sysex, std::int64_t now_ns);
    /// What became of it, once; "": nothing.
    std::string poll(std::int64_t now_ns);

  private:
    std::string keep() const;

    const std::filesystem::path folder_;
    core::MtsTuning tuning_;
    std::optional<std::int64_t> came_ns_;
    bool changed_ = false, damaged_ = false;
};

}  // namespace letoff::ui
