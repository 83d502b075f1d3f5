// What makes the sound: the strings, samples, or both together.
#pragma once

namespace letoff::audio {

enum class Engine { kModal, kSample, kBoth };

}  // namespace letoff::audio
