// Strikes, releases and pedals as OSC over UDP, sent by liblo.
//
//   /letoff/strike  KEY HAMMER_SPEED TIME     key 1 to 88, m/s at the string, s since play began
//   /letoff/release KEY KEY_SPEED TIME        m/s upwards as the damper meets the string
//   /letoff/pedal   NAME DEPTH TIME           sustain, sostenuto, soft; 0 to 1 as it came in
//
// Key is an int32, speeds and depth are floats, the time is a double. Nobody has to listen. Threads: one.
#pragma once

#include <memory>
#include <string_view>

#include "core/event/take_event.h"
#include "core/result.h"

namespace letoff::hw {

class OscOut {
  public:
    /// where: HOST:PORT. Error: a sentence.
    static core::Result<std::unique_ptr<OscOut>> open(std::string_view where);
    ~OscOut();
    OscOut(const OscOut&) = delete;
    OscOut& operator=(const OscOut&) = delete;

    /// begin_s: of play, on the keybed's clock. Events that are none of the three are passed over.
    void send(const core::TakeEvent& event, double begin_s);

  private:
    struct Address;
    explicit OscOut(std::unique_ptr<Address> address);
    std::unique_ptr<Address> address_;
};

}  // namespace letoff::hw
