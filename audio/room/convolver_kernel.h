// The two inner loops of a convolution: the first samples of a response one by one, the rest as products of spectra.
// Every output is summed in one order, whatever the register width.
#pragma once

namespace letoff::audio {

inline constexpr int kConvolverLanes = 16;

/// out[i] += sum_t response[t] in[i - t], t = 0 .. taps - 1, ascending. `in` reaches taps - 1 samples back; it and
/// `out` have room up to a multiple of kConvolverLanes samples.
void add_response(const float* response, int taps, const float* in, int samples, float* out) noexcept;

struct Spectrum {
    float *re, *im;
};
/// sum += a b, bin by bin; a multiple of kConvolverLanes bins, aligned.
void add_product(Spectrum a, Spectrum b, int bins, Spectrum sum) noexcept;

}  // namespace letoff::audio
