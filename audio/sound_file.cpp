#include "audio/sound_file.h"

#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace letoff::audio {
namespace {

constexpr mode_t kMode = 0666;  // less the user's umask

std::string name_in_proc(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

bool is_flac(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".flac";
}

/// A link stays one, and the file that it leads to is replaced; one that leads nowhere becomes the file.
std::string behind_links(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error)) return path;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

constexpr const char* kTooLong =
    "it would be longer than the 4 GiB that a WAV file holds; a name that ends in .flac makes a file that holds more";

/// A file without a name in the folder of `path`, which can be given one later; -1 where that is not possible.
int open_nameless(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
    if (descriptor < 0 || ::access(name_in_proc(descriptor).c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

}  // namespace

struct SoundFile::Open {
    std::string path;
    std::string part;  // its name until it is complete; empty: it has none
    int descriptor = -1;
    SNDFILE* file = nullptr;
    std::vector<float> pairs;
    long long written = 0;
    int sample_rate_hz = 0;
    std::size_t room = 0;  // pairs
    bool full = false;
    std::string failure;  // the first thing that went wrong while writing

    ~Open() {
        if (file != nullptr) sf_close(file);
        if (descriptor >= 0) ::close(descriptor);
        std::error_code ignored;
        if (!part.empty()) std::filesystem::remove(part, ignored);
    }

    /// The name that it is renamed from: its own, or one that it gets now. False: errno says why.
    bool has_name() {
        if (!part.empty()) return true;
        const std::string name = path + ".part";
        ::unlink(name.c_str());  // of one that was killed
        if (::linkat(AT_FDCWD, name_in_proc(descriptor).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
            return false;
        part = name;
        return true;
    }
};

SoundFile::SoundFile(std::unique_ptr<Open> open) : open_(std::move(open)) {}
SoundFile::SoundFile(SoundFile&&) noexcept = default;
SoundFile::~SoundFile() = default;

core::Result<SoundFile> SoundFile::create(const std::string& path, int sample_rate_hz, SampleFormat format,
                                          std::int64_t most_wav_bytes) {
    std::error_code ignored;
    const auto refuse = [&](const std::string& why) {
        return core::Error{"cannot write the sound to " + path + ": " + why};
    };
    if (std::filesystem::is_directory(path, ignored)) return refuse("it is a folder, the name of a file is needed");
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        return refuse("it is a device or a pipe, the name of a file is needed");
    auto open = std::make_unique<Open>();
    open->path = behind_links(path);
    open->sample_rate_hz = sample_rate_hz;
    std::string part;
    open->descriptor = open_nameless(open->path);
    if (open->descriptor < 0) {
        part = open->path + ".part";
        open->descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
    }
    SF_INFO info{};
    info.samplerate = sample_rate_hz;
    info.channels = 2;
    const bool flac = is_flac(path);
    const bool pcm24 = flac || format == SampleFormat::kPcm24;
    info.format = (flac ? SF_FORMAT_FLAC : SF_FORMAT_WAV) | (pcm24 ? SF_FORMAT_PCM_24 : SF_FORMAT_FLOAT);
    open->room = flac ? std::numeric_limits<std::size_t>::max()
                      : static_cast<std::size_t>(most_wav_bytes / (info.channels * (pcm24 ? 3 : 4)));
    std::string reason = std::strerror(errno);
    if (open->descriptor >= 0) {
        open->part = part;  // from here on it is ours to remove
        open->file = sf_open_fd(open->descriptor, SFM_WRITE, &info, SF_FALSE);
        if (open->file == nullptr) reason = sf_strerror(nullptr);
    }
    if (open->file == nullptr)
        return refuse(reason + "; a file in a folder that exists and may be written to is needed");
    sf_command(open->file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    sf_command(open->file, SFC_SET_CLIPPING, nullptr, SF_TRUE);
    return SoundFile(std::move(open));
}

void SoundFile::write(std::span<const float> left, std::span<const float> right) {
    const size_t count = std::min({left.size(), right.size(), open_->room});
    open_->full = open_->full || count < std::min(left.size(), right.size());
    open_->room -= count;
    open_->pairs.resize(2 * count);
    for (size_t i = 0; i < count; ++i) {
        open_->pairs[2 * i] = left[i];
        open_->pairs[2 * i + 1] = right[i];
    }
    const auto wanted = static_cast<sf_count_t>(count);
    const sf_count_t done = sf_writef_float(open_->file, open_->pairs.data(), wanted);
    open_->written += done;
    if (done != wanted && open_->failure.empty()) open_->failure = sf_strerror(open_->file);
}

std::size_t SoundFile::room() const {
    return open_->room;
}

std::string SoundFile::refusal(double seconds) const {
    if (seconds * open_->sample_rate_hz <= static_cast<double>(open_->room)) return {};
    return "cannot write the sound to " + open_->path + ": " + kTooLong;
}

core::Result<long long> SoundFile::finish() {
    const std::unique_ptr<Open> open = std::move(open_);
    SNDFILE* file = std::exchange(open->file, nullptr);
    const int closed = sf_close(file);
    if (open->failure.empty() && closed != 0) open->failure = sf_error_number(closed);
    if (open->failure.empty() && open->full)
        return core::Error{"cannot finish the sound file " + open->path + ": " + kTooLong};
    if (open->failure.empty() && (!open->has_name() || std::rename(open->part.c_str(), open->path.c_str()) != 0))
        open->failure = std::strerror(errno);
    if (!open->failure.empty())
        return core::Error{"cannot finish the sound file " + open->path + ": " + open->failure +
                           "; a place with enough room that may be written to is needed"};
    open->part.clear();
    return open->written;
}

}  // namespace letoff::audio
