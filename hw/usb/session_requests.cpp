// The control side of a session: what is asked next, and what its answer means.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/usb/device_session.h"

namespace letoff::hw {

const ControlRequest* DeviceSession::next_request(double now_s) {
    if (!in_flight_) decide(now_s);
    return in_flight_ ? &request_ : nullptr;
}

void DeviceSession::decide(double now_s) {
    if (stop_ && !stop_told_ && phase_ >= Phase::kWaiting && phase_ != Phase::kRefused) return ask(Step::kStop);
    switch (phase_) {
        case Phase::kReading:
            return ask(!has_identity_ ? Step::kIdentity : !rows_read_ ? Step::kRows : Step::kStatus);
        case Phase::kStarting:
            return ask(clear_first_                            ? Step::kClear
                       : options_.lower_limits && !limits_set_ ? Step::kLimits
                                                               : Step::kStream);
        case Phase::kWaiting:
            if (!wanted_ || stop_ || !clock_.locked()) return;
            go(Phase::kCalibrating, now_s);
            return ask(Step::kCalibrate);
        case Phase::kCalibrating:
            return ask(clear_first_ ? Step::kClear : Step::kCalibrate);
        case Phase::kArming:
            if (!wanted_) return ask(Step::kDisarm);
            if (!acknowledged_ && state_ == DeviceState::kCalibrated && zero_frames_ >= kZeroFramesFirst)
                ask(Step::kArm);
            return;
        case Phase::kEnabling:
            if (!wanted_) return ask(Step::kDisarm);
            if (!acknowledged_ && zero_frames_ >= kZeroFramesFirst) ask(Step::kEnable);
            return;
        case Phase::kEnabled:
            if (!wanted_) ask(Step::kDisarm);
            return;
        case Phase::kFallen:
            if (disarm_due_) ask(Step::kDisarm);
            return;
        case Phase::kClosing:
            if (state_ != DeviceState::kEnabled || now_s - phase_since_s_ >= kClose_s) ask(Step::kDisable);
            return;
        case Phase::kClosed:
        case Phase::kRefused:
            return;
    }
}

void DeviceSession::write_command(const Command& command) noexcept {
    const auto bytes = encode(command);
    std::copy(bytes.begin(), bytes.end(), request_.data.begin());
    request_.length = kCommandBytes;
}

void DeviceSession::ask(Step step) {
    step_ = step;
    in_flight_ = true;
    request_ = {};
    request_.in = step <= Step::kStatus || step == Step::kAskWhy;
    request_.request = Request::kCommand;
    switch (step) {
        case Step::kIdentity:
            request_.request = Request::kIdentity;
            request_.length = kIdentityBytes;
            break;
        case Step::kRows:
            request_.request = Request::kKeyRows;
            request_.length = static_cast<std::uint16_t>(key_rows_bytes(identity_.keys));
            break;
        case Step::kStatus:
        case Step::kAskWhy:
            request_.request = Request::kStatus;
            request_.length = kStatusBytes;
            break;
        case Step::kLimits: {
            const auto bytes = encode_set_key_row(lowered_limits());
            request_.request = Request::kSetKeyRow;
            request_.data = bytes;
            request_.length = kSetKeyRowBytes;
            break;
        }
        case Step::kStream:
            write_command(stream_command(stream_));
            break;
        case Step::kClear:
            write_command({Op::kClearFault, 0, 0, 0});
            break;
        case Step::kCalibrate:
            write_command({Op::kCalibrate, 0,
                           identity_.self_calibrated ? identity_.calibration_id : options_.host_calibration_id, 0});
            break;
        case Step::kArm:
            write_command({Op::kArm, token_, 0, 0});
            break;
        case Step::kEnable:
            write_command({Op::kEnable, armed_token_, 0, 0});
            break;
        case Step::kDisarm:
            write_command({Op::kDisarm, 0, 0, 0});
            break;
        case Step::kDisable:
            write_command({Op::kDisable, 0, 0, 0});
            break;
        case Step::kStop:
            write_command({Op::kEmergencyStop, 0, 0, 0});
            break;
    }
}

void DeviceSession::on_reply(Reply reply, std::span<const std::uint8_t> data, double now_s) {
    if (!in_flight_) return;
    in_flight_ = false;
    if (phase_ == Phase::kRefused || phase_ == Phase::kClosed) return;
    const Step step = step_;
    if (reply == Reply::kStalled) {
        if (request_.in) return refuse(fmt::format("{} does not answer as the keybed protocol asks.", title()));
        refused_step_ = step;
        return ask(Step::kAskWhy);
    }
    switch (step) {
        case Step::kIdentity:
            return take_identity(data);
        case Step::kRows:
            return take_rows(data);
        case Step::kStatus:
        case Step::kAskWhy: {
            Status status;
            if (const Refused why_not = decode(data, status); why_not != Refused::kNo) {
                return refuse(fmt::format("{} cannot be used. {}", title(), sentence(why_not)));
            }
            token_ = status.token;
            state_ = status.state;
            device_fault_ = status.device_fault;
            if (step == Step::kAskWhy) return refused(refused_step_, status.last_refusal, now_s);
            return go(Phase::kStarting, now_s);
        }
        default:
            return done(step, now_s);
    }
}

void DeviceSession::take_identity(std::span<const std::uint8_t> data) {
    Identity identity;
    if (const Refused why_not = decode(data, identity); why_not != Refused::kNo) {
        return refuse(fmt::format("A motorised keyboard cannot be used. {}", sentence(why_not)));
    }
    identity_ = identity;
    has_identity_ = true;
    rows_.assign(identity.keys, KeyRow{});
    forces_.assign(std::size_t{identity.keys} * kMostSamples, 0);
    if (!choose_stream()) {
        refuse(fmt::format("{} has no stream of key motion that fits its connection.", title()));
    }
}

bool DeviceSession::choose_stream() {
    const std::uint16_t senses = identity_.senses;
    // What the device works out itself is better than its raw voltages: it knows its own sensors.
    std::uint16_t fields = bit(Field::kPosition) | bit(Field::kVelocity);
    if ((senses & bit(Field::kPosition)) == 0) {
        fields = bit(Field::kHallFront) | bit(Field::kHallRear) | bit(Field::kCoil) | bit(Field::kVelocity);
    }
    stream_.fields = static_cast<std::uint16_t>((fields | bit(Field::kTemperature)) & senses);
    int rate_kHz = 8;
    while (rate_kHz > 1 && (rate_kHz > options_.rate_kHz || !identity_.has_rate(rate_kHz))) rate_kHz /= 2;
    while (rate_kHz < 8 && !identity_.has_rate(rate_kHz)) rate_kHz *= 2;
    stream_.rate_kHz = static_cast<std::uint8_t>(rate_kHz);
    const auto most = static_cast<std::uint8_t>(std::min<int>(identity_.max_samples, kMostFrame_ms * rate_kHz));
    stream_.samples = std::clamp<std::uint8_t>(options_.samples, 1, most);
    while (!stream_fits(identity_.keys, stream_) && stream_.samples < most) ++stream_.samples;
    return stream_fits(identity_.keys, stream_);
}

void DeviceSession::take_rows(std::span<const std::uint8_t> data) {
    if (const Refused why_not = decode_key_rows(data, rows_); why_not != Refused::kNo) {
        return refuse(fmt::format("{} cannot be used. {}", title(), sentence(why_not)));
    }
    rows_read_ = true;
    limits_.clear();
    for (const KeyRow& row : rows_) {
        core::ForceLimitSetting limits = limits_of(row);
        // It sees neither speed nor travel nor energy, so it must be too weak to need to.
        if ((identity_.senses & bit(Field::kPosition)) == 0) limits.peak_N = std::min(limits.peak_N, kMostRawForce_N);
        if (options_.lower_limits) {
            const core::ForceLimitSetting lower = limits_of(lowered_limits());
            limits.peak_N = std::min(limits.peak_N, lower.peak_N);
            limits.peak_s = std::min(limits.peak_s, lower.peak_s);
            limits.strong_N = std::min(limits.strong_N, lower.strong_N);
            limits.continuous_N = std::min(limits.continuous_N, lower.continuous_N);
            limits.slew_N_per_s = std::min(limits.slew_N_per_s, lower.slew_N_per_s);
        }
        limits_.emplace_back(limits, 1e-3 / stream_.rate_kHz);
    }
}

/// What was asked for, but of no key more than it can: the device would refuse that.
KeyRow DeviceSession::lowered_limits() const {
    KeyRow lower = options_.lower_limits.value_or(KeyRow{});
    lower.key = kAllKeys;
    const auto lowest = [this](std::uint16_t asked, std::uint16_t KeyRow::* field) {
        for (const KeyRow& row : rows_) asked = asked == 0 ? row.*field : std::min(asked, row.*field);
        return asked;
    };
    lower.peak_force = lowest(lower.peak_force, &KeyRow::peak_force);
    lower.peak_ms = lowest(lower.peak_ms, &KeyRow::peak_ms);
    lower.second_force = std::min(lowest(lower.second_force, &KeyRow::second_force), lower.peak_force);
    lower.continuous_force = std::min(lowest(lower.continuous_force, &KeyRow::continuous_force), lower.second_force);
    lower.slew = lowest(lower.slew, &KeyRow::slew);
    return lower;
}

void DeviceSession::done(Step step, double now_s) {
    switch (step) {
        case Step::kLimits:
            limits_set_ = true;
            return;
        case Step::kStream:
            // The sequence begins at 0 again.
            any_motion_ = false;
            return go(Phase::kWaiting, now_s);
        case Step::kClear:
            clear_first_ = false;
            return;
        case Step::kCalibrate:
            if (phase_ == Phase::kCalibrating) go(Phase::kArming, now_s);
            return;
        case Step::kArm:
        case Step::kEnable:
            acknowledged_ = true;
            return;
        case Step::kDisarm:
            disarm_due_ = false;
            if (phase_ != Phase::kFallen && phase_ != Phase::kClosing) go(Phase::kWaiting, now_s);
            return;
        case Step::kDisable:
            return go(Phase::kClosed, now_s);
        case Step::kStop:
            stop_told_ = true;
            if (phase_ != Phase::kFallen && phase_ != Phase::kClosing) {
                fall(fmt::format("{} was stopped.", title()), now_s);
                disarm_due_ = false;
            }
            return;
        default:
            return;
    }
}

void DeviceSession::refused(Step step, WriteRefusal why, double now_s) {
    const bool early = why == WriteRefusal::kNoFrames || why == WriteRefusal::kStaleToken;
    switch (step) {
        case Step::kArm:
        case Step::kEnable:
            if (early && ++tries_ < kMostTries) {
                zero_frames_ = 0;
                return;
            }
            break;
        case Step::kDisarm:
            disarm_due_ = false;
            return;
        case Step::kDisable:
            return go(Phase::kClosed, now_s);
        case Step::kStop:
            stop_told_ = true;
            return;
        default:
            break;
    }
    if (step == Step::kClear) clear_first_ = false;
    // Its switch is pressed, say: that passes, and the way back is told.
    if (phase_ == Phase::kStarting && step != Step::kClear && state_ == DeviceState::kFault) {
        return fall(fmt::format("{} stopped: {}.", title(), device_fault_name(device_fault_)), now_s);
    }
    std::string sentence_ = fmt::format("{} did not get ready. {}", title(), sentence(why));
    if (phase_ == Phase::kStarting && step != Step::kClear) return refuse(std::move(sentence_));
    if (phase_ != Phase::kClosing) fall(std::move(sentence_), now_s);
}

std::string_view name(DeviceSession::Phase phase) noexcept {
    constexpr std::array<std::string_view, 11> kNames = {"reading", "starting", "waiting", "calibrating",
                                                         "arming",  "enabling", "enabled", "fallen",
                                                         "closing", "closed",   "refused"};
    const auto i = static_cast<std::size_t>(phase);
    return i < kNames.size() ? kNames[i] : "unknown";
}

}  // namespace letoff::hw
