#include "keyboard/keybed/grand_keys.h"

namespace letoff::keyboard {

std::vector<KeyBuild> grand_keys(const core::StringSet& strings, int first, int count, const GrandTouch& touch) {
    std::vector<KeyBuild> keys;
    for (int k = first; k < first + count; ++k) {
        // A plucked string or a pipe needs its damper or pallet at every key.
        const bool damped = k < kDampedKeys || !touch.action->has_hammer();
        keys.push_back({grand_values(k, touch), damped, &strings.notes[static_cast<size_t>(k)], k, touch.action, k,
                        touch.velocity_out});
        // Only the grand's hammer bends.
        if (!touch.action->is_grand()) keys.back().values[grand_row("shank_stiffness_Nm_per_rad")] = 0;
    }
    return keys;
}

}  // namespace letoff::keyboard
