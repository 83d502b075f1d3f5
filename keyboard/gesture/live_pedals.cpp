#include "keyboard/gesture/live_pedals.h"

#include <algorithm>

#include "keyboard/gesture/habits.h"

namespace letoff::keyboard {

void LivePedals::control(const core::MidiMessage& message) noexcept {
    constexpr std::array<std::uint8_t, kPedals> kControllers{core::kSustainPedal, core::kSostenutoPedal,
                                                             core::kSoftPedal};
    for (std::size_t p = 0; p < kPedals; ++p) {
        double& pedal = meant_[p][message.channel];
        if (message.data1 == kControllers[p])
            pedal = pedal_meant(pedal, message.data2 / static_cast<double>(core::kMidiDataMax));
        if (message.data1 == core::kResetAllControllers) pedal = 0;
    }
}

void LivePedals::let_go() noexcept {
    for (auto& pedal : meant_) pedal.fill(0);
}

void LivePedals::move(Keybed& keybed, double h_s) noexcept {
    on_their_way_ = false;
    const auto moved = [&](Pedal pedal, double from) {
        const double wanted = *std::max_element(meant_[pedal].begin(), meant_[pedal].end());
        const double next = pedal_moved(from, wanted, h_s);
        on_their_way_ |= next != wanted;
        return next;
    };
    keybed.set_tray(moved(kSustain, keybed.tray_share()));
    keybed.set_sostenuto(moved(kSostenuto, keybed.sostenuto()));
    keybed.set_una_corda(moved(kSoft, keybed.una_corda()));
}

}  // namespace letoff::keyboard
