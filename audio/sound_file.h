// A stereo sound file, WAV or, where its name ends in .flac, FLAC (lossless, about half the size). It has its name only
// when it is complete, so that no half-written file is ever left. Until then it has no name at all (O_TMPFILE), and the
// system takes it back however the program ends; on a file system without such files it is PATH.part, which a program
// that is killed leaves behind and the next one of that name takes over. No clock in the file (no PEAK chunk): the same
// sound gives the same bytes.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace letoff::audio {

enum class SampleFormat { kPcm24, kFloat32 };

class SoundFile {
  public:
    /// FLAC has whole numbers only: its samples have 24 bits, whatever the format asked for.
    /// Error: the folder is missing or cannot be written, or something that is no ordinary file has the name.
    static core::Result<SoundFile> create(const std::string& path, int sample_rate_hz,
                                          SampleFormat format = SampleFormat::kPcm24);

    SoundFile(SoundFile&&) noexcept;
    SoundFile& operator=(SoundFile&&) = delete;
    ~SoundFile();  // unfinished: removes what was written

    /// Adds samples, full scale 1; 24-bit files clip beyond it. Both sides are of equal length. Failures are reported
    /// by finish().
    void write(std::span<const float> left, std::span<const float> right);
    /// Closes the file and gives it its name. Returns the number of sample pairs in it.
    core::Result<long long> finish();

  private:
    struct Open;
    explicit SoundFile(std::unique_ptr<Open> open);
    std::unique_ptr<Open> open_;
};

}  // namespace letoff::audio
