// Notes, pedals and programs that come as OSC over UDP (osc_packet.h), for the thread that plays the keys, and rows of
// the touch, for whoever turns it.
//
// Threads: one of its own waits at the socket; pop() on the keybed's, real-time safe; the rest on the control thread.
// Errors: Fault::kMidiMalformed a packet that cannot be understood, kMidiInputOverflow a message that found the ring
// full: then everything must be let go (take_lost()).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/fault/fault.h"
#include "core/midi/arrived_message.h"
#include "core/result.h"
#include "core/rt/ring.h"
#include "hw/osc/osc_packet.h"

namespace letoff::hw {

class OscIn {
  public:
    static constexpr std::size_t kMessages = 4096;

    /// where: PORT, on this machine alone, or ADDRESS:PORT with an IPv4 address of this machine, 0.0.0.0 for all; port
    /// 0 is any that is free. wake: something is there to pop; on its own thread. Error: a sentence.
    static core::Result<std::unique_ptr<OscIn>> start(std::string_view where, std::function<void()> wake,
                                                      core::FaultCounters& faults);
    ~OscIn();
    OscIn(const OscIn&) = delete;
    OscIn& operator=(const OscIn&) = delete;

    /// Rows that were asked for since the last call, the last value of each place. Control thread.
    std::vector<OscParameter> take_parameters();
    bool pop(core::ArrivedMessage& message) noexcept { return ring_.try_pop(message); }
    /// True once after messages were lost. Real-time safe.
    bool take_lost() noexcept { return lost_.exchange(false, std::memory_order_acq_rel); }
    /// "127.0.0.1:9000".
    const std::string& address() const { return address_; }
    int port() const { return port_; }

  private:
    OscIn(int socket, std::function<void()> wake, core::FaultCounters& faults);
    void run();
    void keep(std::vector<OscParameter>& parameters);

    static constexpr std::size_t kMostParameters = 4096;  // every row of some keys

    const int socket_;
    std::string address_;
    int port_ = 0;
    std::function<void()> wake_;
    core::FaultCounters& faults_;
    core::Ring<core::ArrivedMessage> ring_{kMessages};
    std::atomic<bool> lost_{false}, stop_{false};
    std::mutex mutex_;
    std::vector<OscParameter> parameters_;
    std::thread thread_;
};

}  // namespace letoff::hw
