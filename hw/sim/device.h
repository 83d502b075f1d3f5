// A motor array as it would stand on the desk, for tests and `--keybed sim`: the firmware that hw/protocol/PROTOCOL.md
// asks for, written from that document alone, round the plant of hw/sim. No USB library: bytes in, bytes out, in the
// terms of USB (requests, packets, halted endpoints), so that umockdev, USB/IP or a test can carry them.
//
// The device has its own clock: advance_to() takes the world's time, the device's runs clock_ppm faster and moves the
// plant in ticks of 1/32000 s. What arrives between two ticks arrives at the first of them, so an age is never told too
// small. Same calls, same seed: same bits. One thread.
#pragma once

#include <deque>
#include <vector>

#include "hw/sim/device_frames.h"
#include "hw/sim/device_key.h"
#include "hw/sim/frame_trouble.h"

namespace letoff::hw {

struct DeviceSetup {
    firmware::Identity identity;
    std::vector<firmware::KeyRow> rows;  // one a key
    DeviceNumbers numbers;               // of the plant
    std::uint32_t token = 0x5EED0001;    // after power-up; not 0
    std::uint16_t max_packet = 1024;     // or 512
    double clock_ppm = 0;
    std::uint64_t seed = 1;

    /// A device of these parts, keys first_key .. (A0 = 1), with the highest limits that the document allows.
    static DeviceSetup of(const DeviceNumbers& numbers, const std::string& serial, int first_key, int keys);
    /// The same with a firmware that knows the sensors' voltages only, and so may push with 5 N at most.
    static DeviceSetup of_voltages(const DeviceNumbers& numbers, const std::string& serial, int first_key, int keys);
};

struct UsbSetup {
    std::uint8_t type = 0, request = 0;
    std::uint16_t value = 0, index = 0, length = 0;
};
enum class UsbAnswer { ack, nak, stall };  // nak: not now; of a control request: it never answers
struct UsbReply {
    UsbAnswer answer = UsbAnswer::nak;
    firmware::Bytes bytes;
};

class SimDevice {
  public:
    /// Throws std::invalid_argument if keys or packet size are not what the document allows.
    explicit SimDevice(const DeviceSetup& setup);

    // The cable.
    UsbReply control(const UsbSetup& setup, firmware::ByteSpan data = {});
    UsbAnswer on_out(firmware::ByteSpan packet);  // endpoint 0x01; a packet shorter than max_packet ends a frame
    UsbReply next_in();                           // endpoint 0x81, one packet
    /// A whole transfer: its packets one after the other, with no empty one at the end.
    UsbAnswer on_out_transfer(firmware::ByteSpan bytes);
    /// A whole transfer, if a frame is ready.
    UsbReply next_in_transfer();
    void bus_reset();
    void suspend() { begin_session(); }

    void advance_to(double world_s);

    // What can go wrong, switched by a test at any time.
    KeyAilment& ailment(int key) { return keys_[static_cast<std::size_t>(key)].ailment; }
    FrameTrouble in_trouble, out_trouble;
    double clock_ppm;
    bool stop_switch = false;  // the emergency-stop switch is pressed
    firmware::DeviceFault cause = firmware::DeviceFault::none;
    /// For so long nothing is answered on any endpoint; inside, the firmware goes on.
    void be_silent(double device_s) { silent_until_us_ = time_us() + static_cast<std::uint64_t>(1e6 * device_s); }
    /// Frames are ready so much later than the identity says.
    int more_sense_delay_us = 0;
    /// The USB part fails: 0x81 or 0x01 answers STALL until CLEAR_FEATURE.
    void halt(int endpoint) { halted(endpoint) = true; }

    // The truth, for tests and plots.
    DeviceKey& key(int key) { return keys_[static_cast<std::size_t>(key)]; }
    int keys() const { return static_cast<int>(keys_.size()); }
    firmware::DeviceState state() const { return state_; }
    firmware::DeviceFault device_fault() const { return device_fault_; }
    std::uint32_t token() const { return token_; }
    std::uint64_t time_us() const { return static_cast<std::uint64_t>(ticks_) * 125 / 4; }
    std::int64_t ticks() const { return ticks_; }
    firmware::Status status() const;
    const DeviceSetup& setup() const { return setup_; }

  private:
    struct Waiting {
        std::int64_t ready_at;
        firmware::Bytes frame;
    };

    // device.cpp: time, states, forces
    void tick();
    void watch();
    void look_after_device();
    void drive();
    std::int16_t command(std::size_t key, std::uint64_t now_us) const;
    void begin_session();
    void enter(firmware::DeviceState next);
    void fail(firmware::DeviceFault cause);
    bool cause_present() const;
    int keys_off(bool only_lasting) const;
    bool powered() const { return state_ == firmware::DeviceState::armed || state_ == firmware::DeviceState::enabled; }
    bool has_endpoints() const { return setting_ == 1; }
    bool silent() const { return time_us() < silent_until_us_; }

    // device_requests.cpp
    UsbReply standard_request(const UsbSetup& setup);
    firmware::Refusal obey(const firmware::Command& command);
    firmware::Refusal start_stream(const firmware::Command& command);
    firmware::Refusal set_key_row(const firmware::KeyRow& row);
    UsbReply answer(firmware::Refusal refusal, std::uint8_t op);
    bool& halted(int endpoint) { return halted_[endpoint == 0x81 ? 1 : 0]; }

    // device_streams.cpp
    void on_force(firmware::ByteSpan frame);
    void sample();
    void send_motion();

    DeviceSetup setup_;
    std::vector<DeviceKey> keys_;
    std::vector<firmware::KeyRow> rows_;  // the limits in force
    double world_s_ = 0, device_s_ = 0;   // device_s_ is where ticks_ has to be
    std::int64_t ticks_ = 0;
    std::uint64_t silent_until_us_ = 0;
    bool halted_[2] = {false, false};
    std::uint8_t configuration_ = 0, setting_ = 0;  // alternate setting 1 has the endpoints

    firmware::DeviceState state_ = firmware::DeviceState::disabled;
    firmware::DeviceFault device_fault_ = firmware::DeviceFault::none;
    std::uint32_t token_;
    firmware::Status counts_;  // what of the status is counted or remembered
    firmware::Watchdog watchdog_{kPlantStep_s};
    std::int64_t enabled_at_ = 0;

    firmware::Bytes out_;  // packets of a frame that has not ended
    bool seen_force_ = false;
    firmware::Force force_, incoming_;
    std::uint64_t force_from_us_ = 0;
    std::array<std::int16_t, static_cast<std::size_t>(firmware::kMostKeys)> held_{};

    firmware::Motion motion_;  // being filled
    int sampled_ = 0;
    std::uint32_t next_sequence_ = 0;
    std::deque<Waiting> waiting_;
    firmware::Bytes in_;  // the frame under way
    std::size_t in_sent_ = 0;
    bool in_begun_ = false;
};

}  // namespace letoff::hw
