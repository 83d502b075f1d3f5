// A piano of samples, by FluidSynth: the first preset of a SoundFont's bank 0, or whatever it has first, on one channel
// for each key; or another instrument by its General MIDI program. It is struck by hammer speeds and damped by dampers;
// it knows no pedals, since what a pedal does to a note is where its damper is, and how its hammer strikes.
//
//   velocity    MV = 57.96 + 71.3 log10(v) (core/midi/velocity.h) to 14 bits. The SoundFont gets the next whole
//               velocity above, and the rest as attenuation: SF2's default is 40 dB a decade of velocity (SoundFont
//               Technical Specification 2.04, 8.4.1), so 400 log10(whole / MV) centibels.
//   damper      adds the decay rate s = w loss to the note: w, the weight of its felt on the first partials, as the
//               strings have it. FluidSynth's release runs 96 dB in its release time T:  T = 96 / (8.686 s) seconds.
//               A pedal that catches a note again makes T so long (100 s) that only the sample's own decay is left; a
//               half-pressed damper is a T between.
//   una corda   a blow with softer felt plays as the slower one that has its tone (sample_keys.h), softer by what the
//               strings' common motion gets less of it
//   tuning      FluidSynth's key tuning, the same for all channels, by sample_keys.h; to the nearest cent, as fine as
//               its pitches are
//   strikes     of a key that still rings do not end what rings; more than kRingingStrikes of them fade the oldest out.
//   level       a C4 struck mezzoforte is as loud as the one of our strings, whatever the SoundFont.
//   rates       above 96 kHz, FluidSynth's highest, it computes half the rate and the samples between by a
//               polynomial (period_buffer.h; 0.08 dB too little at 20 kHz).
//
// Strikes and dampers take effect with the next of FluidSynth's periods, 64 frames (1.3 ms at 48 kHz). It allocates and
// takes its time: never in an audio callback. One thread at a time. The same calls give the same bits.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "audio/sample/sample_keys.h"
#include "core/result.h"
#include "core/unit/keys.h"

namespace letoff::audio {

inline constexpr int kFirstPreset = -1;

class SampledPiano {
  public:
    static constexpr int kRingingStrikes = 4;

    /// `program`: General MIDI's, from 0. Error: one sentence that names the file.
    static core::Result<std::unique_ptr<SampledPiano>> load(const std::string& file, int sample_rate_hz,
                                                            const SampleKeys& keys, int program = kFirstPreset);
    ~SampledPiano();
    SampledPiano(const SampledPiano&) = delete;
    SampledPiano& operator=(const SampledPiano&) = delete;

    /// A blow of the una corda pedal: as core/event/strike.h has it.
    struct Softness {
        double in_phase = 1, felt_hardness = 1;
    };
    void strike(int key_index, double hammer_speed_mps, const Softness& soft);
    void strike(int key_index, double hammer_speed_mps) { strike(key_index, hammer_speed_mps, Softness()); }
    /// loss_1ps: decay rate that the damper adds to a mode of weight 1; 0: lifted. Holds until the next.
    void damp(int key_index, double loss_1ps);
    /// The next samples, full scale 1, louder ones not clipped. Both sides are of equal length.
    void render(std::span<float> left, std::span<float> right);
    /// All notes end at once; dampers stay where they are.
    void silence();

    /// FluidSynth's voices that sound.
    int voices() const;

  private:
    struct Synth;
    explicit SampledPiano(std::unique_ptr<Synth> synth);
    std::unique_ptr<Synth> synth_;
};

}  // namespace letoff::audio
