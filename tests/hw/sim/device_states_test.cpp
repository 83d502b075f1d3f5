// The states of the simulated device and what leads from one to another: PROTOCOL.md, section 6.
#include "hw/sim/device.h"

#include <gtest/gtest.h>

#include "tests/hw/sim/device_rig.h"

using namespace letoff::hw;

TEST(DeviceStates, EveryCommandInEveryState) {
    constexpr auto D = DeviceState::disabled, C = DeviceState::calibrated, A = DeviceState::armed,
                   E = DeviceState::enabled, F = DeviceState::fault;
    constexpr auto ok = Refusal::none, no = Refusal::wrong_state, stop = Refusal::fault_active;
    struct Case {
        Op op;
        std::array<std::pair<Refusal, DeviceState>, 5> then;  // from D, C, A, E, F
    };
    const Case cases[] = {
        {Op::calibrate, {{{ok, C}, {ok, C}, {no, A}, {no, E}, {stop, F}}}},
        {Op::arm, {{{no, D}, {ok, A}, {ok, A}, {no, E}, {stop, F}}}},
        {Op::enable, {{{no, D}, {no, C}, {ok, E}, {ok, E}, {stop, F}}}},
        {Op::disarm, {{{no, D}, {ok, C}, {ok, C}, {ok, C}, {stop, F}}}},
        {Op::disable, {{{ok, D}, {ok, D}, {ok, D}, {ok, D}, {stop, F}}}},
        {Op::clear_fault, {{{ok, D}, {no, C}, {no, A}, {no, E}, {ok, D}}}},
        {Op::emergency_stop, {{{ok, F}, {ok, F}, {ok, F}, {ok, F}, {ok, F}}}},
        {Op::stream, {{{ok, D}, {ok, C}, {no, A}, {no, E}, {stop, F}}}},
    };
    for (const Case& c : cases)
        for (std::size_t from = 0; from < 5; ++from) {
            SCOPED_TRACE(testing::Message() << "op " << static_cast<int>(c.op) << " in state " << from);
            DeviceRig rig;
            rig.to(static_cast<DeviceState>(from));
            rig.send(0);
            const std::uint32_t token = rig.device.token();
            const bool stream = c.op == Op::stream;
            EXPECT_EQ(rig.command(c.op, token, stream ? 0x0101u : 0xCA11B001u, stream ? 1u : 0u), c.then[from].first);
            EXPECT_EQ(rig.device.state(), c.then[from].second);
            const bool fell = (from == 2 || from == 3) && c.then[from].second != A && c.then[from].second != E;
            EXPECT_EQ(rig.device.token(), fell ? token + 1 : token);
        }
}

TEST(DeviceStates, TheTokenIsNeverZero) {
    DeviceSetup setup = octave();
    setup.token = 0xFFFFFFFF;
    DeviceRig rig(setup);
    rig.arm();
    EXPECT_EQ(rig.command(Op::disarm), Refusal::none);
    EXPECT_EQ(rig.device.token(), 1u);
    setup.token = 0xFFFFFFFF;
    DeviceRig other(setup);
    other.set_interface();
    EXPECT_EQ(other.device.token(), 1u);
}

TEST(DeviceStates, EveryBeginningOfASessionEndsTheOneBefore) {
    for (int way = 0; way < 4; ++way) {
        DeviceRig rig;
        ASSERT_EQ(rig.write(5, example("set_key_row")), UsbAnswer::ack);
        ASSERT_EQ(rig.stream(1, 1, 1), Refusal::none);
        rig.ready();
        rig.play(0.05, 1000);
        EXPECT_GT(rig.force_N(), 1.9);
        EXPECT_NE(rig.command(Op::stream), Refusal::none);  // something is refused
        const std::uint32_t token = rig.device.token();
        Bytes late = rig.force_frame({1000});
        if (way == 0) rig.set_interface();
        if (way == 1) {
            ASSERT_EQ(rig.device.control({0x00, 0x09, 1, 0, 0}).answer, UsbAnswer::ack);
        }
        if (way == 2) rig.device.bus_reset();
        if (way == 3) rig.device.suspend();
        EXPECT_EQ(rig.device.state(), DeviceState::disabled);
        EXPECT_EQ(rig.device.token(), token + 1);
        EXPECT_EQ(rig.force_N(), 0);
        EXPECT_EQ(rig.read(2), example("key_rows"));
        EXPECT_EQ(rig.device.next_in_transfer().answer, UsbAnswer::nak);
        Bytes status = rig.read(3);
        for (const std::size_t at : {17u, 18u, 19u, 20u, 22u, 24u, 28u, 32u, 36u, 44u, 48u})
            EXPECT_EQ(status.at(at), 0) << at;
        const bool by_the_bus = way == 1 || way == 2;
        EXPECT_EQ(rig.device.control({0x81, 0x0A, 0, 0, 1}).bytes,
                  Bytes{by_the_bus ? std::uint8_t{0} : std::uint8_t{1}});
        if (by_the_bus) {  // setting 0 has no endpoints
            EXPECT_EQ(rig.device.on_out_transfer(late), UsbAnswer::nak);
            rig.set_interface();
        }
        rig.device.on_out_transfer(late);
        EXPECT_EQ(number<std::uint32_t>(rig.read(3), 32), 1u);  // stale: the token of the session before
        rig.run(0.005);
        EXPECT_EQ(rig.device.key(0).plant.motor_N(), 0);
        EXPECT_EQ(rig.device.next_in_transfer().answer, UsbAnswer::nak);
        // A sequence far behind is the first of a new session.
        rig.sequence = 5;
        rig.send(0);
        EXPECT_EQ(number<std::uint32_t>(rig.read(3), 24), 1u);
    }
}

TEST(DeviceStates, FromEveryStateASessionEndsInDisabledAndTheSwitchInFault) {
    for (const auto from : {DeviceState::disabled, DeviceState::calibrated, DeviceState::armed, DeviceState::enabled,
                            DeviceState::fault}) {
        DeviceRig rig;
        rig.to(from);
        const std::uint32_t token = rig.device.token();
        rig.set_interface();
        EXPECT_EQ(rig.device.state(), DeviceState::disabled);
        EXPECT_EQ(rig.device.token(), token + 1);
        EXPECT_EQ(rig.read(3).at(16), 0);
        rig.to(from);
        rig.device.stop_switch = true;
        rig.run(kPlantStep_s);
        EXPECT_EQ(rig.device.state(), DeviceState::fault);
    }
}

TEST(DeviceStates, ASessionForgetsTheKeyFaultsWhoseCauseIsGone) {
    DeviceRig rig;
    rig.ready();
    rig.device.ailment(2).sensor_dead = rig.device.ailment(5).sensor_dead = true;
    rig.play(0.002, 0);
    EXPECT_EQ(rig.read(3).at(21), 2);
    rig.device.ailment(2).sensor_dead = false;
    rig.run(0.001);
    rig.set_interface();
    EXPECT_EQ(rig.fault(2), KeyFault::none);
    EXPECT_EQ(rig.fault(5), KeyFault::sensor_dead);
    EXPECT_EQ(rig.read(3).at(21), 1);
}

TEST(DeviceStates, ASetupThatTheDocumentDoesNotAllowIsRefused) {
    DeviceSetup setup = octave();
    setup.rows.pop_back();
    EXPECT_THROW(SimDevice{setup}, std::invalid_argument);
    EXPECT_THROW(SimDevice{DeviceSetup::of(light_lever(), "X", 1, 97)}, std::invalid_argument);
    setup = octave();
    setup.max_packet = 64;
    EXPECT_THROW(SimDevice{setup}, std::invalid_argument);
    // Without position it cannot guard itself, so it has to be weak.
    setup = octave();
    setup.identity.senses = firmware::kHallFront | firmware::kHallRear;
    EXPECT_THROW(SimDevice{setup}, std::invalid_argument);
    for (firmware::KeyRow& row : setup.rows) row.peak_force = row.second_force = 2500;
    EXPECT_THROW(SimDevice{setup}, std::invalid_argument);
    for (firmware::KeyRow& row : setup.rows) row.energy_limit = 0;
    EXPECT_NO_THROW(SimDevice{setup});
}

TEST(DeviceStates, AFaultEndsOnlyWhenItsCauseIsGone) {
    DeviceRig rig;
    rig.enable();
    rig.device.stop_switch = true;
    rig.run(0.001);
    EXPECT_EQ(rig.device.state(), DeviceState::fault);
    EXPECT_EQ(rig.device.device_fault(), DeviceFault::emergency_stop);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::fault_active);
    rig.set_interface();
    rig.run(0.001);  // still pressed
    EXPECT_EQ(rig.device.state(), DeviceState::fault);
    rig.device.stop_switch = false;
    rig.device.cause = DeviceFault::supply_low;
    rig.run(0.001);
    EXPECT_EQ(rig.device.device_fault(), DeviceFault::emergency_stop);  // the first
    EXPECT_EQ(rig.command(Op::emergency_stop), Refusal::none);
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::fault_active);
    rig.device.cause = DeviceFault::none;
    EXPECT_EQ(rig.command(Op::clear_fault), Refusal::none);
    EXPECT_EQ(rig.device.state(), DeviceState::disabled);
    EXPECT_EQ(rig.read(3).at(16), 0);
    rig.device.cause = DeviceFault::calibration_lost;
    rig.run(0.001);
    EXPECT_EQ(rig.read(3).at(16), 6);
}
