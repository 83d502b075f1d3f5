#include "tests/system/jack_peers.h"

#include <jack/midiport.h>

#include <algorithm>
#include <numeric>

#include "tests/system/play_stage.h"

namespace letoff::test {
namespace {

// A real piece has some 20 MIDI messages a second; the tests' hardest minute has 800.
constexpr std::size_t kTapeMidiEvents = std::size_t{1} << 18;

}  // namespace

JackPeer::JackPeer(const std::string& name) {
    jack_set_error_function([](const char*) {});
    jack_set_info_function([](const char*) {});
    client_ = jack_client_open(name.c_str(), JackNoStartServer, nullptr);
}

JackPeer::~JackPeer() = default;

void JackPeer::begin() {
    if (client_ == nullptr) return;
    jack_set_process_callback(
        client_,
        [](jack_nframes_t frames, void* self) {
            static_cast<JackPeer*>(self)->run(static_cast<int>(frames));
            return 0;
        },
        this);
    jack_activate(client_);
}

void JackPeer::end() {
    if (client_ != nullptr) jack_client_close(client_);
    client_ = nullptr;
}

jack_port_t* JackPeer::add_port(const char* name, const char* type, unsigned long flags) {
    return client_ == nullptr ? nullptr : jack_port_register(client_, name, type, flags, 0);
}

void JackPeer::run(int frames) noexcept {
    const std::int64_t first = jack_last_frame_time(client_);
    if (next_ >= 0 && first > next_) missed_.fetch_add(first - next_, std::memory_order_acq_rel);
    next_ = first + frames;
    cycle(first, frames);
    frame_.store(next_, std::memory_order_release);
}

bool JackPeer::connect(const std::string& from, const std::string& to) const {
    return open() && wait_for(kSoon_s, [&] { return jack_port_by_name(client_, from.c_str()) != nullptr; }) &&
           wait_for(kSoon_s, [&] { return jack_port_by_name(client_, to.c_str()) != nullptr; }) &&
           jack_connect(client_, from.c_str(), to.c_str()) == 0;
}

int JackPeer::connections(const std::string& own_port) const {
    jack_port_t* port = open() ? jack_port_by_name(client_, own_port.c_str()) : nullptr;
    return port == nullptr ? 0 : jack_port_connected(port);
}

JackKeyboard::JackKeyboard(const std::string& name) : JackPeer(name) {
    out_ = add_port("out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput);
    begin();
}

void JackKeyboard::begin_to_play(std::vector<MidiEvent> events) {
    playing_.store(false, std::memory_order_release);
    // Two cycles' ends: the real-time thread has left the old piece.
    const std::int64_t now = frame();
    wait_for(1, [&] { return frame() >= now + 2 * period(); });
    events_ = std::move(events);
    sent_.assign(events_.size(), -1);
    next_event_.store(0, std::memory_order_release);
    playing_.store(true, std::memory_order_release);
}

bool JackKeyboard::play(std::vector<MidiEvent> events, double seconds) {
    begin_to_play(std::move(events));
    return wait_for(seconds, [&] { return played(); });
}

void JackKeyboard::cycle(std::int64_t first_frame, int frames) noexcept {
    void* buffer = jack_port_get_buffer(out_, static_cast<jack_nframes_t>(frames));
    jack_midi_clear_buffer(buffer);
    if (!playing_.load(std::memory_order_acquire)) return;
    std::size_t next = next_event_.load(std::memory_order_relaxed);
    for (; next < events_.size() && events_[next].frame < first_frame + frames; ++next) {
        const MidiEvent& event = events_[next];
        const std::int64_t frame = std::max(event.frame, first_frame);
        const bool two = (event.bytes[0] & 0xE0U) == 0xC0U;
        if (jack_midi_event_write(buffer, static_cast<jack_nframes_t>(frame - first_frame), event.bytes.data(),
                                  two ? 2 : 3) != 0)
            break;  // full: the rest goes with the next cycle
        sent_[next] = first_frame;
    }
    next_event_.store(next, std::memory_order_release);
}

JackTape::JackTape(const std::string& name, double seconds) : JackPeer(name) {
    sound_in_ = add_port("sound", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput);
    midi_in_ = add_port("midi", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput);
    sound_.resize(static_cast<std::size_t>(seconds * rate_hz()));
    midi_.resize(kTapeMidiEvents);
    begin();
}

void JackTape::cycle(std::int64_t first_frame, int frames) noexcept {
    if (begin_ < 0) begin_ = first_frame;
    const auto count = static_cast<jack_nframes_t>(frames);
    const auto* in = static_cast<const float*>(jack_port_get_buffer(sound_in_, count));
    const auto at = static_cast<std::size_t>(first_frame - begin_);
    if (at < sound_.size()) std::copy_n(in, std::min(sound_.size() - at, std::size_t{count}), &sound_[at]);
    void* buffer = jack_port_get_buffer(midi_in_, count);
    std::size_t kept = midi_count_.load(std::memory_order_relaxed);
    for (jack_nframes_t i = 0; i < jack_midi_get_event_count(buffer) && kept < midi_.size(); ++i) {
        jack_midi_event_t event{};
        if (jack_midi_event_get(&event, buffer, i) != 0 || event.size > 3) continue;
        midi_[kept].frame = first_frame + event.time;
        std::copy_n(event.buffer, event.size, midi_[kept].bytes.begin());
        ++kept;
    }
    midi_count_.store(kept, std::memory_order_release);
}

std::vector<MidiEvent> JackTape::midi() const {
    return {midi_.begin(), midi_.begin() + static_cast<std::ptrdiff_t>(midi_count())};
}

std::vector<float> JackTape::sound(std::int64_t from, std::int64_t to) const {
    const std::int64_t whole = std::min(frame(), begin_ + static_cast<std::int64_t>(sound_.size()));
    from = std::clamp(from, begin_, whole);
    to = std::clamp(to, from, whole);
    return {sound_.begin() + (from - begin_), sound_.begin() + (to - begin_)};
}

bool JackTape::wait_until(std::int64_t wanted) const {
    const double seconds = static_cast<double>(std::max<std::int64_t>(wanted - frame(), 0)) / std::max(rate_hz(), 1);
    return wait_for(seconds + kSoon_s, [&] { return frame() >= wanted; });
}

int HeardNotes::still_sounding() const {
    return std::accumulate(sounding.begin(), sounding.end(), 0);
}

HeardNotes listen_to(std::span<const MidiEvent> events) {
    HeardNotes heard;
    for (const MidiEvent& event : events) {
        const int kind = event.bytes[0] & 0xF0;
        int& note = heard.sounding[event.bytes[1] & 127U];
        if (kind == 0x90 && event.bytes[2] > 0) {
            ++heard.on;
            heard.on_while_sounding += note;
            note = 1;
            heard.strikes.push_back(event);
        } else if (kind == 0x80 || kind == 0x90) {
            ++heard.off;
            heard.unmatched_off += 1 - note;
            note = 0;
        }
    }
    return heard;
}

}  // namespace letoff::test
