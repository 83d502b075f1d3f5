#include "core/fault/fault.h"

#include <array>

namespace letoff::core {

namespace {

constexpr auto kTable = std::to_array<FaultRow>({
    {Fault::kTickLate, "tick_late", "The keybed finished a tick after its deadline."},
    {Fault::kStateNotFinite, "state_not_finite", "A key's state was no longer a number; the key was reset."},
    {Fault::kSolverNotConverged, "solver_not_converged",
     "A key's contact forces were not solved to their tolerance in one step."},
    {Fault::kMotionMissing, "motion_missing", "No new key motion arrived for a tick; the last one was carried on."},
    {Fault::kForceRingFull, "force_ring_full", "The motor array did not take the forces of a tick in time."},
    {Fault::kSoundRingFull, "sound_ring_full", "The sound did not take the contact forces of a tick in time."},
    {Fault::kEventRingFull, "event_ring_full", "A strike or release was lost because nobody took the earlier ones."},
    {Fault::kBlockLate, "block_late", "An audio block was not ready when the device needed it."},
    {Fault::kSampleNotFinite, "sample_not_finite", "A sound sample was no longer a number; the note was silenced."},
    {Fault::kSoundFrameMissing, "sound_frame_missing",
     "The contact forces of a tick came too late for their audio block."},
    {Fault::kClockLost, "clock_lost", "The audio clock could not be followed; sound and keys were aligned anew."},
    {Fault::kAudioDeviceLost, "audio_device_lost", "The audio device went away."},
    {Fault::kSamplesLate, "samples_late", "The sampled sound of an audio block was not ready; it was left out."},
    {Fault::kMidiMalformed, "midi_malformed", "A MIDI message was not well formed and was skipped."},
    {Fault::kMidiInputOverflow, "midi_input_overflow", "MIDI came in faster than it was taken; messages were lost."},
    {Fault::kMidiOutputOverflow, "midi_output_overflow", "MIDI could not be sent fast enough; messages were lost."},
    {Fault::kMidiPortLost, "midi_port_lost", "A MIDI port went away."},
    {Fault::kUsbDeviceLost, "usb_device_lost", "The motor array went away; its forces are zero."},
    {Fault::kUsbFrameCorrupt, "usb_frame_corrupt", "A frame of the motor array failed its check and was not used."},
    {Fault::kUsbFrameMissing, "usb_frame_missing", "A frame of the motor array did not arrive."},
    {Fault::kUsbTransferLate, "usb_transfer_late", "A transfer to the motor array was not finished in its tick."},
    {Fault::kStorageWriteFailed, "storage_write_failed", "The database or a file could not be written."},
    {Fault::kStorageBusy, "storage_busy", "The database was held by another program for too long."},
    {Fault::kStorageQueueFull, "storage_queue_full", "Recording could not keep up; events were lost."},
    {Fault::kForceLimited, "force_limited", "A key's force reached the limit of its motor."},
    {Fault::kPassivityLimited, "passivity_limited",
     "A key's force was damped so that the motor does not feed energy to the finger."},
    {Fault::kKeySpeedLimited, "key_speed_limited", "A key moved faster than the motor array allows."},
    {Fault::kSoundLimited, "sound_limited", "The sound came near full scale and was turned down."},
    {Fault::kDetailShed, "detail_shed",
     "The machine is too slow for everything; telemetry, page or sound detail was left out."},
});

constexpr bool numbers_fit_the_counters() {
    int before = 0;
    for (const FaultRow& row : kTable) {
        const int number = static_cast<int>(row.fault);
        const int block = number / 100 - kFirstFaultBlock;
        if (number <= before || block < 0 || block >= kFaultBlocks || number % 100 >= kFaultsPerBlock) return false;
        before = number;
    }
    return true;
}
static_assert(numbers_fit_the_counters());

}  // namespace

std::span<const FaultRow> fault_table() noexcept {
    return kTable;
}

std::uint64_t FaultCounters::errors() const noexcept {
    std::uint64_t sum = 0;
    for (const FaultRow& row : kTable) {
        if (row.fault < Fault::kForceLimited) sum += count(row.fault);
    }
    return sum;
}

}  // namespace letoff::core
