// What the threads of a JACK server tell about one connection to it, and how many clients of ours it has: libjack must
// not open another one while some of a dead server are left (midi_system.h).
#pragma once

#include <jack/jack.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace letoff::hw {

/// Written on the server's threads, read by the control thread and the sender.
struct JackWatch {
    std::atomic<bool> down{false};
    std::atomic<std::uint64_t> beats{0};
    std::atomic<int> clients{0};  // open ones, the watch and the ports
    std::mutex mutex;
    std::vector<std::pair<jack_port_id_t, bool>> changes;  // since the last look: a port came, or went
};
/// One that midi_holds_dead_jack_clients() asks.
std::shared_ptr<JackWatch> make_jack_watch();

/// One open client, from before its opening to after its closing.
class CountedJackClient {
  public:
    explicit CountedJackClient(std::shared_ptr<JackWatch> watch) : watch_(std::move(watch)) { ++watch_->clients; }
    ~CountedJackClient() { --watch_->clients; }
    CountedJackClient(const CountedJackClient&) = delete;
    CountedJackClient& operator=(const CountedJackClient&) = delete;

  private:
    const std::shared_ptr<JackWatch> watch_;
};

}  // namespace letoff::hw
