// One key of the simulated device: the plant's key with what the firmware knows of it - measured position, velocity,
// current, temperature -, its guard, its faults (hw/protocol/PROTOCOL.md, sections 7 and 9) and its ailments, which a
// test switches. Dip positive downwards, force on the finger positive upwards.
//
// The winding's temperature is a model beside the plant: C dT/dt = R i^2 - (T - ambient) / W, a small brushed motor's.
#pragma once

#include <array>

#include "hw/sim/device_guard.h"
#include "hw/sim/plant.h"

namespace letoff::hw {

/// What can be wrong with a key; a test sets and clears it at any time.
struct KeyAilment {
    bool sensor_dead = false;   // the front Hall sensor reads 0 V
    bool sensor_stuck = false;  // both Hall sensors stay where they are
    bool motor_open = false;    // a phase is broken: no current flows (field case 59)
    double hotter_C = 0;        // the winding is so much hotter than its own losses make it
    firmware::KeyFault reported = firmware::KeyFault::none;  // any other, as an amplifier would report it
};

class DeviceKey {
  public:
    /// Sensors are read every kReadSteps of the plant: 8 kHz.
    static constexpr int kReadSteps = 4;
    static constexpr double kRead_s = kReadSteps * kPlantStep_s;

    DeviceKey(const DeviceNumbers& numbers, std::uint64_t seed, const firmware::KeyRow& row);

    KeyPlant plant;
    KeyAilment ailment;

    /// The motor's set point for this tick, within the guard's limits, from a command that soft start and watchdog
    /// already made smaller; none of a key with a fault.
    void push(double asked_N) noexcept;
    /// The motor is off, at once.
    void off() noexcept;
    /// Plant and winding a tick on.
    void step(double t_s) noexcept;
    /// Reads the sensors and looks for faults; a key that has a new one switches itself off.
    void read(bool motor_on) noexcept;

    firmware::KeyFault fault() const noexcept { return fault_; }
    bool cause_present() const noexcept { return cause() != firmware::KeyFault::none; }
    void forget_fault() noexcept;

    void set_limits(const firmware::KeyRow& row) noexcept { limits_ = firmware::KeyLimits::of(row); }

    /// Set point of the amplifier, after every limit.
    double force_N() const noexcept { return plant.command_N; }
    double temperature_C() const noexcept { return temperature_C_ + ailment.hotter_C; }
    /// In units of the protocol, the field of one bit of `senses` (0 to 5).
    std::uint16_t field(int bit) const noexcept;
    std::int16_t temperature_field() const noexcept;
    /// Also forgets that a limit acted.
    std::uint8_t status_field() noexcept;
    const KeyPlant::Reading& reading() const noexcept { return reading_; }

  private:
    firmware::KeyFault cause() const noexcept;             // what can be told at rest
    firmware::KeyFault in_motion(bool motor_on) noexcept;  // what shows only while something acts

    firmware::KeyLimits limits_;
    firmware::ForceGuard guard_;
    firmware::KeyFault fault_ = firmware::KeyFault::none;
    KeyPlant::Reading reading_;
    double temperature_C_;
    double gap_m_ = 0;  // between the ways that the Hall pair and the coil tell
    double no_current_s_ = 0;
    std::array<double, 8> dips_m_{};  // of the last millisecond
    std::size_t next_dip_ = 0, dips_ = 0;
};

}  // namespace letoff::hw
