#include "audio/room/room_response.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "core/unit/constants.h"

namespace letoff::audio {
namespace {

constexpr int kMostChannels = 2;
constexpr int kSlowest_hz = 8000, kFastest_hz = 384000;

// The resampler's sinc reaches over so many of its zeros to each side under a Kaiser window with this beta: 90 dB.
constexpr int kZeros = 32;
constexpr double kBeta = 9;
constexpr double kBand = 0.92;  // of the lower Nyquist rate: the rest is the window's slope

/// Modified Bessel function of order 0.
double bessel0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-12 * sum; ++k) sum += term *= (x / (2 * k)) * (x / (2 * k));
    return sum;
}

void normalise(RoomResponse& response) {
    double energy = 0;
    for (const auto* side : {&response.left, &response.right})
        for (const float sample : *side) energy += 0.5 * static_cast<double>(sample) * sample;
    const auto gain = static_cast<float>(1 / std::sqrt(energy));
    for (auto* side : {&response.left, &response.right})
        for (float& sample : *side) sample *= gain;
}

/// sin(pi x) / (pi x) under its window, by the number of zeros from the middle; straight between kPerZero points a
/// zero, which is good to 106 dB.
class Sinc {
  public:
    Sinc() : at_(static_cast<std::size_t>(kZeros) * kPerZero + 2) {
        for (std::size_t i = 0; i < at_.size(); ++i) {
            const double zeros = static_cast<double>(i) / kPerZero, w = zeros / kZeros, phase = core::kPi * zeros;
            const double window = bessel0(kBeta * std::sqrt(std::max(0.0, 1 - w * w))) / bessel0(kBeta);
            at_[i] = (phase == 0 ? 1 : std::sin(phase) / phase) * window;
        }
    }
    double operator()(double zeros) const {
        const double at = zeros * kPerZero;
        const auto i = static_cast<std::size_t>(at);
        return at_[i] + (at - static_cast<double>(i)) * (at_[i + 1] - at_[i]);
    }

  private:
    static constexpr int kPerZero = 512;
    std::vector<double> at_;
};

std::vector<float> resampled(std::span<const float> in, int from_hz, int to_hz) {
    const double ratio = static_cast<double>(to_hz) / from_hz, band = kBand * std::min(1.0, ratio);
    const double reach = kZeros / band;
    const Sinc sinc;
    std::vector<float> out(static_cast<std::size_t>(std::ceil(static_cast<double>(in.size()) * ratio)));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double at = static_cast<double>(i) / ratio;
        const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(at - reach)));
        const auto last = std::min(in.size() - 1, static_cast<std::size_t>(at + reach));
        double sum = 0;
        for (std::size_t j = first; j <= last; ++j)
            sum += static_cast<double>(in[j]) * sinc(band * std::abs(static_cast<double>(j) - at));
        out[i] = static_cast<float>(band / ratio * sum);  // as many more samples, each as much smaller
    }
    return out;
}

}  // namespace

core::Result<RoomResponse> load_room(const std::string& file) {
    const auto refuse = [&](const std::string& why) {
        return core::Error{"cannot use the room '" + file + "': " + why};
    };
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return refuse("there is no such file");
    if (!std::filesystem::is_regular_file(file, ignored)) return refuse("it is no file");
    SF_INFO info{};
    const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound(sf_open(file.c_str(), SFM_READ, &info), sf_close);
    if (sound == nullptr) return refuse("it is no sound file that can be read");
    if (info.channels < 1 || info.channels > kMostChannels)
        return refuse("it has " + std::to_string(info.channels) + " channels, 1 or 2 are possible");
    if (info.samplerate < kSlowest_hz || info.samplerate > kFastest_hz)
        return refuse("its sample rate is " + std::to_string(info.samplerate) + " Hz, 8000 to 384000 Hz are possible");
    const auto longest = static_cast<sf_count_t>(kLongestRoom_s * info.samplerate);
    RoomResponse response;
    response.rate_hz = info.samplerate;
    const auto channels = static_cast<std::size_t>(info.channels);
    // A header may promise more than there is: read piece by piece.
    std::vector<float> piece(4096 * channels);
    while (static_cast<sf_count_t>(response.left.size()) < longest) {
        const sf_count_t read = sf_readf_float(sound.get(), piece.data(), 4096);
        if (read <= 0) break;
        for (std::size_t i = 0; i < static_cast<std::size_t>(read); ++i) {
            response.left.push_back(piece[i * channels]);
            response.right.push_back(piece[i * channels + channels - 1]);
        }
    }
    response.cut = static_cast<sf_count_t>(response.left.size()) >= longest && info.frames > longest;
    if (response.cut) {
        response.left.resize(static_cast<std::size_t>(longest));
        response.right.resize(static_cast<std::size_t>(longest));
    }
    bool silent = true;
    for (const auto* side : {&response.left, &response.right}) {
        for (const float sample : *side) {
            if (!std::isfinite(sample)) return refuse("it has samples that are no numbers");
            silent = silent && sample == 0;
        }
    }
    if (silent) return refuse("it is silent");
    normalise(response);
    return response;
}

RoomResponse at_rate(const RoomResponse& response, int rate_hz) {
    if (rate_hz == response.rate_hz) return response;
    RoomResponse changed;
    changed.rate_hz = rate_hz;
    changed.cut = response.cut;
    changed.left = resampled(response.left, response.rate_hz, rate_hz);
    changed.right =
        response.left == response.right ? changed.left : resampled(response.right, response.rate_hz, rate_hz);
    return changed;
}

}  // namespace letoff::audio
