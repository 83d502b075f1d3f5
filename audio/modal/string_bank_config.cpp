#include <algorithm>
#include <string>

#include "audio/modal/string_bank.h"

namespace letoff::audio {

core::Result<bool> possible(const StringBankConfig& config) {
    const int rate_hz = config.sample_rate_hz;
    if (std::find(kSampleRates_hz.begin(), kSampleRates_hz.end(), rate_hz) == kSampleRates_hz.end())
        return core::Error{"sample rate " + std::to_string(rate_hz) +
                           " Hz is not possible: 44100, 48000, 88200, 96000, 176400 or 192000 Hz are"};
    if (config.samples_per_chunk != 0) {
        const int longest = core::kMaxStrikeSamplesPerTick / grid_per_sample(rate_hz);
        if (config.samples_per_chunk >= 1 && config.samples_per_chunk <= longest) return true;
        return core::Error{"a chunk of " + std::to_string(config.samples_per_chunk) +
                           " samples is not possible: 1 to " + std::to_string(longest) + " are at " +
                           std::to_string(rate_hz) + " Hz"};
    }
    if (core::kStrikeGrid_hz % rate_hz != 0)
        return core::Error{"sample rate " + std::to_string(rate_hz) +
                           " Hz is not possible without chunks: 48000 or 96000 Hz are"};
    if (config.tick_hz < 1000 || config.tick_hz > 8000 || rate_hz % config.tick_hz != 0)
        return core::Error{
            "tick rate " + std::to_string(config.tick_hz) +
            " Hz is not possible for the sound: it must lie in 1000..8000 Hz and divide the sample rate " +
            std::to_string(rate_hz) + " Hz, as 1000, 2000, 4000 or 8000 Hz do"};
    return true;
}

}  // namespace letoff::audio
