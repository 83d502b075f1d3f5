#include "keyboard/strike/mode_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "keyboard/strike/mode_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "core/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace letoff::keyboard {
namespace HWY_NAMESPACE {
namespace simd = core::HWY_NAMESPACE;
using simd::load;
using simd::mul_add;
using simd::neg_mul_add;
using simd::set;
using simd::store;
using simd::V;
using Coefficients = HammerOnString::ModeCoefficients;

constexpr std::size_t kWidth = simd::hn::MaxLanes(simd::D());
constexpr std::size_t kParts = 2 * core::kLanes / kWidth;  // registers that hold the 16 partial sums

HWY_INLINE double total(const V* sums) {
    alignas(64) double part[2 * core::kLanes];
    for (std::size_t k = 0; k < kParts; ++k) store(sums[k], part + k * kWidth);
    for (int half = core::kLanes; half >= 1; half /= 2)
        for (int i = 0; i < half; ++i) part[i] += part[i + half];
    return part[0];
}

double push_and_turn(const Coefficients* c, ModePhasors* z, std::size_t blocks, double force_N) {
    const V force = set(force_N);
    V sums[kParts];
    for (std::size_t k = 0; k < kParts; ++k) sums[k] = simd::zero();
    for (std::size_t b = 0; b < blocks; b += 2) {
#pragma GCC unroll 16  // or the partial sums live in memory
        for (std::size_t k = 0; k < kParts; ++k) {
            const std::size_t block = b + k * kWidth / core::kLanes;
            const std::size_t lane = k * kWidth % core::kLanes;
            const Coefficients& q = c[block];
            const V re = mul_add(load(q.push_re.lane + lane), force, load(z[block].re.lane + lane));
            const V im = mul_add(load(q.push_im.lane + lane), force, load(z[block].im.lane + lane));
            const V turn_re = load(q.turn_re.lane + lane);
            const V turn_im = load(q.turn_im.lane + lane);
            const V new_re = neg_mul_add(turn_im, im, turn_re * re);
            store(new_re, z[block].re.lane + lane);
            store(mul_add(turn_im, re, turn_re * im), z[block].im.lane + lane);
            sums[k] = mul_add(load(q.shape.lane + lane), new_re, sums[k]);
        }
    }
    return total(sums);
}

void push(const Coefficients* c, ModePhasors* z, std::size_t blocks, double force_N) {
    const V force = set(force_N);
    for (std::size_t b = 0; b < blocks; ++b) {
        for (std::size_t lane = 0; lane < core::kLanes; lane += kWidth) {
            store(mul_add(load(c[b].push_re.lane + lane), force, load(z[b].re.lane + lane)), z[b].re.lane + lane);
            store(mul_add(load(c[b].push_im.lane + lane), force, load(z[b].im.lane + lane)), z[b].im.lane + lane);
        }
    }
}

FreeMotion turn_freely(const Coefficients* c, ModePhasors* z, std::size_t blocks, std::uint64_t steps, double damping) {
    const V exponent = set(-1.44269504088896340736 * damping);  // base 2
    V sums[kParts], bounds[kParts];
    for (std::size_t k = 0; k < kParts; ++k) sums[k] = bounds[k] = simd::zero();
    for (std::size_t b = 0; b < blocks; b += 2) {
#pragma GCC unroll 16  // or the partial sums live in memory
        for (std::size_t k = 0; k < kParts; ++k) {
            const std::size_t block = b + k * kWidth / core::kLanes;
            const std::size_t lane = k * kWidth % core::kLanes;
            const Coefficients& q = c[block];
            V re = load(z[block].re.lane + lane);
            V im = load(z[block].im.lane + lane);
            V power_re = load(q.turn_re.lane + lane);
            V power_im = load(q.turn_im.lane + lane);
            for (std::uint64_t n = steps; n != 0; n >>= 1) {
                if (n & 1) {
                    const V new_re = neg_mul_add(power_im, im, power_re * re);
                    im = mul_add(power_im, re, power_re * im);
                    re = new_re;
                }
                const V squared = neg_mul_add(power_im, power_im, power_re * power_re);
                power_im = (power_re + power_re) * power_im;
                power_re = squared;
            }
            if (damping != 0.0) {
                const V decay = simd::exp2(exponent * load(q.damper_weight.lane + lane));
                re = re * decay;
                im = im * decay;
            }
            store(re, z[block].re.lane + lane);
            store(im, z[block].im.lane + lane);
            const V shape = load(q.shape.lane + lane);
            sums[k] = mul_add(shape, re, sums[k]);
            bounds[k] = mul_add(simd::abs(shape), simd::sqrt(mul_add(re, re, im * im)), bounds[k]);
        }
    }
    return {total(sums), total(bounds)};
}

}  // namespace HWY_NAMESPACE
}  // namespace letoff::keyboard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace letoff::keyboard {
namespace {
HWY_EXPORT(push_and_turn);
HWY_EXPORT(push);
HWY_EXPORT(turn_freely);
}  // namespace

double push_and_turn(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks,
                     double force_N) noexcept {
    return HWY_DYNAMIC_DISPATCH(push_and_turn)(c, z, blocks, force_N);
}

void push(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks, double force_N) noexcept {
    HWY_DYNAMIC_DISPATCH(push)(c, z, blocks, force_N);
}

FreeMotion turn_freely(const HammerOnString::ModeCoefficients* c, ModePhasors* z, std::size_t blocks,
                       std::uint64_t steps, double damping) noexcept {
    return HWY_DYNAMIC_DISPATCH(turn_freely)(c, z, blocks, steps, damping);
}

}  // namespace letoff::keyboard
#endif
