// A simulated device and the least of a host that its tests need: bytes by hand, from the document's tables, so that no
// codec checks itself.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hw/sim/device.h"

namespace letoff::hw {

using firmware::Bytes;
using firmware::DeviceFault;
using firmware::DeviceState;
using firmware::KeyFault;
using firmware::Op;
using firmware::Refusal;

/// The bytes of a block of the document that begins with "```NAME"; without a name the one whose first line begins with
/// `first`.
inline Bytes example(const std::string& name, const std::string& first = "") {
    std::ifstream in(std::string(LETOFF_SOURCE_DIR) + "/hw/protocol/PROTOCOL.md");
    std::stringstream text;
    text << in.rdbuf();
    const std::string start = "\n```" + name + "\n" + first, all = text.str();
    const std::size_t at = all.find(start);
    if (at == std::string::npos) return {};
    std::istringstream block(all.substr(at + start.size() - first.size(),
                                        all.find("\n```", at + start.size()) - at - start.size() + first.size()));
    Bytes bytes;
    for (std::string hex; block >> hex;) bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex, nullptr, 16)));
    return bytes;
}

template <typename T>
T number(const Bytes& bytes, std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= static_cast<std::uint64_t>(bytes.at(at + i)) << 8 * i;
    return static_cast<T>(value);
}

template <typename T>
void set(Bytes& bytes, std::size_t at, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes.at(at + i) = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * i);
}

/// Makes the last four bytes right again.
inline Bytes sealed(Bytes bytes) {
    set(bytes, bytes.size() - 4, firmware::crc32(firmware::ByteSpan(bytes).first(bytes.size() - 4)));
    return bytes;
}

/// The device of the document's worked examples.
inline DeviceSetup octave() {
    DeviceSetup s = DeviceSetup::of(light_lever(), "LK-0042", 40, 8);
    s.identity.name = "Workshop octave";
    s.identity.firmware_major = 2;
    s.identity.firmware_minor = 7;
    s.identity.rates = 7;
    s.identity.sense_delay_us = 110;
    s.identity.act_delay_us = 60;
    s.identity.calibration_id = 0xCA11B001;
    s.token = 0x00C0FFEE;
    for (firmware::KeyRow& row : s.rows) {
        row.travel = 20000;
        row.moving_mass = static_cast<std::uint16_t>(2500 + 10 * row.key);
        row.friction = 60;
        row.current_limit = 3000;
    }
    return s;
}

struct DeviceRig {
    /// With setting 1 chosen: the token is the setup's.
    explicit DeviceRig(DeviceSetup setup = octave()) : device(one_token_before(std::move(setup))) { set_interface(); }
    static DeviceSetup one_token_before(DeviceSetup setup) {
        if (--setup.token == 0) --setup.token;
        return setup;
    }

    SimDevice device;
    double now_s = 0;
    std::uint32_t sequence = 1000;

    void run(double seconds) { device.advance_to(now_s += seconds); }

    UsbAnswer write(std::uint8_t request, const Bytes& bytes) {
        return device.control({0x41, request, 0, 0, static_cast<std::uint16_t>(bytes.size())}, bytes).answer;
    }
    Bytes read(std::uint8_t request, std::uint16_t length = 4096) {
        return device.control({0xC1, request, 0, 0, length}).bytes;
    }
    static Bytes command_bytes(Op op, std::uint32_t token = 0, std::uint32_t a = 0, std::uint32_t b = 0) {
        Bytes c(20);
        set(c, 0, 0x01434Cu | static_cast<std::uint32_t>(op) << 24);
        set(c, 4, token);
        set(c, 8, a);
        set(c, 12, b);
        return sealed(c);
    }
    /// What the status says of a command: none if it was taken.
    Refusal command(Op op, std::uint32_t token = 0, std::uint32_t a = 0, std::uint32_t b = 0) {
        if (write(4, command_bytes(op, token, a, b)) == UsbAnswer::ack) return Refusal::none;
        EXPECT_EQ(read(3).at(17), static_cast<std::uint8_t>(op));
        return static_cast<Refusal>(read(3).at(18));
    }
    /// Session begins; as SET_INTERFACE does it.
    void set_interface() { EXPECT_EQ(device.control({0x01, 0x0B, 1, 0, 0}).answer, UsbAnswer::ack); }

    Bytes force_frame(const std::vector<std::int16_t>& samples_of_all_keys, std::uint8_t rate_kHz = 1,
                      std::uint64_t start_us = 0, std::uint8_t flags = 0) {
        const auto keys = static_cast<std::size_t>(device.keys());
        const std::size_t samples = samples_of_all_keys.size();
        Bytes f(36 + 2 * keys * samples);
        if (f.size() % 512 == 0) f.resize(f.size() + 4);
        set(f, 0, 0x01464Cu | static_cast<std::uint32_t>(keys) << 24);
        set(f, 4, static_cast<std::uint16_t>(f.size()));
        f[6] = static_cast<std::uint8_t>(samples);
        f[7] = flags;
        set(f, 8, ++sequence);
        set(f, 12, device.token());
        set(f, 16, start_us);
        f[24] = rate_kHz;
        for (std::size_t n = 0; n < samples; ++n)
            for (std::size_t k = 0; k < keys; ++k) set(f, 32 + 2 * (n * keys + k), samples_of_all_keys[n]);
        return sealed(f);
    }
    void send(std::int16_t units) { device.on_out_transfer(force_frame({units})); }

    /// A frame with this force of all keys each millisecond, the first at once.
    template <typename Each>
    void play(double seconds, std::int16_t units, Each&& each) {
        for (int ms = 0; ms < static_cast<int>(seconds * 1000 + 0.5); ++ms) {
            send(units);
            for (int tick = 0; tick < kPlant_hz / 1000; ++tick) {
                run(kPlantStep_s);
                each();
            }
        }
    }
    void play(double seconds, std::int16_t units) {
        play(seconds, units, [] {});
    }

    void calibrate() { EXPECT_EQ(command(Op::calibrate, 0, device.setup().identity.calibration_id), Refusal::none); }
    void arm() {
        calibrate();
        send(0);
        EXPECT_EQ(command(Op::arm, device.token()), Refusal::none);
    }
    void enable() {
        arm();
        EXPECT_EQ(command(Op::enable, device.token()), Refusal::none);
    }
    /// Enabled, and soft start over.
    void ready() {
        enable();
        play(0.201, 0);
    }
    void to(DeviceState state) {
        set_interface();
        if (state == DeviceState::calibrated) calibrate();
        if (state == DeviceState::armed) arm();
        if (state == DeviceState::enabled) enable();
        if (state == DeviceState::fault) {
            EXPECT_EQ(command(Op::emergency_stop), Refusal::none);
        }
        EXPECT_EQ(device.state(), state);
    }
    Refusal stream(int samples, int rate_kHz, unsigned fields) {
        return command(Op::stream, 0, static_cast<std::uint32_t>(samples | rate_kHz << 8), fields);
    }
    double force_N(int key = 0) { return device.key(key).force_N(); }
    KeyFault fault(int key) { return device.key(key).fault(); }
};

}  // namespace letoff::hw
