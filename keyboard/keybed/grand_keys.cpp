#include "keyboard/keybed/grand_keys.h"

#include "keyboard/action/registers.h"

namespace letoff::keyboard {

std::vector<KeyBuild> grand_keys(const core::StringSet& strings, int first, int count) {
    std::vector<KeyBuild> keys;
    for (int k = first; k < first + count; ++k)
        keys.push_back({grand_values(k), k < kDampedKeys, &strings.notes[static_cast<size_t>(k)], k});
    return keys;
}

}  // namespace letoff::keyboard
