#include "ui/app/live/event_lines.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "core/midi/velocity.h"

namespace letoff::ui {
namespace {

constexpr auto kEvery = std::chrono::milliseconds(5);

const char* pedal_name(int controller) {
    switch (controller) {
        case core::kSustainPedal:
            return "sustain";
        case core::kSostenutoPedal:
            return "sostenuto";
        case core::kSoftPedal:
            return "soft";
        default:
            return nullptr;
    }
}

}  // namespace

std::string event_line_of(const core::TakeEvent& event, double begin_s) {
    const double time_s = event.time_s - begin_s;
    const int key = event.key + 1;
    if (event.kind == core::TakeKind::strike) {
        const int fine = core::velocity_14bit_of_speed(event.value);
        return fmt::format(
            "{{\"event\":\"strike\",\"key\":{},\"strike_time_s\":{},\"hammer_speed_mps\":{},\"midi_velocity\":{},"
            "\"velocity_14bit\":{}}}\n",
            key, time_s, event.value, core::velocity_7bit_of(fine), fine);
    }
    if (event.kind == core::TakeKind::release) {
        return fmt::format(
            "{{\"event\":\"release\",\"key\":{},\"release_time_s\":{},\"key_speed_mps\":{},\"velocity_14bit\":{}}}\n",
            key, time_s, event.value, core::velocity_14bit_of_speed(core::kHammerPerKey * event.value));
    }
    if (event.kind == core::TakeKind::message && event.message.kind == core::MidiKind::control_change) {
        const char* pedal = pedal_name(event.message.data1);
        if (pedal == nullptr) return {};
        return fmt::format("{{\"event\":\"pedal\",\"pedal\":\"{}\",\"time_s\":{},\"value\":{}}}\n", pedal, time_s,
                           event.message.data2);
    }
    return {};
}

core::Result<std::unique_ptr<EventLines>> EventLines::start(const std::string& where, double begin_s,
                                                            core::FaultCounters& faults) {
    std::FILE* file = where == "-" ? stdout : std::fopen(where.c_str(), "we");
    if (file == nullptr) {
        return core::Error{
            fmt::format("cannot write events to '{}': {}", where, std::generic_category().message(errno))};
    }
    auto lines = std::unique_ptr<EventLines>(new EventLines(file, begin_s, faults));
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
    if (file_ != stdout) std::fclose(file_);
}

void EventLines::run() {
    for (bool stop = false; !stop;) {
        {
            std::unique_lock lock(mutex_);
            stop = changed_.wait_for(lock, kEvery, [&] { return stop_; });
        }
        bool any = false;
        for (core::TakeEvent event; tap_.pop(event);) {
            const std::string line = event_line_of(event, begin_s_);
            any = any || !line.empty();
            std::fwrite(line.data(), 1, line.size(), file_);
        }
        if (any) std::fflush(file_);
    }
}

}  // namespace letoff::ui
