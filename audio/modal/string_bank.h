// All strings of all 88 notes as one bank of rotating modes (equation in string_kernel.h). No voices, so no voice limit
// and no stealing: a new stroke adds to what the strings already do. A note whose motion has fallen below rest_force_N
// is set to exact zero and costs nothing until its hammer comes back; the fastest modes of a sounding note go to rest
// first.
//
// Notes are independent of each other: any thread may render any group, the results are the same bits.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "audio/modal/longitudinal.h"
#include "audio/modal/string_kernel.h"
#include "core/event/sound_frame.h"
#include "core/result.h"
#include "core/string/modal_string.h"
#include "core/unit/keys.h"

namespace letoff::audio {

/// Above 96 kHz, the strike grid, a force lasts for two samples and more.
inline constexpr std::array<int, 6> kSampleRates_hz = {44100, 48000, 88200, 96000, 176400, 192000};
/// The longest tick (1 kHz) at 96 kHz; higher rates go by chunks.
inline constexpr int kMaxSamplesPerTick = 96;
/// Force values a sample of sound: two at 44.1 and 48 kHz, so that a hammer's contact keeps its shape; one above.
constexpr int grid_per_sample(int sample_rate_hz) {
    return sample_rate_hz < 60000 ? 2 : 1;
}
inline constexpr int kNoteGroups = 8;

struct StringBankConfig {
    int sample_rate_hz = 48000;
    int tick_hz = 4000;
    // 16 modes whose pointers' root sum of squares is below this go to rest; see SoundEngine for the choice.
    double rest_force_N = 1e-5;
    // 0: a call is one tick of the keybed, its forces are on the strike grid as they are. Else: a call is this many
    // samples (or fewer), whatever the tick, and its forces are on the sound's own grid, grid_per_sample() a sample.
    int samples_per_chunk = 0;
    // How much is heard of the strings' longitudinal motion, 1 the mechanics; 0: there is none.
    double longitudinal = 0;
};

/// Or the sentence that says why not.
core::Result<bool> possible(const StringBankConfig& config);

class StringBank {
  public:
    /// Error: a sample rate that is none of kSampleRates_hz, a chunk that is too long, or, without chunks, a sample
    /// rate or tick rate that does not divide the strike grid.
    /// `bridge`: speed to a newton with which the bridge will move at a key's strings, s/kg, as render_note will be
    /// told it; none where it stands still. Of a note's sets, the one in phase feels it. Its imaginary part pulls at a
    /// mode's frequency; modes are made that much higher, so that they sound where the set has them. Where its real
    /// part pushes (what it does at once is missing from it), the drain in the mode's losses is at least that push, so
    /// that no mode rings longer than the string would alone.
    using Bridge = std::function<std::complex<double>(int key_index, double omega_radps)>;
    static core::Result<StringBank> create(const core::StringSet& set, const StringBankConfig& config,
                                           const Bridge& bridge = {});

    int samples_per_tick() const { return samples_; }
    int mode_count() const { return mode_count_; }

    /// One note over one tick: the sum of the bridge forces of its strings, empty when it is at rest, valid until the
    /// note's next tick. `force`: of its hammer, null when that is not on the strings. `loss_1ps`: decay rate that its
    /// damper adds, at the end of the tick; the damper presses gradually, so over the tick the mean of both ends is
    /// used. `samples`: fewer than samples_per_tick() where a block of sound ends inside a chunk. Different notes may
    /// run at the same time on different threads where they are of different groups.
    /// `bridge_mps`: speed of the bridge at the note in each sample, empty where it stands still; a resting note whose
    /// damper is off is set going by it.
    std::span<const float> render_note(int key_index, const core::StringForce* force, double loss_1ps, int samples,
                                       std::span<const float> bridge_mps = {}) noexcept;
    std::span<const float> render_note(int key_index, const core::StringForce* force, double loss_1ps) noexcept {
        return render_note(key_index, force, loss_1ps, samples_);
    }
    /// Notes of one of kNoteGroups groups, about the same work in each: first to end - 1.
    int group_begin(int group) const { return group_begin_[static_cast<size_t>(group)]; }
    int group_end(int group) const { return group_begin(group + 1); }

    bool sounding(int key_index) const { return notes_[static_cast<size_t>(key_index)].active_blocks > 0; }
    /// Kinetic and potential energy of the note's strings now, with what their longitudinal motion holds. For tests and
    /// meters, not for every tick.
    double energy_J(int key_index) const;
    /// All strings at rest at once.
    void silence() noexcept;
    /// How often a note had to be silenced because its motion was not finite.
    int reset_count() const;

  private:
    struct Note {
        int first_block = 0;
        int blocks = 0;          // a multiple of kBlocksAtOnce
        int coupled_blocks = 0;  // the first of them, which feel the bridge
        int active_blocks = 0;   // the rest of them are exactly zero
        unsigned ticks_since_contact = 0;
        int resets = 0;
        double loss_end_1ps = 0;
        float volume = 1;
        Longitudinal longitudinal;
        std::array<float, kMaxSamplesPerTick> early_N{};
        std::array<float, kMaxSamplesPerTick> late_N{};
        std::array<float, kMaxSamplesPerTick> bridge_N{};
    };
    // What turns a mode's pointer back into metres and joules.
    struct ModeScale {
        double omega_radps = 0, sigma_1ps = 0, bridge_N_per_m = 0;
    };
    struct alignas(64) LaneBuffer {
        std::array<float, kMaxSamplesPerTick * kModeLanes> lane;
        std::array<float, kMaxSamplesPerTick * kToldStride> told;
        std::array<float, kTurnedFloats> turned;
    };

    explicit StringBank(const StringBankConfig& config);
    void add_note(int key_index, const core::NoteStrings& strings, const Bridge& bridge);
    void make_groups();
    bool takes_bridge(Note& note, std::span<const float> bridge_mps, double loss_1ps) const noexcept;
    void take_force(Note& note, const core::StringForce& force, int samples) const noexcept;
    const DriveBlock* drive_of(const Note& note, const core::StringForce& force, int group) noexcept;
    double energy_J(int first_block, int blocks) const;
    void add_longitudinal(Note& note, const NoteTick& tick, float* turned_N) noexcept;
    void rest_quiet_blocks(Note& note) noexcept;
    void silence(Note& note, int from_block) noexcept;

    StringBankConfig config_;
    int samples_ = 0;
    int grid_per_sample_ = 0;
    int mode_count_ = 0;
    std::vector<ModeBlock> modes_;
    std::vector<DriveBlock> drive_;
    std::vector<CoupleBlock> couple_;
    std::vector<StateBlock> state_;
    std::vector<ModeScale> scale_;
    std::vector<std::uint8_t> set_of_;                               // of each mode, in its note
    std::array<std::vector<DriveBlock>, kNoteGroups> uneven_drive_;  // scratch, one a group
    std::array<Note, core::kKeyCount> notes_{};
    std::array<int, kNoteGroups + 1> group_begin_{};
    std::array<int, core::kKeyCount> group_of_{};
    std::vector<LaneBuffer> lanes_;  // one a group
};

}  // namespace letoff::audio
