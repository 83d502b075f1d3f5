#include "core/midi/performance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/midi/velocity.h"
#include "core/unit/keys.h"

namespace letoff::core {

namespace {

constexpr std::size_t kNoNote = std::numeric_limits<std::size_t>::max();

class Pedal {
  public:
    explicit Pedal(std::vector<PedalMove>& moves) : moves_(moves) {}

    void move(double time_s, int channel, int value) {
        value_[static_cast<std::size_t>(channel)] = value;
        moves_.push_back({time_s, *std::max_element(value_.begin(), value_.end()) / static_cast<double>(kMidiDataMax)});
    }
    void lift(double time_s, int channel) {
        if (value_[static_cast<std::size_t>(channel)] != 0) move(time_s, channel, 0);
    }

  private:
    std::vector<PedalMove>& moves_;
    std::array<int, kMidiChannels> value_{};
};

class Builder {
  public:
    explicit Builder(const PerformanceOptions& options) : options_(options) { sounding_.fill(kNoNote); }

    void add(const TimedMidiMessage& timed) {
        MidiMessage message = timed.message;
        message.channel &= 15;  // both are indices below
        message.data1 &= 127;
        if (!is_channel_message(message.kind) || !(options_.channel_mask >> message.channel & 1U)) return;
        const std::optional<int> fine = prefix_.see(message);
        if (message.kind == MidiKind::note_on) {
            strike(timed.time_s, message, fine);
        } else if (message.kind == MidiKind::note_off) {
            release(timed.time_s, message, fine);
        } else if (message.kind == MidiKind::control_change) {
            control(timed.time_s, message);
        }
    }

    Performance finish(double end_s) {
        for (std::size_t i = 0; i < result_.notes.size(); ++i) {
            PerformedNote& note = result_.notes[i];
            if (!open_[i]) continue;
            note.off_time_s = std::min(std::max(end_s, note.on_time_s), note.on_time_s + options_.longest_hang_s);
            ++result_.notes_never_ended;
        }
        for (const PerformedNote& note : result_.notes) result_.end_s = std::max(result_.end_s, note.off_time_s);
        for (const auto* moves : {&result_.sustain, &result_.sostenuto, &result_.soft}) {
            if (!moves->empty()) result_.end_s = std::max(result_.end_s, moves->back().time_s);
        }
        return std::move(result_);
    }

  private:
    void strike(double time_s, const MidiMessage& message, std::optional<int> fine) {
        if (!is_piano_note(message.data1)) {
            ++result_.notes_outside_keys;
            return;
        }
        const int key = key_of_midi_note(message.data1);
        std::size_t& sounding = sounding_[static_cast<std::size_t>(key)];
        if (sounding != kNoNote && (open_[sounding] || result_.notes[sounding].off_time_s > time_s)) {
            result_.notes[sounding].off_time_s = time_s;
            open_[sounding] = false;
            ++result_.notes_restruck;
        }
        PerformedNote note;
        note.key_index = key;
        note.on_time_s = time_s;
        note.off_time_s = time_s;
        note.velocity = message.data2;
        note.velocity_14bit = fine;
        sounding = result_.notes.size();
        result_.notes.push_back(note);
        open_.push_back(true);
        ++owed_[message.channel][message.data1];
        if (message.channel == kPercussionChannel) ++result_.notes_percussion;
    }

    void release(double time_s, const MidiMessage& message, std::optional<int> fine) {
        int& owed = owed_[message.channel][message.data1];
        if (owed == 0) {
            if (is_piano_note(message.data1)) ++result_.stray_note_offs;
            return;
        }
        --owed;
        end_note(time_s, key_of_midi_note(message.data1), message.data2, fine);
    }

    void end_note(double time_s, int key, int release_velocity, std::optional<int> fine) {
        const std::size_t index = sounding_[static_cast<std::size_t>(key)];
        PerformedNote& note = result_.notes[index];
        note.off_time_s = time_s;
        note.release_velocity = release_velocity;
        note.release_velocity_14bit = fine;
        open_[index] = false;
    }

    void control(double time_s, const MidiMessage& message) {
        switch (message.data1) {
            case kSustainPedal:
                sustain_.move(time_s, message.channel, message.data2);
                break;
            case kSostenutoPedal:
                sostenuto_.move(time_s, message.channel, message.data2);
                break;
            case kSoftPedal:
                soft_.move(time_s, message.channel, message.data2);
                break;
            case kResetAllControllers:
                for (Pedal* pedal : {&sustain_, &sostenuto_, &soft_}) pedal->lift(time_s, message.channel);
                break;
            default:
                if (message.data1 == kAllSoundOff || message.data1 >= kAllNotesOff) all_off(time_s, message.channel);
        }
    }

    void all_off(double time_s, int channel) {
        auto& owed = owed_[static_cast<std::size_t>(channel)];
        for (int note = 0; note < kMidiNotes; ++note) {
            int& count = owed[static_cast<std::size_t>(note)];
            if (count == 0) continue;
            count = 0;
            // A key already let go stays so: an off that never came must not stretch its note to the end of the piece.
            const int key = key_of_midi_note(note);
            if (open_[sounding_[static_cast<std::size_t>(key)]])
                end_note(time_s, key, kDefaultReleaseVelocity, std::nullopt);
        }
    }

    PerformanceOptions options_;
    VelocityPrefix prefix_;
    Performance result_;
    std::vector<bool> open_;  // of each note: no off yet
    std::array<std::size_t, kKeyCount> sounding_{};
    std::array<std::array<int, kMidiNotes>, kMidiChannels> owed_{};
    Pedal sustain_{result_.sustain};
    Pedal sostenuto_{result_.sostenuto};
    Pedal soft_{result_.soft};
};

double finest(int velocity, std::optional<int> velocity_14bit) {
    return velocity_14bit ? *velocity_14bit / static_cast<double>(kVelocity14bitPerStep) : velocity;
}

/// Order of messages of one moment: a pedal acts first, a key goes up before it goes down again, and a note shorter
/// than the clock's step keeps its off behind its on.
enum Phase { kPedalPhase, kOffPhase, kOnPhase, kInstantOffPhase };

}  // namespace

double PerformedNote::midi_velocity() const {
    return finest(velocity, velocity_14bit);
}
double PerformedNote::midi_release_velocity() const {
    return finest(release_velocity, release_velocity_14bit);
}

Performance performance_of(std::span<const TimedMidiMessage> messages, double end_s,
                           const PerformanceOptions& options) {
    Builder builder(options);
    for (const TimedMidiMessage& message : messages) builder.add(message);
    return builder.finish(messages.empty() ? end_s : std::max(end_s, messages.back().time_s));
}

std::vector<TimedMidiMessage> messages_of(const Performance& performance, VelocityForm form) {
    struct Entry {
        double time_s;
        Phase phase;
        std::size_t count;
        std::array<MidiMessage, 2> messages;
        std::size_t order = 0;  // as entered: decides where time and phase are equal
    };
    std::vector<Entry> entries;
    const auto add_pedal = [&](const std::vector<PedalMove>& moves, int controller) {
        for (const PedalMove& move : moves) {
            const double depth = std::clamp(move.position, 0.0, 1.0) * kMidiDataMax;
            entries.push_back(
                {move.time_s, kPedalPhase, 1, {control_change(0, controller, static_cast<int>(std::lround(depth)))}});
        }
    };
    add_pedal(performance.sustain, kSustainPedal);
    add_pedal(performance.sostenuto, kSostenutoPedal);
    add_pedal(performance.soft, kSoftPedal);
    for (const PerformedNote& note : performance.notes) {
        const int pitch = midi_note_of_key(note.key_index);
        const auto add_note = [&](double time_s, Phase phase, const MidiMessage& plain, std::optional<int> fine) {
            Entry entry{time_s, phase, 1, {plain}};
            if (fine) {
                const FineNote note_14bit(form, plain, *fine);
                entry.count = note_14bit.messages().size();
                std::copy(note_14bit.messages().begin(), note_14bit.messages().end(), entry.messages.begin());
            }
            entries.push_back(entry);
        };
        add_note(note.on_time_s, kOnPhase, note_on(0, pitch, std::max(note.velocity, 1)), note.velocity_14bit);
        const Phase phase = note.off_time_s > note.on_time_s ? kOffPhase : kInstantOffPhase;
        add_note(note.off_time_s, phase, note_off(0, pitch, note.release_velocity), note.release_velocity_14bit);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].order = i;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        if (a.time_s != b.time_s) return a.time_s < b.time_s;
        return a.phase != b.phase ? a.phase < b.phase : a.order < b.order;
    });
    std::vector<TimedMidiMessage> result;
    for (const Entry& entry : entries) {
        for (std::size_t i = 0; i < entry.count; ++i) result.push_back({entry.time_s, entry.messages[i]});
    }
    return result;
}

RestStatistics rest_statistics(const Performance& performance, double rest_s) {
    RestStatistics statistics;
    statistics.smallest_gap_s = std::numeric_limits<double>::infinity();
    std::array<double, kKeyCount> off_time_s{};
    off_time_s.fill(-std::numeric_limits<double>::infinity());
    for (const PerformedNote& note : performance.notes) {
        double& last_off_s = off_time_s[static_cast<std::size_t>(note.key_index)];
        const double gap_s = note.on_time_s - last_off_s;
        statistics.smallest_gap_s = std::min(statistics.smallest_gap_s, gap_s);
        if (gap_s >= rest_s) ++statistics.rested_notes;
        last_off_s = note.off_time_s;
    }
    return statistics;
}

}  // namespace letoff::core
