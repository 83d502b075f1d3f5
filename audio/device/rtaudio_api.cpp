#include "audio/device/rtaudio_api.h"

#include <RtAudio.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>

namespace letoff::audio {
namespace {

using Way = AudioChoice::Way;

RtAudio::Api api_of(Way way) {
    return way == Way::kJack ? RtAudio::UNIX_JACK : way == Way::kPulse ? RtAudio::LINUX_PULSE : RtAudio::LINUX_ALSA;
}

const char* why_empty(Way way) {
    switch (way) {
        case Way::kJack:
            return "no JACK server is running; `jackd -d alsa` or qjackctl starts one";
        case Way::kPulse:
            return "no PulseAudio or PipeWire server answers; `pulseaudio --start` starts one";
        default:
            return "ALSA has no device that can play; a sound card and its driver are needed";
    }
}

bool compiled_in(RtAudio::Api api) {
    std::vector<RtAudio::Api> apis;
    RtAudio::getCompiledApi(apis);
    for (const RtAudio::Api each : apis)
        if (each == api) return true;
    return false;
}

struct Turn {
    std::mutex mutex;
    std::condition_variable free_again;
    bool taken = false;
};

/// Null: none is needed.
Turn* turn_of(Way way) {
    static auto* turns = new std::array<Turn, 2>;  // for good: a thread that hangs may outlive all else
    return way == Way::kPulse ? &(*turns)[0] : way == Way::kJack ? &(*turns)[1] : nullptr;
}

// NOLINTNEXTLINE(cert-dcl50-cpp): ALSA's handler is variadic
void drop_message(const char*, int, const char*, int, const char*, ...) {}

}  // namespace

void quiet_libraries() {
    static std::once_flag once;
    std::call_once(once, [] {
        std::cerr.rdbuf(nullptr);
        // RtAudio brings ALSA's library with it, but not its headers: int snd_lib_error_set_handler(handler).
        using Handler = void (*)(const char*, int, const char*, int, const char*, ...);
        using SetHandler = int (*)(Handler);
        if (auto set = reinterpret_cast<SetHandler>(dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler")); set != nullptr)
            set(drop_message);
    });
}

ApiTurn::ApiTurn(Way way, double patience_s) : way_(way) {
    Turn* turn = turn_of(way);
    if (turn == nullptr) return;
    std::unique_lock lock(turn->mutex);
    came_ = turn->free_again.wait_for(lock, std::chrono::duration<double>(patience_s), [turn] { return !turn->taken; });
    if (came_) turn->taken = true;
}

ApiTurn::~ApiTurn() {
    Turn* turn = turn_of(way_);
    if (turn == nullptr || !came_) return;
    const std::lock_guard lock(turn->mutex);
    turn->taken = false;
    turn->free_again.notify_one();
}

std::string hanging_sentence(Way way) {
    return std::string(name_of(way)) + " did not answer; its server hangs and has to be restarted";
}

std::unique_ptr<RtAudio> make_rtaudio(Way way) {
    auto audio = std::make_unique<RtAudio>(api_of(way));
    audio->showWarnings(false);
    return audio;
}

int choose_rate_hz(const std::vector<unsigned>& device_hz, int wanted_hz) {
    const auto can = [&](int rate_hz) {
        return std::find(device_hz.begin(), device_hz.end(), static_cast<unsigned>(rate_hz)) != device_hz.end();
    };
    for (const int rate_hz : {wanted_hz, 48000, 44100, 96000, 88200, 192000, 176400})
        if (can(rate_hz)) return rate_hz;
    return 0;
}

AudioApi ask_api(AudioChoice::Way way) {
    quiet_libraries();
    AudioApi result;
    result.way = way;
    if (!compiled_in(api_of(way))) {
        result.sentence = std::string("this RtAudio was built without ") + name_of(way);
        return result;
    }
    try {
        const auto audio = make_rtaudio(way);
        const unsigned count = audio->getDeviceCount();
        for (unsigned i = 0; i < count; ++i) {
            const RtAudio::DeviceInfo info = audio->getDeviceInfo(i);
            if (!info.probed || info.outputChannels < 2) continue;
            AudioDevice device;
            device.name = info.name;
            device.channels = static_cast<int>(info.outputChannels);
            for (const unsigned rate_hz : info.sampleRates) device.rates_hz.push_back(static_cast<int>(rate_hz));
            device.is_default = info.isDefaultOutput;
            result.devices.push_back(device);
        }
        if (count > 0 && result.devices.empty())
            result.sentence = "none of its " + std::to_string(count) + " devices can play two channels now";
        if (count == 0) result.sentence = why_empty(way);
    } catch (const RtAudioError& error) {
        result.sentence = error.getMessage();
    }
    return result;
}

std::vector<AudioApi> list_audio_apis(double patience_s, std::span<const AudioChoice::Way> ways) {
    struct Answer {
        std::mutex mutex;
        std::condition_variable arrived;
        bool done = false;
        AudioApi api;
    };
    std::vector<AudioApi> apis;
    for (const Way way : ways) {
        auto answer = std::make_shared<Answer>();
        std::thread([answer, way, patience_s] {
            const ApiTurn turn(way, patience_s);
            if (!turn) return;
            AudioApi api = ask_api(way);
            const std::lock_guard lock(answer->mutex);
            answer->api = std::move(api);
            answer->done = true;
            answer->arrived.notify_all();
        }).detach();
        std::unique_lock lock(answer->mutex);
        if (answer->arrived.wait_for(lock, std::chrono::duration<double>(patience_s), [&] { return answer->done; })) {
            apis.push_back(answer->api);
        } else {
            AudioApi silent;
            silent.way = way;
            silent.sentence = hanging_sentence(way);
            apis.push_back(silent);
        }
    }
    return apis;
}

}  // namespace letoff::audio
