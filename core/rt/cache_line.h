// The size on which two threads must not meet. A constant of our own: std::hardware_destructive_interference_size
// changes with compiler flags, and would then change the layout of types shared by libraries.
#pragma once

#include <cstddef>

namespace letoff::core {

inline constexpr std::size_t kCacheLine = 64;  // bytes; x86-64 and the common ARM64 cores

}  // namespace letoff::core
