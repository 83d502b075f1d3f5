#include "audio/room/convolver.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "audio/room/convolver_kernel.h"

namespace letoff::audio {
namespace {

std::size_t whole_lanes(std::size_t count) {
    constexpr std::size_t kLanes = kConvolverLanes;
    return (count + kLanes - 1) / kLanes * kLanes;
}

/// Spectra one behind the other, real and imaginary parts apart.
class Spectra {
  public:
    Spectra(std::size_t count, std::size_t bins)
        : stride_(2 * bins), bins_(bins), all_(hwy::AllocateAligned<float>(count * stride_)) {
        std::fill_n(all_.get(), count * stride_, 0.0F);
    }
    Spectrum operator[](std::size_t i) const { return {all_.get() + i * stride_, all_.get() + i * stride_ + bins_}; }
    void clear(std::size_t i) { std::fill_n(all_.get() + i * stride_, stride_, 0.0F); }

  private:
    std::size_t stride_, bins_;
    hwy::AlignedFreeUniquePtr<float[]> all_;
};

}  // namespace

/// Of 2 P real samples.
struct Convolver::Transform {
    explicit Transform(std::size_t size) : size(size), half(size / 2 + 1), time(size) {
        fft.SetFlag(Eigen::FFT<float>::HalfSpectrum);
        // Makes the tables of both directions.
        fft.fwd(half.data(), time.data(), static_cast<Eigen::Index>(size));
        fft.inv(time.data(), half.data(), static_cast<Eigen::Index>(size));
    }
    void forward(const float* in, Spectrum out) {
        fft.fwd(half.data(), in, static_cast<Eigen::Index>(size));
        for (std::size_t i = 0; i < half.size(); ++i) {
            out.re[i] = half[i].real();
            out.im[i] = half[i].imag();
        }
    }
    const float* inverse(Spectrum in) {
        for (std::size_t i = 0; i < half.size(); ++i) half[i] = {in.re[i], in.im[i]};
        fft.inv(time.data(), half.data(), static_cast<Eigen::Index>(size));
        return time.data();
    }

    std::size_t size;
    Eigen::FFT<float> fft;
    std::vector<std::complex<float>> half;
    std::vector<float> time;
};

struct Convolver::State {
    static constexpr std::size_t kLongestRun = 64;

    State(std::span<const float> response, std::size_t part)
        : part(part),
          parts((response.size() + part - 1) / part),
          bins(whole_lanes(part + 1)),
          transform(2 * part),
          responses(parts, bins),
          inputs(parts, bins),
          sums(1, bins),
          first(part),
          in(2 * part + kConvolverLanes),
          tail(part + kConvolverLanes) {
        std::copy_n(response.begin(), std::min(part, response.size()), first.begin());
        std::vector<float> padded(2 * part);
        for (std::size_t p = 1; p < parts; ++p) {
            std::fill(padded.begin(), padded.end(), 0.0F);
            const std::size_t from = p * part;
            std::copy_n(response.begin() + static_cast<std::ptrdiff_t>(from), std::min(part, response.size() - from),
                        padded.begin());
            transform.forward(padded.data(), responses[p]);
        }
    }

    /// The spectrum of `age` blocks ago, 0: the newest.
    Spectrum input(std::size_t age) const { return inputs[(newest + parts - age) % parts]; }
    void add_part(std::size_t p, std::size_t age) {
        if (age < known) add_product(responses[p], input(age), static_cast<int>(bins), sums[0]);
    }
    /// So much of the block is there: as much of what is due in the next is done. Of part p it is the input that will
    /// be p - 1 blocks old then.
    void spread() {
        if (parts < 3) return;
        const std::size_t until = 2 + (parts - 2) * filled / part;
        for (; next_part < until; ++next_part) add_part(next_part, next_part - 2);
    }
    void end_block() {
        if (parts > 1) {
            newest = (newest + 1) % parts;
            transform.forward(in.data(), inputs[newest]);
            known = std::min(known + 1, parts);
            add_part(1, 0);
            std::copy_n(transform.inverse(sums[0]) + part, part, tail.begin());
            sums.clear(0);
            next_part = 2;
        }
        std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(part), part, in.begin());
        filled = 0;
    }

    std::size_t part, parts, bins;
    Transform transform;
    Spectra responses, inputs, sums;
    std::vector<float> first;  // part of the response
    std::vector<float> in;     // the last block and the one that is being filled
    std::vector<float> tail;   // of the block that is being filled: what the parts behind the first add
    std::size_t filled = 0, newest = 0, known = 0, next_part = 2;
    alignas(64) float out[kLongestRun + kConvolverLanes] = {};
};

int Convolver::part_samples(int sample_rate_hz) {
    constexpr int kPart = 512;
    return sample_rate_hz > 96000 ? 4 * kPart : sample_rate_hz > 48000 ? 2 * kPart : kPart;
}

Convolver::Convolver(std::span<const float> response, int part_samples)
    : state_(std::make_unique<State>(response, static_cast<std::size_t>(part_samples))) {}
Convolver::~Convolver() = default;
Convolver::Convolver(Convolver&&) noexcept = default;

int Convolver::parts() const {
    return static_cast<int>(state_->parts);
}

void Convolver::process(std::span<const float> in, std::span<float> out) noexcept {
    State& s = *state_;
    for (std::size_t done = 0; done < in.size();) {
        const std::size_t run = std::min({in.size() - done, s.part - s.filled, State::kLongestRun});
        float* const at = s.in.data() + s.part + s.filled;
        std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(done), run, at);
        std::copy_n(s.tail.begin() + static_cast<std::ptrdiff_t>(s.filled), run, s.out);
        add_response(s.first.data(), static_cast<int>(s.part), at, static_cast<int>(run), s.out);
        std::copy_n(s.out, run, out.begin() + static_cast<std::ptrdiff_t>(done));
        s.filled += run;
        done += run;
        s.spread();
        if (s.filled == s.part) s.end_block();
    }
}

void Convolver::silence() noexcept {
    State& s = *state_;
    std::fill(s.in.begin(), s.in.end(), 0.0F);
    std::fill(s.tail.begin(), s.tail.end(), 0.0F);
    s.sums.clear(0);
    s.known = s.filled = 0;
    s.next_part = 2;
}

}  // namespace letoff::audio
