// Flush-to-zero and denormals-are-zero for the calling thread, as long as the object lives. Decaying modes would
// otherwise run into denormal numbers, on which an x86 core is up to a hundred times slower; and every computing thread
// must have the same setting, or the same step would give other bits on another thread.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace letoff::core {

class DenormalsOff {
  public:
#if defined(__SSE2__)
    DenormalsOff() noexcept : before_(_mm_getcsr()) {
        if ((before_ & kFlushBits) != kFlushBits) _mm_setcsr(before_ | kFlushBits);
    }
    ~DenormalsOff() {
        if ((before_ & kFlushBits) != kFlushBits) _mm_setcsr((_mm_getcsr() & ~kFlushBits) | (before_ & kFlushBits));
    }
    static bool active() noexcept { return (_mm_getcsr() & kFlushBits) == kFlushBits; }
#else
    DenormalsOff() noexcept {}
    ~DenormalsOff() {}
    static bool active() noexcept { return false; }
#endif
    DenormalsOff(const DenormalsOff&) = delete;
    DenormalsOff& operator=(const DenormalsOff&) = delete;

#if defined(__SSE2__)
  private:
    static constexpr unsigned kFlushBits = 0x8040;  // MXCSR bit 15 FTZ, bit 6 DAZ (Intel SDM vol. 1, 10.2.3)
    unsigned before_;
#endif
};

}  // namespace letoff::core
