// Convolution of one channel with a response, without delay, in the audio callback's own thread. The response is cut
// into parts h_0 h_1 h_2 ... of P samples. h_0 is applied sample by sample; the others by overlap-save: with X_b the
// spectrum of input blocks b - 1 and b, each P long,
//
//   block b + 1 of the output += last P samples of the inverse transform of sum_(p >= 1) H_p X_(b + 1 - p)
//
// so that what is computed from whole blocks is due only in the next one. The products of p >= 2 know their input a
// block before they are due: they are spread over that block, as many a sample as are needed, whatever the callback's
// block. One length P, so one thread and no lock; the transforms are Eigen's (kissfft), their tables made at set-up.
//
// One thread; process() is real-time safe and gives the same bits however the samples are split into calls.
#pragma once

#include <memory>
#include <span>

namespace letoff::audio {

class Convolver {
  public:
    /// Samples of a part: at 48 kHz 512, a fifth of the cost of the longest response is then the first part's.
    static int part_samples(int sample_rate_hz);

    /// Set-up: allocates.
    Convolver(std::span<const float> response, int part_samples);
    ~Convolver();
    Convolver(Convolver&&) noexcept;
    Convolver& operator=(Convolver&&) = delete;

    /// Any number of samples; `out` may be `in`.
    void process(std::span<const float> in, std::span<float> out) noexcept;
    /// What went in before is forgotten.
    void silence() noexcept;

    int parts() const;

  private:
    struct Transform;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace letoff::audio
