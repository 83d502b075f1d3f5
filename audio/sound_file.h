// A stereo sound file, WAV or, where its name ends in .flac, FLAC (lossless, about half the size). It has its name only
// when it is complete, so that no half-written file is ever left. Until then it has no name at all (O_TMPFILE), and the
// system takes it back however the program ends; on a file system without such files it is PATH.part, which a program
// that is killed leaves behind and the next one of that name takes over. A symbolic link is followed. No clock in the
// file (no PEAK chunk): the same sound gives the same bytes.
//
// A WAV file says its length in 32 bits: what does not fit into 4 GiB (4 h at 48 kHz) is no file, rather than one whose
// head lies. FLAC holds more than anybody plays. One thread; may block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace letoff::audio {

enum class SampleFormat { kPcm24, kFloat32 };

class SoundFile {
  public:
    static constexpr std::int64_t kMostWav_bytes = (std::int64_t{1} << 32) - 4096;  // of samples: its head is there too

    /// FLAC has whole numbers only: its samples have 24 bits, whatever the format asked for.
    /// Error: the folder is missing or cannot be written, or something that is no ordinary file has the name.
    static core::Result<SoundFile> create(const std::string& path, int sample_rate_hz,
                                          SampleFormat format = SampleFormat::kPcm24,
                                          std::int64_t most_wav_bytes = kMostWav_bytes);

    SoundFile(SoundFile&&) noexcept;
    SoundFile& operator=(SoundFile&&) = delete;
    ~SoundFile();  // unfinished: removes what was written

    /// Adds samples, full scale 1; 24-bit files clip beyond it. Both sides are of equal length. Failures are reported
    /// by finish(), as is one sample more than there is room for.
    void write(std::span<const float> left, std::span<const float> right);
    /// Sample pairs that still fit.
    std::size_t room() const;
    /// Before an hour's work: why so many more seconds are too long for it; empty: they are not.
    std::string refusal(double seconds) const;
    /// Closes the file and gives it its name. Returns the number of sample pairs in it.
    core::Result<long long> finish();

  private:
    struct Open;
    explicit SoundFile(std::unique_ptr<Open> open);
    std::unique_ptr<Open> open_;
};

}  // namespace letoff::audio
