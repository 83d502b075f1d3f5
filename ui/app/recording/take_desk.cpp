#include "ui/app/recording/take_desk.h"

#include <fmt/format.h>

#include <utility>

#include "core/rt/monotonic_clock.h"

namespace letoff::ui {

using storage::RecordingWriter;

core::Result<bool> TakeDesk::record(storage::RecordingStore store, const storage::RecordingHead& head,
                                    RecordingWriter::From from) {
    {
        const std::lock_guard lock(mutex_);
        if (named_) return core::Error{fmt::format("'{}' is being recorded: stop it first", name_)};
        auto writer = RecordingWriter::start(std::move(store), head, named_tap_, faults_, from);
        if (!writer) return core::Error{writer.error()};
        named_ = std::move(writer.value());
        name_ = head.name;
        began_ns_ = core::monotonic_now_ns();
    }
    wake_();
    return true;
}

core::Result<std::string> TakeDesk::stop_recording() {
    std::unique_ptr<RecordingWriter> writer;
    std::string name;
    {
        const std::lock_guard lock(mutex_);
        if (!named_) return core::Error{"nothing is being recorded"};
        writer = std::move(named_);
        name = std::exchange(name_, {});
    }
    named_tap_.switch_off();
    wake_();
    if (const auto kept = writer->stop(); !kept) return core::Error{kept.error()};
    return fmt::format("'{}' is kept", name);
}

std::string TakeDesk::recording() const {
    const std::lock_guard lock(mutex_);
    return name_;
}

double TakeDesk::recorded_s() const {
    const std::lock_guard lock(mutex_);
    return named_ ? 1e-9 * static_cast<double>(core::monotonic_now_ns() - began_ns_) : 0.0;
}

core::Result<bool> TakeDesk::capture(storage::RecordingStore store, storage::RecordingHead head) {
    head.captured = true;
    const std::lock_guard lock(mutex_);
    auto writer =
        RecordingWriter::start(std::move(store), head, captured_tap_, faults_, RecordingWriter::From::kFirstPlayed);
    if (!writer) return core::Error{writer.error()};
    captured_ = std::move(writer.value());
    return true;
}

void TakeDesk::add_touch(std::uint64_t version, const std::string& profile_json) {
    const std::lock_guard lock(mutex_);
    for (const auto* writer : {&named_, &captured_}) {
        if (*writer) (*writer)->add_touch(version, profile_json);
    }
}

std::string TakeDesk::take_sentence() {
    const std::lock_guard lock(mutex_);
    if (named_) {
        if (std::string sentence = named_->take_sentence(); !sentence.empty()) return sentence;
    }
    if (captured_) {
        if (const std::string sentence = captured_->take_sentence(); !sentence.empty())
            return fmt::format("what is played is not captured any more: {}", sentence);
    }
    return {};
}

core::Result<bool> TakeDesk::stop() {
    std::unique_ptr<RecordingWriter> named, captured;
    {
        const std::lock_guard lock(mutex_);
        named = std::move(named_);
        captured = std::move(captured_);
    }
    captured.reset();  // what of it is lost was told
    if (!named) return true;
    if (const auto kept = named->stop(); !kept) return core::Error{kept.error()};
    return true;
}

}  // namespace letoff::ui
