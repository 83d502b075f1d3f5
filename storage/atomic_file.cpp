#include "storage/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace letoff::storage {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kNewFileMode = 0666;  // less the user's umask

core::Error cannot_write(const fs::path& target, std::string_view action, int error_number) {
    return {fmt::format("cannot write '{}': {}: {}", target.string(), action,
                        std::generic_category().message(error_number))};
}

/// Names of two processes, and of two files of one process, never meet.
fs::path beside(const fs::path& target) {
    static std::atomic<unsigned> next{0};
    return target.parent_path() / fmt::format(".{}.{}-{}.part", target.filename().string(), ::getpid(), next++);
}

void sync_directory(const fs::path& directory) {
    const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);  // the file is complete either way; this only makes the new name survive a power cut
    ::close(descriptor);
}

}  // namespace

core::Result<AtomicFile> AtomicFile::create(const fs::path& target) {
    if (target.empty()) return core::Error{"cannot write to an empty file name: a path is needed"};
    std::error_code error;
    fs::path real = fs::is_symlink(target, error) ? fs::canonical(target, error) : target;
    if (error || real.empty()) real = target;  // a dangling link is replaced by the file
    struct stat status{};
    const bool exists = ::stat(real.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return core::Error{fmt::format("cannot write '{}': it is a directory, a file name is needed", target.string())};
    }
    if (exists && !S_ISREG(status.st_mode)) {
        const int descriptor = ::open(real.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) return cannot_write(target, "opening it", errno);
        return AtomicFile(real, real, descriptor);
    }
    if (real.filename().empty()) {
        return core::Error{fmt::format("cannot write '{}': a file name is needed after the folder", target.string())};
    }
    fs::path name = beside(real);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    if (descriptor < 0) return cannot_write(target, "creating a file beside it", errno);
    AtomicFile file(real, std::move(name), descriptor);
    if (exists && ::fchmod(descriptor, status.st_mode & 07777) != 0)
        return file.failure("keeping its permissions", errno);
    return file;
}

AtomicFile::AtomicFile(fs::path target, fs::path beside, int descriptor)
    : target_(std::move(target)), beside_(std::move(beside)), descriptor_(descriptor) {}

AtomicFile::~AtomicFile() {
    discard();
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      beside_(std::move(other.beside_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this != &other) {
        discard();
        target_ = std::move(other.target_);
        beside_ = std::move(other.beside_);
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

core::Error AtomicFile::failure(std::string_view action, int error_number) const {
    return cannot_write(target_, action, error_number);
}

void AtomicFile::discard() {
    if (descriptor_ < 0) return;
    ::close(std::exchange(descriptor_, -1));
    if (beside_ != target_) ::unlink(beside_.c_str());
}

Done AtomicFile::write(std::span<const std::uint8_t> bytes) {
    if (descriptor_ < 0) return failure("writing", EBADF);
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            const core::Error error = failure("writing", errno);
            discard();
            return error;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return std::monostate{};
}

Done AtomicFile::write(std::string_view text) {
    return write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Done AtomicFile::commit() {
    if (descriptor_ < 0) return failure("putting it in place", EBADF);
    const bool direct = beside_ == target_;
    // A device need not know fsync. For a file the data must be on the disk before the name is.
    if (!direct && ::fsync(descriptor_) != 0) {
        const core::Error error = failure("writing it to the disk", errno);
        discard();
        return error;
    }
    if (!direct && ::rename(beside_.c_str(), target_.c_str()) != 0) {
        const core::Error error = failure("renaming the finished file", errno);
        discard();
        return error;
    }
    ::close(std::exchange(descriptor_, -1));
    if (!direct) sync_directory(target_.parent_path());
    return std::monostate{};
}

Done write_file(const fs::path& target, std::span<const std::uint8_t> bytes) {
    auto file = AtomicFile::create(target);
    if (!file) return core::Error{file.error()};
    if (auto written = file.value().write(bytes); !written) return written;
    return file.value().commit();
}

Done write_file(const fs::path& target, std::string_view text) {
    return write_file(target, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace letoff::storage
