// A file that is either whole or not there: written beside its target, then renamed over it. Without commit(), nothing
// is left.
//
// The target keeps its permissions where it existed and is followed where it is a symbolic link. A device or pipe
// (/dev/stdout) cannot be replaced, so it is written directly. Another library may write the contents itself by name:
// path_beside(), then commit().
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/result.h"

namespace letoff::storage {

/// Success without a value, or one sentence.
using Done = core::Result<std::monostate>;

class AtomicFile {
  public:
    static core::Result<AtomicFile> create(const std::filesystem::path& target);

    ~AtomicFile();
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    Done write(std::span<const std::uint8_t> bytes);
    Done write(std::string_view text);

    /// Puts the file in place and on the disk; after an error, or without this call, the target is as it was.
    Done commit();

    const std::filesystem::path& path_beside() const { return beside_; }

  private:
    AtomicFile(std::filesystem::path target, std::filesystem::path beside, int descriptor);
    core::Error failure(std::string_view action, int error_number) const;
    void discard();

    std::filesystem::path target_;
    std::filesystem::path beside_;  // equal to target_ for a device
    int descriptor_ = -1;           // -1: committed, discarded or moved from
};

/// All in one.
Done write_file(const std::filesystem::path& target, std::span<const std::uint8_t> bytes);
Done write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace letoff::storage
