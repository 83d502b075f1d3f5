// FNV-1a over the bits of numbers: for comparing runs and for naming what a cached table depends on. Real-time safe.
#pragma once

#include <bit>
#include <cstdint>

namespace letoff::core {

class Hash {
  public:
    void add(double x) {
        value_ ^= std::bit_cast<std::uint64_t>(x);
        value_ *= 1099511628211u;
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace letoff::core
