// A stereo WAV file, written beside its place under the name PATH.part and renamed when complete, so that no
// half-written file is ever left. No clock in the file (no PEAK chunk): the same sound gives the same bytes.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace letoff::audio {

enum class WavFormat { kPcm24, kFloat32 };

class WavFile {
  public:
    /// Error: the folder is missing or cannot be written.
    static core::Result<WavFile> create(const std::string& path, int sample_rate_hz,
                                        WavFormat format = WavFormat::kPcm24);

    WavFile(WavFile&&) noexcept;
    WavFile& operator=(WavFile&&) = delete;
    ~WavFile();  // unfinished: removes what was written

    /// Adds samples, full scale 1; 24-bit files clip beyond it. Both sides are of equal length. Failures are reported
    /// by finish().
    void write(std::span<const float> left, std::span<const float> right);
    /// Closes the file and gives it its name. Returns the number of sample pairs in it.
    core::Result<long long> finish();

  private:
    struct Open;
    explicit WavFile(std::unique_ptr<Open> open);
    std::unique_ptr<Open> open_;
};

}  // namespace letoff::audio
