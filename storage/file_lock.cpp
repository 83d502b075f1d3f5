#include "storage/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

namespace letoff::storage {

core::Result<FileLock> FileLock::take(const std::string& file, std::chrono::milliseconds at_most) {
    constexpr std::chrono::milliseconds kBetweenTries{5};
    FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.descriptor_ < 0) return lock;
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return FileLock(-1);  // this file system has no such locks
        if (std::chrono::steady_clock::now() >= deadline) {
            return core::Error{fmt::format("another program has kept '{}' locked for {} s", file,
                                           std::chrono::duration_cast<std::chrono::seconds>(at_most).count())};
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
    return lock;
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace letoff::storage
