#include "hw/sim/sim_transport.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>

#include "core/rt/denormals.h"

namespace letoff::hw {

SimTransport::SimTransport(ArrayHub& hub, const core::Clock& clock, const std::vector<DeviceSetup>& setups)
    : hub_(hub), clock_(clock) {
    for (const DeviceSetup& setup : setups) {
        plugs_.push_back({SimDevice(setup), -1, std::vector<std::uint8_t>(kMostForceBytes)});
        SimDevice& device = plugs_.back().device;
        for (int k = 0; k < device.keys(); ++k) device.key(k).plant.finger = SimFinger::ready();
    }
}

SimTransport::~SimTransport() {
    stop();
}

void SimTransport::start(core::RtMode rt) {
    thread_ = std::thread([this, rt] { run(rt); });
    pthread_setname_np(thread_.native_handle(), "letoff-sim");
}

void SimTransport::stop() noexcept {
    if (!thread_.joinable()) return;
    hub_.close();
    stop_.store(true);
    thread_.join();
}

void SimTransport::press(int key_index, double start_s, double acceleration_mps2) noexcept {
    moves_.try_push({SimMove::Kind::kPress, key_index, start_s, acceleration_mps2});
}

void SimTransport::lift(int key_index, double start_s, double speed_mps) noexcept {
    moves_.try_push({SimMove::Kind::kLift, key_index, start_s, speed_mps});
}

void SimTransport::hold(int key_index, double start_s, double dip_m, double hold_s) noexcept {
    moves_.try_push({SimMove::Kind::kHold, key_index, start_s, dip_m, hold_s});
}

void SimTransport::run(core::RtMode rt) {
    (void)core::make_thread_realtime(rt, core::kArrayPriority);  // the keybed's thread says what is missing
    const core::DenormalsOff denormals_off;
    const std::chrono::duration<double> pause(kRound_s);
    double stop_by_s = 0;
    auto next = std::chrono::steady_clock::now();
    while (true) {
        next += std::chrono::duration_cast<std::chrono::steady_clock::duration>(pause);
        std::this_thread::sleep_until(next);
        next = std::max(next, std::chrono::steady_clock::now() - std::chrono::milliseconds(20));  // no long catching up
        const double now_s = clock_.now_s();
        round(now_s);
        if (!stop_.load()) continue;
        if (stop_by_s == 0) stop_by_s = now_s + kCloseTime_s;
        if (hub_.closed() || now_s > stop_by_s) break;
    }
    for (Plug& plug : plugs_) {
        if (plug.slot >= 0) hub_.detach(plug.slot, "was let go");
        plug.slot = -1;
    }
}

void SimTransport::round(double now_s) {
    if (!begun_) {
        begun_ = true;
        zero_s_ = now_s;
        for (Plug& plug : plugs_) plug_in(plug);
    }
    take_moves();
    for (Plug& plug : plugs_) {
        plug.device.advance_to(now_s - zero_s_);
        if (plug.slot >= 0 && !hub_.is_done(plug.slot)) carry(plug);
    }
    hub_.poll();
}

/// As a host opens a device on the USB: the configuration, then the setting that has the endpoints.
void SimTransport::plug_in(Plug& plug) {
    constexpr std::uint8_t kToDevice = 0x00, kToInterface = 0x01, kSetConfiguration = 9, kSetInterface = 11;
    plug.device.control({kToDevice, kSetConfiguration, 1, 0, 0});
    plug.device.control({kToInterface, kSetInterface, 1, 0, 0});
    plug.slot = hub_.attach();
}

void SimTransport::make(SimDevice& device, int key, const SimMove& move) const {
    constexpr double kHeldAt_mps = 0.1;
    SimFinger& finger = device.key(key).plant.finger;
    const double start_s = move.start_s - zero_s_;
    switch (move.kind) {
        case SimMove::Kind::kPress:
            return finger.press(start_s, move.of);
        case SimMove::Kind::kLift:
            return finger.lift(start_s, move.of);
        case SimMove::Kind::kHold: {
            // What holds the key up presses the pulp, which is as much deeper.
            const DeviceNumbers& numbers = device.setup().numbers;
            const double held_up_N = std::max(0.0, numbers.dry_friction_N - numbers.weight_N);
            finger =
                SimFinger::actuator(kHeldAt_mps, move.of + SimFinger::pulp_depth_m(held_up_N), start_s, move.hold_s);
        }
    }
}

void SimTransport::take_moves() {
    SimMove move;
    while (moves_.try_pop(move)) {
        for (Plug& plug : plugs_) {
            const int key = move.key_index + 1 - plug.device.setup().identity.first_key;
            if (key < 0 || key >= plug.device.keys()) continue;
            make(plug.device, key, move);
        }
    }
}

void SimTransport::carry(Plug& plug) {
    if (const ControlRequest* request = hub_.next_request(plug.slot)) {
        const UsbSetup setup{request->in ? kRequestTypeIn : kRequestTypeOut,
                             static_cast<std::uint8_t>(request->request), 0, 0, request->length};
        const UsbReply reply = plug.device.control(setup, request->out());
        hub_.on_reply(plug.slot, reply.answer == UsbAnswer::ack ? Reply::kDone : Reply::kStalled, reply.bytes);
    }
    while (true) {
        const UsbReply frame = plug.device.next_in_transfer();
        if (frame.answer != UsbAnswer::ack) break;
        hub_.on_motion(plug.slot, frame.bytes);
    }
    if (const std::size_t length = hub_.force_frame(plug.slot, plug.out); length != 0) {
        plug.device.advance_to(clock_.now_s() - zero_s_);  // no force comes to it before it was sent
        plug.device.on_out_transfer(std::span<const std::uint8_t>(plug.out).first(length));
    }
}

}  // namespace letoff::hw
