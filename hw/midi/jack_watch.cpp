#include "hw/midi/jack_watch.h"

#include <algorithm>

#include "hw/midi/midi_system.h"

namespace letoff::hw {
namespace {

/// All of the process, as libjack's own list is.
struct Watches {
    std::mutex mutex;
    std::vector<std::weak_ptr<JackWatch>> all;
};
Watches& watches() {
    static Watches the_watches;
    return the_watches;
}

}  // namespace

std::shared_ptr<JackWatch> make_jack_watch() {
    auto watch = std::make_shared<JackWatch>();
    const std::lock_guard lock(watches().mutex);
    std::erase_if(watches().all, [](const std::weak_ptr<JackWatch>& weak) { return weak.expired(); });
    watches().all.push_back(watch);
    return watch;
}

bool midi_holds_dead_jack_clients() noexcept {
    const std::lock_guard lock(watches().mutex);
    return std::any_of(watches().all.begin(), watches().all.end(), [](const std::weak_ptr<JackWatch>& weak) {
        const auto watch = weak.lock();
        return watch != nullptr && watch->down.load(std::memory_order_acquire) && watch->clients > 0;
    });
}

}  // namespace letoff::hw
