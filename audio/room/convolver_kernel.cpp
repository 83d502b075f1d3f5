#include "audio/room/convolver_kernel.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "audio/room/convolver_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "core/simd/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::audio {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using core::HWY_NAMESPACE::mul_add;
using core::HWY_NAMESPACE::neg_mul_add;
using F = hn::CappedTag<float, kConvolverLanes>;

void add_response_target(const float* response, int taps, const float* in, int samples, float* out) {
    const F f;
    const int lanes = static_cast<int>(hn::Lanes(f));
    for (int i = 0; i < samples; i += lanes) {
        auto sum = hn::LoadU(f, out + i);
        for (int t = 0; t < taps; ++t) sum = mul_add(hn::Set(f, response[t]), hn::LoadU(f, in + i - t), sum);
        hn::StoreU(sum, f, out + i);
    }
}

void add_product_target(Spectrum a, Spectrum b, int bins, Spectrum sum) {
    const F f;
    for (int i = 0; i < bins; i += static_cast<int>(hn::Lanes(f))) {
        const auto a_re = hn::Load(f, a.re + i), a_im = hn::Load(f, a.im + i);
        const auto b_re = hn::Load(f, b.re + i), b_im = hn::Load(f, b.im + i);
        const auto re = mul_add(a_re, b_re, hn::Load(f, sum.re + i)), im = mul_add(a_re, b_im, hn::Load(f, sum.im + i));
        hn::Store(neg_mul_add(a_im, b_im, re), f, sum.re + i);
        hn::Store(mul_add(a_im, b_re, im), f, sum.im + i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::audio
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::audio {
HWY_EXPORT(add_response_target);
HWY_EXPORT(add_product_target);

void add_response(const float* response, int taps, const float* in, int samples, float* out) noexcept {
    HWY_DYNAMIC_DISPATCH(add_response_target)(response, taps, in, samples, out);
}
void add_product(Spectrum a, Spectrum b, int bins, Spectrum sum) noexcept {
    HWY_DYNAMIC_DISPATCH(add_product_target)(a, b, bins, sum);
}
}  // namespace letoff::audio
#endif
