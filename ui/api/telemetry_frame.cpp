#include "ui/api/telemetry_frame.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace letoff::ui {
namespace {

class Writer {
  public:
    explicit Writer(TelemetryFrame& frame) : frame_(frame) {}
    void whole(std::uint32_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) frame_[at_++] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    /// Rounded and kept within its bytes; what is no number is 0.
    void scaled(double value, double unit, int bytes) {
        const double most = bytes == 1 ? 255.0 : 65535.0, steps = std::round(value / unit);
        whole(steps > 0 ? static_cast<std::uint32_t>(std::min(steps, most)) : 0U, bytes);
    }
    void real(float value) { whole(std::bit_cast<std::uint32_t>(std::isfinite(value) ? value : 0.0F), 4); }

  private:
    TelemetryFrame& frame_;
    std::size_t at_ = 0;
};

}  // namespace

void write_telemetry(const core::Telemetry& t, TelemetryFrame& frame) {
    Writer out(frame);
    out.whole(1, 1);
    out.whole(core::kMaxBodies, 1);
    out.whole(core::kMaxContacts, 1);
    out.whole(static_cast<std::uint32_t>(t.watched.key_index + 1), 1);
    out.whole(static_cast<std::uint32_t>(t.tick), 4);
    for (const float pedal : {t.sustain, t.sostenuto, t.una_corda}) out.scaled(pedal, 1.0 / 255, 1);
    out.whole(0, 1);
    out.real(t.meter);
    for (const float dip_m : t.dip_m) out.scaled(dip_m, 1e-6, 2);
    for (const float crown_m : t.crown_m) out.scaled(crown_m, 1e-5, 2);
    for (const std::uint8_t strikes : t.strikes) out.whole(strikes, 1);
    for (const float speed_mps : t.strike_mps) out.scaled(speed_mps, 1.0 / 16, 1);
    for (const float value : {t.watched.finger_N, t.watched.crown_mps, t.watched.string_N}) out.real(value);
    for (const float coordinate : t.watched.q) out.real(coordinate);
    for (const float force_N : t.watched.contact_N) out.real(force_N);
}

}  // namespace letoff::ui
