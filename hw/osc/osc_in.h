// Notes, pedals and programs that come as OSC over UDP (osc_packet.h), for the thread that plays the keys.
//
// Threads: one of its own waits at the socket; pop() on the keybed's, real-time safe; the rest on the control thread.
// Errors: Fault::kMidiMalformed a packet that cannot be understood, kMidiInputOverflow a message that found the ring
// full: then everything must be let go (take_lost()).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "core/fault/fault.h"
#include "core/midi/message.h"
#include "core/result.h"
#include "core/rt/ring.h"

namespace letoff::hw {

struct OscMessage {
    std::int64_t time_ns = 0;  // CLOCK_MONOTONIC when it came
    core::MidiMessage message;
};

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

    bool pop(OscMessage& message) noexcept { return ring_.try_pop(message); }
    /// True once after messages were lost. Real-time safe.
    bool take_lost() noexcept { return lost_.exchange(false, std::memory_order_acq_rel); }
    /// "127.0.0.1:9000".
    const std::string& address() const { return address_; }
    int port() const { return port_; }

  private:
    OscIn(int socket, std::function<void()> wake, core::FaultCounters& faults);
    void run();

    const int socket_;
    std::string address_;
    int port_ = 0;
    std::function<void()> wake_;
    core::FaultCounters& faults_;
    core::Ring<OscMessage> ring_{kMessages};
    std::atomic<bool> lost_{false}, stop_{false};
    std::thread thread_;
};

}  // namespace letoff::hw
