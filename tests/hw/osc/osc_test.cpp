// OSC in and out, over real sockets on this machine and from packets made by hand.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "hw/osc/osc_in.h"
#include "hw/osc/osc_out.h"
#include "hw/osc/osc_packet.h"
#include "tests/hw/midi/jack_server.h"

namespace letoff::hw {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Messages = std::vector<core::MidiMessage>;

void add_text(Bytes& bytes, const std::string& text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    do bytes.push_back(0);
    while (bytes.size() % 4 != 0);
}
void add_word(Bytes& bytes, std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}
/// types i and f.
Bytes packet(const std::string& address, const std::string& types = "", const std::vector<float>& values = {}) {
    Bytes bytes;
    add_text(bytes, address);
    add_text(bytes, ',' + types);
    for (std::size_t i = 0; i < values.size(); ++i) {
        add_word(bytes, types[i] == 'i' ? static_cast<std::uint32_t>(static_cast<std::int32_t>(values[i]))
                                        : std::bit_cast<std::uint32_t>(values[i]));
    }
    return bytes;
}
Bytes bundle(const std::vector<Bytes>& parts) {
    Bytes bytes;
    add_text(bytes, "#bundle");
    add_word(bytes, 0);
    add_word(bytes, 1);  // at once
    for (const Bytes& part : parts) {
        add_word(bytes, static_cast<std::uint32_t>(part.size()));
        bytes.insert(bytes.end(), part.begin(), part.end());
    }
    return bytes;
}
Messages read(const Bytes& bytes) {
    OscAsked asked;
    EXPECT_TRUE(read_osc_packet(bytes, asked));
    EXPECT_TRUE(asked.parameters.empty());
    return asked.messages;
}
bool refused(const Bytes& bytes) {
    OscAsked asked;
    return !read_osc_packet(bytes, asked) && asked.messages.empty() && asked.parameters.empty();
}

class Socket {
  public:
    Socket() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address = local(0);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port = ntohs(address.sin_port);
    }
    ~Socket() { ::close(socket_); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    void send(const Bytes& bytes, int to) const {
        const sockaddr_in address = local(to);
        EXPECT_EQ(::sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&address),
                           sizeof address),
                  static_cast<ssize_t>(bytes.size()));
    }
    Bytes take() const {
        Bytes bytes(2048);
        const timeval wait{5, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
        const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
        bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
        return bytes;
    }
    int port = 0;

  private:
    static sockaddr_in local(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    const int socket_;
};

TEST(OscPacket, NotesPedalsProgramsAndPanic) {
    EXPECT_EQ(read(packet("/letoff/note", "if", {49, 64.5f})),
              (Messages{core::control_change(0, 88, 64), core::note_on(0, 69, 64)}));
    EXPECT_EQ(read(packet("/letoff/note", "ii", {49, 0})), (Messages{core::note_off(0, 69)}));
    EXPECT_EQ(read(packet("/letoff/note_off", "i", {1})), (Messages{core::note_off(0, 21)}));
    EXPECT_EQ(read(packet("/letoff/note_off", "ff", {88, 100})),
              (Messages{core::control_change(0, 88, 0), core::note_off(0, 108, 100)}));
    EXPECT_EQ(read(packet("/letoff/pedal/sustain", "f", {0.5f})), (Messages{core::control_change(0, 64, 64)}));
    EXPECT_EQ(read(packet("/letoff/pedal/sostenuto", "i", {1})), (Messages{core::control_change(0, 66, 127)}));
    EXPECT_EQ(read(packet("/letoff/pedal/soft", "f", {0})), (Messages{core::control_change(0, 67, 0)}));
    EXPECT_EQ(read(packet("/letoff/program", "i", {6})), (Messages{{core::MidiKind::program_change, 0, 5, 0}}));
    EXPECT_EQ(read(packet("/letoff/local", "i", {0})), (Messages{core::control_change(0, 122, 0)}));
    EXPECT_EQ(read(packet("/letoff/panic")).front(), core::control_change(0, core::kAllSoundOff, 0));
}

TEST(OscPacket, WhatCannotBePlayedAsksForNothing) {
    for (const float key : {0.0f, 89.0f, -1.0f, 48.5f, 1e30f, std::nanf("")})
        EXPECT_TRUE(refused(packet("/letoff/note", "ff", {key, 64}))) << key;
    for (const float velocity : {-1.0f, 127.5f, std::nanf("")})
        EXPECT_TRUE(refused(packet("/letoff/note", "if", {49, velocity}))) << velocity;
    EXPECT_TRUE(refused(packet("/letoff/note", "i", {49})));
    EXPECT_TRUE(refused(packet("/letoff/note")));
    EXPECT_TRUE(refused(packet("/letoff/pedal/sustain", "f", {1.5f})));
    EXPECT_TRUE(refused(packet("/letoff/pedal/left", "f", {1})));
    EXPECT_TRUE(refused(packet("/letoff/program", "i", {129})));
    EXPECT_TRUE(refused(packet("/other/note", "ii", {49, 64})));
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused({'/', 'a', 'b'}));
}

/// types i and f after the row's id.
Bytes parameter(const std::string& id, const std::string& types, const std::vector<float>& values) {
    Bytes bytes;
    add_text(bytes, "/letoff/param");
    add_text(bytes, ",s" + types);
    add_text(bytes, id);
    for (std::size_t i = 0; i < values.size(); ++i) {
        add_word(bytes, types[i] == 'i' ? static_cast<std::uint32_t>(static_cast<std::int32_t>(values[i]))
                                        : std::bit_cast<std::uint32_t>(values[i]));
    }
    return bytes;
}

TEST(OscPacket, RowsOfTheTouchOfAKeyOrOfAll) {
    OscAsked asked;
    EXPECT_TRUE(read_osc_packet(parameter("hammer_mass_g", "f", {9.5f}), asked));
    EXPECT_TRUE(read_osc_packet(parameter("tray", "ii", {-3, 88}), asked));
    EXPECT_EQ(asked.parameters, (std::vector<OscParameter>{{"hammer_mass_g", 9.5, 0}, {"tray", -3, 88}}));
    EXPECT_TRUE(asked.messages.empty());
    EXPECT_TRUE(refused(parameter("", "f", {1})));
    EXPECT_TRUE(refused(parameter("tray", "", {})));
    EXPECT_TRUE(refused(parameter("tray", "f", {std::nanf("")})));
    EXPECT_TRUE(refused(parameter("tray", "fi", {1, 0})));
    EXPECT_TRUE(refused(parameter("tray", "fi", {1, 89})));
    EXPECT_TRUE(refused(parameter("tray", "fif", {1, 1, 1})));
    EXPECT_TRUE(refused(parameter(std::string(kLongestOscId_bytes + 1, 'x'), "f", {1})));
    EXPECT_TRUE(refused(packet("/letoff/param", "ff", {1, 2})));
}

TEST(OscIn, OfEachRowTheLastValueCounts) {
    core::FaultCounters faults;
    auto in = OscIn::start("0", {}, faults);
    ASSERT_TRUE(in.ok()) << in.error();
    const Socket peer;
    for (const float value : {1.0f, 2.0f, 3.0f}) peer.send(parameter("tray", "f", {value}), in.value()->port());
    peer.send(parameter("tray", "fi", {4, 7}), in.value()->port());
    std::vector<OscParameter> taken;
    ASSERT_TRUE(test::wait_for(5, [&] {
        for (OscParameter& one : in.value()->take_parameters()) taken.push_back(std::move(one));
        return !taken.empty() && taken.back().key == 7;
    }));
    ASSERT_GE(taken.size(), 2u);
    EXPECT_EQ(taken[taken.size() - 2], (OscParameter{"tray", 3, 0}));
    EXPECT_EQ(taken.back(), (OscParameter{"tray", 4, 7}));
}

TEST(OscPacket, BundlesInBundlesUpToADepth) {
    const Bytes on = packet("/letoff/note", "ii", {1, 64}), off = packet("/letoff/note", "ii", {1, 0});
    EXPECT_EQ(read(bundle({on, bundle({off})})),
              (Messages{core::control_change(0, 88, 0), core::note_on(0, 21, 64), core::note_off(0, 21)}));
    Bytes deep = on;
    for (int i = 0; i <= kDeepestOscBundle; ++i) deep = bundle({deep});
    EXPECT_TRUE(refused(deep));
    Bytes lying = bundle({on});
    lying[19] = 0xFF;  // a length beyond the end
    EXPECT_TRUE(refused(lying));
}

TEST(OscPacket, DamagedPacketsNeverCrash) {
    const Bytes whole = bundle({packet("/letoff/note", "if", {49, 64}), packet("/letoff/pedal/sustain", "f", {1})});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        OscAsked asked;
        (void)read_osc_packet(std::span(whole).first(size), asked);
    }
    std::mt19937 random(7);
    for (int run = 0; run < 20000; ++run) {
        Bytes damaged = whole;
        for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        OscAsked asked;
        (void)read_osc_packet(damaged, asked);
        for (const core::MidiMessage& message : asked.messages) ASSERT_TRUE(message.data1 < 128 && message.data2 < 128);
    }
}

TEST(OscIn, TakesNotesOnThisMachineAndCountsWhatItCannotRead) {
    core::FaultCounters faults;
    std::atomic<int> woken{0};
    auto in = OscIn::start("0", [&] { ++woken; }, faults);
    ASSERT_TRUE(in.ok()) << in.error();
    EXPECT_EQ(in.value()->address(), "127.0.0.1:" + std::to_string(in.value()->port()));
    const Socket peer;
    peer.send({1, 2, 3}, in.value()->port());
    peer.send(packet("/letoff/note", "ii", {49, 64}), in.value()->port());
    ASSERT_TRUE(test::wait_for(5, [&] { return woken > 0; }));
    core::ArrivedMessage first, second;
    ASSERT_TRUE(in.value()->pop(first));
    ASSERT_TRUE(in.value()->pop(second));
    EXPECT_EQ(second.message, core::note_on(0, 69, 64));
    EXPECT_GT(second.time_ns, 0);
    EXPECT_EQ(faults.count(core::Fault::kMidiMalformed), 1u);
    EXPECT_FALSE(in.value()->take_lost());
}

TEST(OscIn, AnOverflowIsCountedAndLetsGo) {
    core::FaultCounters faults;
    auto in = OscIn::start("127.0.0.1:0", {}, faults);
    ASSERT_TRUE(in.ok()) << in.error();
    const Socket peer;
    // 64 notes of two messages a packet: the ring has room for 32 of them.
    const Bytes many = bundle(std::vector<Bytes>(64, packet("/letoff/note", "ii", {49, 64})));
    ASSERT_TRUE(test::wait_for(5, [&] {
        peer.send(many, in.value()->port());
        return faults.count(core::Fault::kMidiInputOverflow) > 0;
    }));
    EXPECT_TRUE(in.value()->take_lost());
}

TEST(OscIn, WhatCannotBeListenedAtIsOneSentence) {
    core::FaultCounters faults;
    for (const char* wrong : {"", "x", "65536", "localhost:1", "127.0.0.1:", "1.2.3:4", "9000x"})
        EXPECT_NE(OscIn::start(wrong, {}, faults).error().find("0 to 65535"), std::string::npos) << wrong;
    const Socket taken;
    EXPECT_NE(OscIn::start(std::to_string(taken.port), {}, faults).error().find("in use"), std::string::npos);
}

TEST(OscOut, StrikesReleasesAndPedals) {
    const Socket peer;
    auto out = OscOut::open("127.0.0.1:" + std::to_string(peer.port));
    ASSERT_TRUE(out.ok()) << out.error();
    out.value()->send({.time_s = 3, .value = 2.5, .kind = core::TakeKind::strike, .key = 48}, 1);
    Bytes expected;
    add_text(expected, "/letoff/strike");
    add_text(expected, ",ifd");
    add_word(expected, 49);
    add_word(expected, std::bit_cast<std::uint32_t>(2.5f));
    add_word(expected, 0x40000000);  // 2.0 as a double
    add_word(expected, 0);
    EXPECT_EQ(peer.take(), expected);
    out.value()->send({.time_s = 3, .kind = core::TakeKind::message, .message = core::control_change(0, 66, 127)}, 3);
    const Bytes pedal = peer.take();
    EXPECT_EQ(std::string(pedal.begin(), pedal.begin() + 13), "/letoff/pedal");
    EXPECT_NE(std::string(pedal.begin(), pedal.end()).find("sostenuto"), std::string::npos);
    for (const char* wrong : {"", "9000", "host:", "host:0", "host:65536", ":9000"})
        EXPECT_NE(OscOut::open(wrong).error().find("HOST:PORT"), std::string::npos) << wrong;
}

}  // namespace
}  // namespace letoff::hw
