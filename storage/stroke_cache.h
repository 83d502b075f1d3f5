// Finger tables that took long to calibrate, kept between runs: 64-bit hash of a key's parameters -> doubles, in
// SQLite.
//
// It is only a cache: every failure is one sentence, after which the caller computes the table as if it had never been
// kept. A row is used only by the build that wrote it (`build_tag`: another build may integrate or calibrate otherwise)
// and only if its check sum holds (a database page damaged on the disk would otherwise become the force of a finger).
// The oldest rows go when there are too many.
//
// Write-ahead log: a killed program leaves the old row or the new one. One object is used by one thread at a time;
// several processes may share the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

class StrokeCache {
  public:
    /// 88 keys of about 180 profiles; at some kB each the file stays below 100 MB.
    static constexpr std::int64_t kMostRows = 16384;

    /// `file` is a path whose folder exists, or ":memory:". Beyond most_rows the oldest tables go.
    static core::Result<StrokeCache> open(const std::string& file, std::string_view build_tag,
                                          std::int64_t most_rows = kMostRows);

    ~StrokeCache();
    StrokeCache(StrokeCache&&) noexcept;
    StrokeCache& operator=(StrokeCache&&) noexcept;

    /// Empty where nothing usable is kept.
    core::Result<std::optional<std::vector<double>>> find(std::uint64_t parameter_hash);

    /// Replaces what was kept under this hash by this build.
    Done store(std::uint64_t parameter_hash, std::span<const double> table);

    core::Result<std::int64_t> rows();

  private:
    struct Database;
    explicit StrokeCache(std::unique_ptr<Database> database);

    std::unique_ptr<Database> database_;
};

}  // namespace letoff::storage
