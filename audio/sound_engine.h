// From contact forces to stereo sound: strings and soundboard, which move each other over the bridge.
//
// The board feels the strings' force at once. The strings feel the board's motion as it would go on from the begin of a
// stretch of about a millisecond if nothing pushed it, in the right phase, one foretelling fading into the next; what a
// force of that same millisecond has done is felt from the next stretch on. That first answer of a board is the plain
// resistance of its bridge, and it is in the strings already, as the drain of the losses of their motion in phase
// (core/string/string_design.h); what they move against each other or sideways pushes the board and feels nothing of
// it. The board's answer also pulls at the strings' frequencies, (k/2) Im Y; they are made as much higher or lower, as
// a tuner does who tunes what sounds. So strings ring with the strings that are played, and an undamped keyboard rings
// as a whole.
//
// One engine for both clocks: called for many ticks at once off line, once a chunk live (audio/live). It returns
// nothing to the keybed. One thread, and those of the executor it is given; render() is real-time safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "audio/modal/string_bank.h"
#include "audio/sound_rows.h"
#include "audio/soundboard/case_noise.h"
#include "audio/soundboard/lid.h"
#include "audio/soundboard/soundboard.h"
#include "core/event/sound_frame.h"
#include "core/result.h"
#include "core/rt/executor.h"
#include "core/string/modal_string.h"

namespace letoff::audio {

struct SoundConfig {
    int sample_rate_hz = 48000;
    int tick_hz = 4000;
    int samples_per_chunk = 0;  // 0: a frame is one tick; else see StringBankConfig
    int ticks_at_once = 1;      // of a stretch, most that a note runs through while its modes are at hand
    std::uint64_t soundboard_seed = 1;
    SoundValues values{};
};

class SoundEngine {
  public:
    static core::Result<SoundEngine> create(const core::StringSet& strings, const SoundConfig& config);

    /// Samples of a whole tick or chunk.
    int samples_per_tick() const { return bank_.samples_per_tick(); }
    const StringBank& bank() const { return bank_; }
    /// Of all strings and the board now. For tests and meters.
    double energy_J() const;

    /// Renders ticks in order: samples_per_tick() samples of each into each side, of the last one as many as they hold
    /// where that is fewer. Full scale is 1; louder is not clipped here. With an executor the note groups are spread
    /// over its threads; the sound is the same bits however many there are, and however the ticks are split into calls.
    void render(std::span<const core::SoundFrame> frames, std::span<float> left, std::span<float> right,
                core::Executor* executor = nullptr) noexcept;

    /// Strings and board at rest at once.
    void silence() noexcept;

    double max_abs_sample() const { return max_abs_sample_; }

  private:
    SoundEngine(StringBank bank, Soundboard board, const SoundConfig& config);
    void take_in(const core::SoundFrame& frame, std::size_t at) noexcept;
    void render_stretch(std::span<const core::SoundFrame> frames, std::span<float> left, std::span<float> right,
                        core::Executor* executor) noexcept;
    void render_strings(std::span<const core::SoundFrame> frames, int last_samples, core::Executor* executor) noexcept;
    bool strings_stay_at_rest(std::span<const core::SoundFrame> frames) const noexcept;
    void foretell() noexcept;
    void render_group(int group, std::size_t ticks, int last_samples) noexcept;
    std::span<const float> bridge_at(int key, int from, int samples, std::span<float> speed_mps) const noexcept;
    void measure(std::span<const float> out) noexcept;

    // What one note is told in one tick, key by key and tick by tick.
    struct NoteTickIn {
        const core::StringForce* force = nullptr;
        double loss_1ps = 0;
    };
    NoteTickIn& note_tick(int key, std::size_t tick) noexcept {
        return note_ticks_[static_cast<std::size_t>(key) * ticks_at_once_ + tick];
    }
    // How the notes of one group push the board in one tick. Groups are summed where their notes are made, so that
    // threads hand over a few rows and not every note's sound.
    struct GroupTick {
        bool pushes = false;
        std::array<float, Soundboard::kPushRows * kMaxSamplesPerTick> rows;
    };
    GroupTick& group_tick(int group, std::size_t tick) noexcept {
        return group_ticks_[static_cast<std::size_t>(group) * ticks_at_once_ + tick];
    }
    void add_noise(const core::CaseForces& forces, std::size_t samples) noexcept;

    StringBank bank_;
    Soundboard board_;
    CaseNoise noise_;
    Lid lid_;
    // The stretch of the bridge's motion that is foretold.
    bool resonates_ = true;
    std::array<float, core::kKeyCount> felt_{};  // of it, by each key's strings
    int stretch_samples_ = 0;
    int foretold_left_ = 0;            // samples of it that are still to come
    bool board_moves_ = false;         // as far as it was foretold last
    bool bridge_moves_ = false;        // then or before
    std::vector<float> bridge_mps_;    // kBridgePoints rows of a stretch
    std::vector<float> foretold_mps_;  // ... of two stretches, as foretold at the begin of this one
    std::vector<float> told_before_mps_;
    std::size_t ticks_at_once_;  // of a stretch
    std::vector<NoteTickIn> note_ticks_;
    std::vector<GroupTick> group_ticks_;
    bool strings_rest_ = false;                        // all of them, in the last tick
    std::array<double, core::kKeyCount> dampers_m_{};  // ... and how their dampers were pressed
    float max_abs_sample_ = 0;
};

}  // namespace letoff::audio
