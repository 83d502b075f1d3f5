#include "ui/app/live/event_lines.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "core/midi/pedal_names.h"
#include "core/midi/velocity.h"

namespace letoff::ui {
namespace {

constexpr auto kEvery = std::chrono::milliseconds(5);

}  // namespace

std::string event_line_of(const core::TakeEvent& event, double begin_s, bool by_hammer) {
    const double time_s = event.time_s - begin_s;
    const int key = event.key + 1;
    if (event.kind == core::TakeKind::strike) {
        const int fine = core::velocity_14bit_of_speed(event.value);
        return fmt::format(
            "{{\"event\":\"strike\",\"key\":{},\"strike_time_s\":{},\"hammer_speed_mps\":{},\"midi_velocity\":{},"
            "\"velocity_14bit\":{}}}\n",
            key, time_s, by_hammer ? fmt::format("{}", event.value) : "null", core::velocity_7bit_of(fine), fine);
    }
    if (event.kind == core::TakeKind::release) {
        return fmt::format(
            "{{\"event\":\"release\",\"key\":{},\"release_time_s\":{},\"key_speed_mps\":{},\"velocity_14bit\":{}}}\n",
            key, time_s, event.value, core::velocity_14bit_of_speed(core::kHammerPerKey * event.value));
    }
    if (event.kind == core::TakeKind::message && event.message.kind == core::MidiKind::control_change) {
        const std::string_view pedal = core::pedal_name(event.message.data1);
        if (pedal.empty()) return {};
        return fmt::format("{{\"event\":\"pedal\",\"pedal\":\"{}\",\"time_s\":{},\"value\":{}}}\n", pedal, time_s,
                           event.message.data2);
    }
    return {};
}

core::Result<std::unique_ptr<EventLines>> EventLines::start(const std::string& where, double begin_s, bool by_hammer,
                                                            core::FaultCounters& faults, Also also) {
    std::FILE* file = nullptr;
    if (!where.empty()) {
        file = where == "-" ? stdout : std::fopen(where.c_str(), "we");
        if (file == nullptr) {
            return core::Error{
                fmt::format("cannot write events to '{}': {}", where, std::generic_category().message(errno))};
        }
    }
    auto lines = std::unique_ptr<EventLines>(new EventLines(file, begin_s, by_hammer, faults, std::move(also)));
    lines->thread_ = std::thread([self = lines.get()] { self->run(); });
    return lines;
}

EventLines::~EventLines() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

std::string EventLines::take_sentence() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sentence_, {});
}

void EventLines::write(const std::string& lines) {
    if (broken_ || file_ == nullptr || lines.empty()) return;
    if (std::fwrite(lines.data(), 1, lines.size(), file_) == lines.size() && std::fflush(file_) == 0) return;
    broken_ = true;
    {
        const std::lock_guard lock(mutex_);
        sentence_ = fmt::format("no more events are written: {}", std::generic_category().message(errno));
    }
    // It has been said: what is left in the buffer shall not make the program's end a failure too.
    if (file_ == stdout) file_ = std::freopen("/dev/null", "w", stdout);
}

void EventLines::run() {
    for (bool stop = false; !stop;) {
        {
            std::unique_lock lock(mutex_);
            stop = changed_.wait_for(lock, kEvery, [&] { return stop_; });
        }
        std::string lines;
        for (core::TakeEvent event; tap_.pop(event);) {
            if (also_) also_(event);
            lines += event_line_of(event, begin_s_, by_hammer_);
        }
        write(lines);
    }
}

}  // namespace letoff::ui
