// What a room, a cabinet or another box answers to a click, from a sound file of the user's. Set-up and control thread.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace letoff::audio {

/// Of such energy that a noise comes out as loud as it went in: its mean over the sides is 1.
struct RoomResponse {
    int rate_hz = 0;
    std::vector<float> left, right;  // of equal length; the same for a file of one channel
    bool cut = false;                // the file was longer than kLongestRoom_s
};

/// Longer than any hall rings loud enough to be heard; a bound for what it costs.
inline constexpr double kLongestRoom_s = 10;

/// A file that libsndfile reads, of one channel or two. Error: one sentence that names the file.
core::Result<RoomResponse> load_room(const std::string& file);

/// The same answer at another sample rate: a windowed sinc, 90 dB down beyond the lower of both bands.
RoomResponse at_rate(const RoomResponse& response, int rate_hz);

}  // namespace letoff::audio
