#include "audio/wav_file.h"

#include <sndfile.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace letoff::audio {

struct WavFile::Open {
    std::string path;
    std::string part;
    SNDFILE* file = nullptr;
    std::vector<float> pairs;
    long long written = 0;
    std::string failure;  // the first thing that went wrong while writing

    ~Open() {
        if (file != nullptr) sf_close(file);
        std::error_code ignored;
        if (!part.empty()) std::filesystem::remove(part, ignored);
    }
};

WavFile::WavFile(std::unique_ptr<Open> open) : open_(std::move(open)) {}
WavFile::WavFile(WavFile&&) noexcept = default;
WavFile::~WavFile() = default;

core::Result<WavFile> WavFile::create(const std::string& path, int sample_rate_hz, WavFormat format) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return core::Error{"cannot write the sound to " + path + ": it is a folder, the name of a file is needed"};
    auto open = std::make_unique<Open>();
    open->path = path;
    const std::string part = path + ".part";
    SF_INFO info{};
    info.samplerate = sample_rate_hz;
    info.channels = 2;
    info.format = SF_FORMAT_WAV | (format == WavFormat::kPcm24 ? SF_FORMAT_PCM_24 : SF_FORMAT_FLOAT);
    errno = 0;
    open->file = sf_open(part.c_str(), SFM_WRITE, &info);
    if (open->file == nullptr) {
        const std::string reason = errno != 0 ? std::strerror(errno) : sf_strerror(nullptr);
        return core::Error{"cannot write the sound to " + path + ": " + reason +
                           "; a file in a folder that exists and may be written to is needed"};
    }
    open->part = part;  // from here on it is ours to remove
    sf_command(open->file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    sf_command(open->file, SFC_SET_CLIPPING, nullptr, SF_TRUE);
    return WavFile(std::move(open));
}

void WavFile::write(std::span<const float> left, std::span<const float> right) {
    const size_t count = std::min(left.size(), right.size());
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

core::Result<long long> WavFile::finish() {
    const std::unique_ptr<Open> open = std::move(open_);
    SNDFILE* file = std::exchange(open->file, nullptr);
    const int closed = sf_close(file);
    if (open->failure.empty() && closed != 0) open->failure = sf_error_number(closed);
    std::error_code error;
    if (open->failure.empty()) std::filesystem::rename(open->part, open->path, error);
    if (error) open->failure = error.message();
    if (!open->failure.empty())
        return core::Error{"cannot finish the sound file " + open->path + ": " + open->failure +
                           "; a place with enough room that may be written to is needed"};
    open->part.clear();
    return open->written;
}

}  // namespace letoff::audio
