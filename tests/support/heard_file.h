// A sound file that the program wrote, as tests hear it.
#pragma once

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace letoff::test {

struct HeardFile {
    std::int64_t frames = -1;  // -1: it cannot be read, or not to its end
    int rate_hz = 0, channels = 0;
    std::vector<float> left;
    double peak = 0;  // of all channels
};

inline HeardFile heard_file(const std::filesystem::path& path) {
    SF_INFO info{};
    SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
    if (file == nullptr) return {};
    HeardFile heard{info.frames, info.samplerate, info.channels, {}, 0};
    std::vector<float> samples(static_cast<std::size_t>(info.frames * info.channels));
    if (sf_readf_float(file, samples.data(), info.frames) != info.frames) heard.frames = -1;
    sf_close(file);
    const auto channels = static_cast<std::size_t>(info.channels);
    heard.left.reserve(samples.size() / channels);
    for (std::size_t i = 0; i < samples.size(); i += channels) heard.left.push_back(samples[i]);
    for (const float sample : samples) heard.peak = std::max(heard.peak, std::abs(static_cast<double>(sample)));
    return heard;
}

}  // namespace letoff::test
