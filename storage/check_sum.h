// FNV-1a, 64 bits (Fowler, Noll, Vo), over bytes: finds damage on the disk, not malice. Internal to storage.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace letoff::storage {

class CheckSum {
  public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes) value_ = (value_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3U;
    }
    /// Its end counts: "a", "b" is not "ab".
    void add(std::string_view text) {
        add(std::as_bytes(std::span(text)));
        const std::byte end{0};
        add(std::span(&end, 1));
    }
    void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

    /// As SQLite keeps it: its integers are signed; the bits are what matters.
    std::int64_t as_stored() const { return std::bit_cast<std::int64_t>(value_); }

  private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace letoff::storage
