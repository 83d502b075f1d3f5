// One stroke of one key at the rate of the ticks: kept by the keybed's thread, triggered by the key's strike, read as a
// block afterwards. Beside core/port/instrument_control.h; calls come on its work thread and never wait.
#pragma once

#include <cstdint>
#include <vector>

#include "core/multibody/mechanism.h"

namespace letoff::core {

/// What can be captured of a key: these, then every body's coordinate, then every contact's force.
enum class ScopeChannel : std::uint8_t { kDip_m, kCrown_m, kCrown_mps, kFinger_N, kString_N, kFirstBody };
inline constexpr int kScopeBodies = static_cast<int>(ScopeChannel::kFirstBody);
inline constexpr int kScopeContacts = kScopeBodies + kMaxBodies;
inline constexpr int kScopeChannels = kScopeContacts + kMaxContacts;

struct CapturedTrace {
    int key_index = -1;
    std::vector<float> after_strike_s;  // rising; it begins before the strike
    std::vector<float> value;           // SI
};

class ScopeControl {
  public:
    virtual ~ScopeControl() = default;

    /// The next strike of that key is captured; what was captured before is forgotten.
    virtual void arm(int key_index) = 0;
    /// False: it has not been struck yet, or is being captured.
    virtual bool captured(int channel, CapturedTrace& trace) = 0;
};

}  // namespace letoff::core
