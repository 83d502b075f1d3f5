// A USB device as the bus sees it, without any bus: what the umockdev harness (usb_testbed.h), or a test that carries
// bytes by hand, puts behind its cable. Any implementation will do; FakeKeybed is ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace letoff::test {

struct SetupPacket {
    std::uint8_t request_type = 0;  // bit 7: device to host
    std::uint8_t request = 0;
    std::uint16_t value = 0, index = 0, length = 0;
    bool is_in() const noexcept { return (request_type & 0x80) != 0; }
    bool is(std::uint8_t type, std::uint8_t number) const noexcept { return request_type == type && request == number; }
};

class UsbDeviceModel {
  public:
    using Bytes = std::vector<std::uint8_t>;

    virtual ~UsbDeviceModel() = default;

    /// Device descriptor and configuration descriptor with all that belongs to it, one after the other.
    virtual Bytes descriptors() const = 0;
    /// The text of string descriptor 1, 2, 3 ...; the bus makes the descriptor.
    virtual std::string string(int index) const = 0;

    // now_us is the bus's time; a device may well have a clock of its own.

    /// A control transfer; SET_INTERFACE (0x01, 11), SET_CONFIGURATION (0x00, 9) and CLEAR_FEATURE(ENDPOINT_HALT)
    /// (0x02, 1) come here too. `data` is what was written; what is given back is what is read. Nothing: STALL.
    virtual std::optional<Bytes> on_control(const SetupPacket& setup, std::span<const std::uint8_t> data,
                                            std::int64_t now_us) = 0;
    /// One transfer from the host. False: NAK, it is offered again later.
    virtual bool on_out(std::uint8_t endpoint, std::span<const std::uint8_t> bytes, std::int64_t now_us) = 0;
    /// The next transfer to the host that is ready now; nothing: NAK.
    virtual std::optional<Bytes> next_in(std::uint8_t endpoint, std::int64_t now_us) = 0;
    /// An endpoint that answers with STALL until CLEAR_FEATURE.
    virtual bool is_halted(std::uint8_t /*endpoint*/) const { return false; }
    virtual void on_reset(std::int64_t now_us) = 0;  // plugged in
};

}  // namespace letoff::test
