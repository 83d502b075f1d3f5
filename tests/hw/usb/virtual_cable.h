// Devices on a cable without USB: bytes are carried between an ArrayHub and device models in steps of virtual time, so
// what the host does is tested to the microsecond on any machine.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/usb/array_hub.h"
#include "tests/hw/usb/fake_keybed.h"
#include "tests/hw/usb/manual_clock.h"

namespace letoff::test {

class VirtualCable {
  public:
    explicit VirtualCable(hw::ArrayOptions options = {}) : hub(std::move(options), clock, faults) {}

    /// Plugged in; the index in `plugs`.
    std::size_t plug(FakeKeybed& device) {
        device.on_reset(clock.now_us);
        device.on_control({0x01, 11, hw::kStreamSetting, 0, 0}, {}, clock.now_us);
        plugs.push_back({&device, hub.attach()});
        return plugs.size() - 1;
    }
    void unplug(std::size_t i) {
        hub.detach(plugs[i].slot, "was unplugged");
        plugs[i].device = nullptr;
    }

    /// In steps of 250 us: control, motion, forces, poll; then the keybed's tick.
    void run(double seconds) {
        const std::int64_t until_us = clock.now_us + static_cast<std::int64_t>(seconds * 1e6 + 0.5);
        while (clock.now_us < until_us) {
            clock.now_us += 250;
            for (Plug& plug : plugs) {
                if (plug.device != nullptr && !plug.frozen) carry(plug);
            }
            hub.poll();
            if (keybed_runs) tick();
        }
    }
    void tick() {
        if (hub.newest_motion(motion)) ++motions;
        core::KeyForces forces;
        forces.tick = clock.now_ticks();
        for (std::size_t k = 0; k < core::kKeyCount; ++k) {
            forces.force_N[k] = motion.live[k] || ignore_live ? force_N : 0;
        }
        hub.send_forces(forces);
    }
    /// Until all plugged devices push. False: not within 3 s.
    bool enable() {
        hub.enable(true);
        for (int i = 0; i < 300; ++i) {
            run(0.010);
            bool all = true;
            for (const Plug& plug : plugs) all = all && (plug.device == nullptr || hub.session(plug.slot).pushes());
            if (all) return true;
        }
        return false;
    }
    bool told(hw::ArrayEvent::Kind kind, const std::string& part) {
        for (auto& event : hub.take_events()) events.push_back(std::move(event));
        for (const auto& event : events) {
            if (event.kind == kind && event.sentence.find(part) != std::string::npos) return true;
        }
        return false;
    }

    ManualClock clock;
    core::FaultCounters faults;
    hw::ArrayHub hub;
    struct Plug {
        FakeKeybed* device = nullptr;
        int slot = -1;
        bool frozen = false;  // nothing is carried either way
        bool deaf = false;    // no force frame gets through
    };
    std::vector<Plug> plugs;
    std::vector<hw::ArrayEvent> events;
    core::KeyMotion motion;
    int motions = 0;
    double force_N = 0;
    bool keybed_runs = true, ignore_live = false;

  private:
    void carry(Plug& plug) {
        if (hub.is_done(plug.slot)) return;
        if (const hw::ControlRequest* r = hub.next_request(plug.slot)) {
            const SetupPacket setup{r->in ? hw::kRequestTypeIn : hw::kRequestTypeOut,
                                    static_cast<std::uint8_t>(r->request), 0, 0, r->length};
            const auto reply = plug.device->on_control(setup, r->out(), clock.now_us);
            hub.on_reply(plug.slot, reply ? hw::Reply::kDone : hw::Reply::kStalled,
                         reply ? std::span<const std::uint8_t>(*reply) : std::span<const std::uint8_t>{});
        }
        while (const auto frame = plug.device->next_in(hw::kEndpointIn, clock.now_us)) {
            hub.on_motion(plug.slot, *frame);
        }
        if (plug.deaf) return;
        std::array<std::uint8_t, hw::kMostForceBytes> out{};
        const std::size_t length = hub.force_frame(plug.slot, out);
        if (length != 0) plug.device->on_out(hw::kEndpointOut, std::span(out).first(length), clock.now_us);
    }
};

}  // namespace letoff::test
