#include "hw/osc/osc_out.h"

#include <lo/lo.h>

#include <string>
#include <utility>

#include "core/midi/pedal_names.h"
#include "hw/osc/osc_port.h"

namespace letoff::hw {
struct OscOut::Address {
    explicit Address(lo_address a) : address(a) {}
    ~Address() { lo_address_free(address); }
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;
    const lo_address address;
};

OscOut::OscOut(std::unique_ptr<Address> address) : address_(std::move(address)) {}
OscOut::~OscOut() = default;

core::Result<std::unique_ptr<OscOut>> OscOut::open(std::string_view where) {
    const std::size_t colon = where.rfind(':');
    const std::string host(where.substr(0, colon));
    const std::string port(colon == std::string_view::npos ? "" : where.substr(colon + 1));
    const bool is_port = osc_port(port).value_or(0) > 0;
    const lo_address address = is_port && !host.empty() ? lo_address_new(host.c_str(), port.c_str()) : nullptr;
    if (address == nullptr) {
        return core::Error{"OSC cannot be sent to \"" + std::string(where) +
                           "\": HOST:PORT with a port from 1 to 65535 is accepted."};
    }
    return std::unique_ptr<OscOut>(new OscOut(std::make_unique<Address>(address)));
}

void OscOut::send(const core::TakeEvent& event, double begin_s) {
    const double time_s = event.time_s - begin_s;
    const int key = event.key + 1;
    const lo_address to = address_->address;
    if (event.kind == core::TakeKind::strike) {
        lo_send(to, "/letoff/strike", "ifd", key, event.value, time_s);
    } else if (event.kind == core::TakeKind::release) {
        lo_send(to, "/letoff/release", "ifd", key, event.value, time_s);
    } else if (event.kind == core::TakeKind::message && event.message.kind == core::MidiKind::control_change) {
        const std::string pedal(core::pedal_name(event.message.data1));
        if (!pedal.empty())
            lo_send(to, "/letoff/pedal", "sfd", pedal.c_str(), event.message.data2 / double{core::kMidiDataMax},
                    time_s);
    }
}

}  // namespace letoff::hw
