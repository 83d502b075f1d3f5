#include "ui/app/recording/take_log.h"

#include "core/midi/message.h"

namespace letoff::ui {
namespace {

constexpr int kBitsInOne = 64;

}  // namespace

void TakeLog::switched(Listener& to, std::uint32_t asked) noexcept {
    if (to.is_on()) end(to);
    to.telling = asked;
    if (!to.is_on()) return;
    to.catch_up_percent = std::numeric_limits<double>::quiet_NaN();
    to.touch_version = touch_version_;
    to.tables = nullptr;
    states_until_ = now() + kStatesFor_s * keybed_.tick_hz();
    to.tap->push(event(core::TakeKind::begin, to.telling, touch_version_));
    tell_what_holds(to);
}

void TakeLog::tell_what_holds(Listener& to) noexcept {
    const auto pedal = [&](double share, int controller) {
        const int depth = static_cast<int>(share * core::kMidiDataMax + 0.5);
        if (depth == 0) return;
        core::TakeEvent told = event(core::TakeKind::message);
        told.message = core::control_change(0, controller, depth);
        to.tap->push(told);
    };
    pedal(keybed_.tray_share(), core::kSustainPedal);
    pedal(keybed_.sostenuto(), core::kSostenutoPedal);
    pedal(keybed_.una_corda(), core::kSoftPedal);
    if (hands_) to.tap->push(event(core::TakeKind::hands));
    for (int k = 0; k < core::kKeyCount; ++k) {
        if (has_device_[static_cast<std::size_t>(k)]) tell_device(*to.tap, k);
    }
    if (live_.none()) return;
    to.tap->push(live_event());
    to.tap->push(motion_event());
    for (int k = 0; k < core::kKeyCount; ++k) {
        const core::KeyMotionCode code = codes_[static_cast<std::size_t>(k)];
        if (code != core::KeyMotionCode()) to.tap->push(event(core::TakeKind::key_moved, 0, code.bits(), k));
    }
}

void TakeLog::tell_device(core::TakeTap& to, int key) const noexcept {
    constexpr keyboard::HapticValues kDefaults = keyboard::haptic_defaults();
    to.push(event(core::TakeKind::device_key, 0, 0, key));
    const keyboard::HapticValues& values = devices_[static_cast<std::size_t>(key)];
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (values[row] != kDefaults[row]) to.push(event(core::TakeKind::device_row, values[row], row, key));
    }
}

void TakeLog::device_key(int key, const keyboard::HapticValues& values) noexcept {
    const auto k = static_cast<std::size_t>(key);
    has_device_.set(k);
    devices_[k] = values;
    for (std::size_t i = 0; i < count_; ++i) {
        if (listeners_[i].is_on()) tell_device(*listeners_[i].tap, key);
    }
}

core::TakeEvent TakeLog::live_event() const noexcept {
    std::uint64_t lower = 0;
    std::uint32_t upper = 0;
    for (int k = 0; k < core::kKeyCount; ++k) {
        if (!live_[static_cast<std::size_t>(k)]) continue;
        if (k < kBitsInOne) {
            lower |= std::uint64_t{1} << k;
        } else {
            upper |= std::uint32_t{1} << (k - kBitsInOne);
        }
    }
    return event(core::TakeKind::live_keys, upper, lower);
}

core::TakeEvent TakeLog::motion_event() const noexcept {
    core::TakeEvent told = event(core::TakeKind::motion, 0, 0, all_rest_ ? 1 : 0);
    told.time_s = motion_s_;
    return told;
}

void TakeLog::live_keys(const std::bitset<core::kKeyCount>& live) noexcept {
    if (live == live_) return;
    live_ = live;
    push(live_event());
}

void TakeLog::motion(double time_s, bool all_rest) noexcept {
    motion_s_ = time_s;
    all_rest_ = all_rest;
    push(motion_event());
}

void TakeLog::key_moved(int key, core::KeyMotionCode code) noexcept {
    codes_[static_cast<std::size_t>(key)] = code;
    push(event(core::TakeKind::key_moved, 0, code.bits(), key));
}

void TakeLog::before_tick(double catch_up_percent, const keyboard::KeybedTouch& touch,
                          const keyboard::LiveTables& tables) noexcept {
    touch_version_ = touch.version;
    for (std::size_t i = 0; i < count_; ++i) {
        Listener& to = listeners_[i];
        if (!to.is_on()) continue;
        if (to.catch_up_percent != catch_up_percent) {
            to.catch_up_percent = catch_up_percent;
            to.tap->push(event(core::TakeKind::catch_up, catch_up_percent));
        }
        if (to.touch_version != touch.version) {
            to.touch_version = touch.version;
            to.tap->push(event(core::TakeKind::touch, 0, touch.version));
        }
        if (to.tables != &tables) tell_tables(to, tables);
    }
}

void TakeLog::tell_tables(Listener& to, const keyboard::LiveTables& tables) noexcept {
    to.tables = &tables;
    to.tap->push(event(core::TakeKind::tables, 0, tables.strokes_touch, tables.catch_up.empty() ? 0 : 1));
    for (std::size_t k = 0; k < tables.catch_up_touch.size(); ++k) {
        if (tables.catch_up_touch[k] != 0)
            to.tap->push(event(core::TakeKind::table_of_key, 0, tables.catch_up_touch[k], static_cast<int>(k)));
    }
}

}  // namespace letoff::ui
