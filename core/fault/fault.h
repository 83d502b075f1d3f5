// What can go wrong while the instrument plays, as numbered faults: a block of a hundred for each subsystem, one table
// with a name and a sentence for each, and counters that any thread may raise without a lock. Numbers and names are
// stable: reports and the page show the names.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace letoff::core {

enum class Fault : std::uint16_t {
    // keybed
    kTickLate = 100,
    kStateNotFinite,
    kSolverNotConverged,
    kMotionMissing,
    kForceRingFull,
    kSoundRingFull,
    kEventRingFull,
    // audio
    kBlockLate = 200,
    kSampleNotFinite,
    kSoundFrameMissing,
    kClockLost,
    kAudioDeviceLost,
    kSamplesLate,
    // MIDI
    kMidiMalformed = 300,
    kMidiInputOverflow,
    kMidiOutputOverflow,
    kMidiPortLost,
    // USB motor array
    kUsbDeviceLost = 400,
    kUsbFrameCorrupt,
    kUsbFrameMissing,
    kUsbTransferLate,
    // storage
    kStorageWriteFailed = 500,
    kStorageBusy,
    kStorageQueueFull,
    // a limit is active: not an error, but the player may feel or hear it
    kForceLimited = 600,
    kPassivityLimited,
    kKeySpeedLimited,
    kSoundLimited,
    kDetailShed,
};

struct FaultRow {
    Fault fault;
    std::string_view name;
    std::string_view sentence;
};

/// Every fault, in the order of the numbers.
std::span<const FaultRow> fault_table() noexcept;

inline constexpr int kFirstFaultBlock = 1;
inline constexpr int kFaultBlocks = 6;
inline constexpr int kFaultsPerBlock = 16;  // room in the counters, of the hundred numbers

/// How often each fault was raised. raise() is safe on every thread: one relaxed atomic addition.
class FaultCounters {
  public:
    void raise(Fault fault, std::uint64_t times = 1) noexcept {
        counts_[slot(fault)].fetch_add(times, std::memory_order_relaxed);
    }
    std::uint64_t count(Fault fault) const noexcept { return counts_[slot(fault)].load(std::memory_order_relaxed); }
    /// All faults except limits that were active.
    std::uint64_t errors() const noexcept;

  private:
    static constexpr std::size_t slot(Fault fault) noexcept {
        const int number = static_cast<int>(fault);
        return static_cast<std::size_t>((number / 100 - kFirstFaultBlock) * kFaultsPerBlock + number % 100);
    }
    std::array<std::atomic<std::uint64_t>, std::size_t{kFaultBlocks} * kFaultsPerBlock> counts_{};
};

}  // namespace letoff::core
