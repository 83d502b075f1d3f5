// What a fuzzer holds a reader to.
#pragma once

#include <cstdlib>

inline void require(bool condition) {
    if (!condition) std::abort();
}
