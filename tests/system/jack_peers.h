// The other programs at a JACK server, each a client of its own beside `letoff`: a keyboard that plays notes at given
// frames, and a tape that records sound and MIDI. Both count time in the server's frames, so that what the one sent and
// what the other heard lie on one line, to the sample.
//
//   Frame of an event in a cycle = first frame of the cycle + offset. JACK hands over a cycle's MIDI and sound at once,
//   at the cycle's beginning, and plays it later: so a frame here is one before the device's own buffers.
//
// Threads: each has the server's real-time thread beside the test's; every call here on the test's. After its server
// died a peer must be destroyed before another client is opened (libjack would destroy it itself).
#pragma once

#include <jack/jack.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace letoff::test {

struct MidiEvent {
    std::int64_t frame = 0;
    std::array<std::uint8_t, 3> bytes{};  // those of a channel, two or three
};

class JackPeer {
  public:
    virtual ~JackPeer();
    JackPeer(const JackPeer&) = delete;
    JackPeer& operator=(const JackPeer&) = delete;

    bool open() const { return client_ != nullptr; }
    int rate_hz() const { return open() ? static_cast<int>(jack_get_sample_rate(client_)) : 0; }
    int period() const { return open() ? static_cast<int>(jack_get_buffer_size(client_)) : 0; }
    /// The first frame after the last cycle that is over.
    std::int64_t frame() const { return frame_.load(std::memory_order_acquire); }
    /// Frames of cycles in which the server did not wait for this client: nothing was sent or heard in them.
    std::int64_t missed_frames() const { return missed_.load(std::memory_order_acquire); }
    /// Full names; waits until both ports are there. False: they never were, or cannot be connected.
    bool connect(const std::string& from, const std::string& to) const;
    /// Whether anyone has a port of this full name.
    bool has_port(const std::string& full_name) const {
        return open() && jack_port_by_name(client_, full_name.c_str()) != nullptr;
    }
    /// How many ports are connected to a port of ours.
    int connections(const std::string& own_port) const;

  protected:
    explicit JackPeer(const std::string& name);
    void begin();
    void end();
    jack_port_t* add_port(const char* name, const char* type, unsigned long flags);
    virtual void cycle(std::int64_t first_frame, int frames) noexcept = 0;

    jack_client_t* client_ = nullptr;

  private:
    void run(int frames) noexcept;

    std::int64_t next_ = -1;
    std::atomic<std::int64_t> frame_{0}, missed_{0};
};

/// Its port is "NAME:out".
class JackKeyboard final : public JackPeer {
  public:
    explicit JackKeyboard(const std::string& name);
    ~JackKeyboard() override { end(); }

    /// Plays these, in the order of their frames; one whose frame has passed is sent in the next cycle. Waits until the
    /// last one is sent; false: the time is over.
    bool play(std::vector<MidiEvent> events, double seconds);
    /// As play(), but at once and without the wait.
    void begin_to_play(std::vector<MidiEvent> events);
    bool played() const { return next_event_.load(std::memory_order_acquire) == events_.size(); }
    /// First frames of the cycles in which the events of the last piece were handed over.
    const std::vector<std::int64_t>& sent_cycles() const { return sent_; }

  private:
    void cycle(std::int64_t first_frame, int frames) noexcept override;

    jack_port_t* out_ = nullptr;
    std::vector<MidiEvent> events_;
    std::vector<std::int64_t> sent_;
    std::atomic<bool> playing_{false};
    std::atomic<std::size_t> next_event_{0};
};

/// Its ports are "NAME:midi" and "NAME:sound".
class JackTape final : public JackPeer {
  public:
    JackTape(const std::string& name, double seconds);
    ~JackTape() override { end(); }

    std::vector<MidiEvent> midi() const;
    std::size_t midi_count() const { return midi_count_.load(std::memory_order_acquire); }
    /// From frame to frame as far as it is recorded; silence in what was missed.
    std::vector<float> sound(std::int64_t from, std::int64_t to) const;
    /// Waits until this frame is recorded.
    bool wait_until(std::int64_t frame) const;

  private:
    void cycle(std::int64_t first_frame, int frames) noexcept override;

    jack_port_t *sound_in_ = nullptr, *midi_in_ = nullptr;
    std::int64_t begin_ = -1;
    std::vector<float> sound_;
    std::vector<MidiEvent> midi_;
    std::atomic<std::size_t> midi_count_{0};
};

/// What a synthesizer at the other end of a MIDI cable sounds: notes not ended, and how often they began.
struct HeardNotes {
    int on = 0, off = 0;
    int unmatched_off = 0;      // of notes that did not sound
    int on_while_sounding = 0;  // without an end before
    std::array<int, 128> sounding{};
    std::vector<MidiEvent> strikes;  // the note-ons

    int still_sounding() const;
};
HeardNotes listen_to(std::span<const MidiEvent> events);

}  // namespace letoff::test
