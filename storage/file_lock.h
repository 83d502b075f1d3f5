// One program at a time: an advisory lock (flock) on a file that exists only for that. Freed by the destructor, and by
// the kernel when the program dies. Internal to storage.
#pragma once

#include <chrono>
#include <string>

#include "core/result.h"

namespace letoff::storage {

class FileLock {
  public:
    /// Waits for whoever has it, at most this long. Where the file cannot be made (a folder that may only be read)
    /// there is nothing to guard either, and the lock is had without it.
    static core::Result<FileLock> take(const std::string& file, std::chrono::milliseconds at_most);

    ~FileLock();
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;

  private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_;  // -1: none
};

}  // namespace letoff::storage
