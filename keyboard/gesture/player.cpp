#include "keyboard/gesture/player.h"

#include <algorithm>

#include "core/midi/velocity.h"
#include "keyboard/gesture/habits.h"

namespace letoff::keyboard {
namespace {

// How a key comes up when its finger leaves at 0.25 m/s or more (measured on the action at A4): half way after 32 ms,
// at the top after 55 ms, then the falling hammer knocks it once more before it rests, 190 ms after the finger left.
// Slower fingers add their own time.
constexpr double kHalfRise_s = 0.032;
constexpr double kFullRise_s = 0.055;
constexpr double kSettles_s = 0.150;
constexpr double kDip_m = 0.010;
constexpr double kShortestPath = 0.5;
// When in a stroke the key picks up its damper, as a share of the stroke's time: sqrt(4.5 mm / 9 mm).
constexpr double kPickUpShare = 0.7;
// A stroke is aimed this long before the table would start it: the table is right within 2 ms, and within 8 ms where
// the pedal moves.
constexpr double kAimAhead_s = 0.030;

}  // namespace

Player::Player(const core::Performance& performance, std::span<const StrokeTable> tables, int tick_hz,
               std::span<const KeyBuild> keys, double begin_s)
    : performance_(performance),
      h_s_(1.0 / tick_hz),
      lead_s_(begin_s + kLead_s),
      sustain_(foot_for(performance.sustain)),
      sostenuto_(foot_for(performance.sostenuto)),
      soft_(foot_for(performance.soft)),
      keys_(tables.size()),
      outcomes_(performance.notes.size()),
      current_note_(tables.size(), -1) {
    std::vector<std::vector<int>> notes(tables.size());
    for (size_t i = 0; i < performance.notes.size(); ++i) {
        const core::PerformedNote& note = performance.notes[i];
        outcomes_[i].key_index = note.key_index;
        outcomes_[i].note_time_s = note.on_time_s;
        outcomes_[i].note_velocity = note.midi_velocity();
        notes[static_cast<size_t>(note.key_index)].push_back(static_cast<int>(i));
    }
    for (const KeyBuild& key : keys) aims_.emplace_back(key, tick_hz);
    end_s_ = lead_s_ + performance.end_s;
    extra_strikes_.reserve(4 * performance.notes.size() + 64);
    releases_.reserve(4 * performance.notes.size() + 64);  // a key may be let go more than once a note, never so often
    for (size_t k = 0; k < tables.size(); ++k) {
        plan_key(notes[k], tables[k], keys_[k]);
        for (const Plan& plan : keys_[k].plans)
            end_s_ = std::max(end_s_, plan.lift_s + kDip_m / plan.lift_speed_mps + kSettles_s);
    }
}

Player::Foot Player::foot_for(std::span<const core::PedalMove> moves) {
    Foot foot;
    for (core::PedalMove move : moves) {
        const double before = foot.moves.empty() ? 0 : foot.moves.back().position;
        move.position = pedal_meant(before, move.position);
        if (move.position != before) foot.moves.push_back(move);
    }
    return foot;
}

double Player::sustain_at(double time_s) const {
    const auto after = std::upper_bound(sustain_.moves.begin(), sustain_.moves.end(), time_s,
                                        [](double t, const core::PedalMove& move) { return t < move.time_s; });
    return after == sustain_.moves.begin() ? 0.0 : std::prev(after)->position;
}

void Player::plan_key(std::span<const int> notes, const StrokeTable& table, Key& key) {
    for (int index : notes) {
        const core::PerformedNote& note = performance_.notes[static_cast<size_t>(index)];
        const double on_s = note.on_time_s + lead_s_;
        const double mv = note.midi_velocity();
        // The tray where it will be when the key meets its damper.
        Stroke stroke = table.at(mv, 0.0);
        stroke = table.at(mv, sustain_at(note.on_time_s - (1 - kPickUpShare) * stroke.travel_s));

        Plan plan{index,
                  stroke,
                  on_s - stroke.travel_s,
                  note.off_time_s + lead_s_,
                  kLiftPerReleaseSpeed * core::speed_mps_of_midi_velocity(note.midi_release_velocity()),
                  1.0};
        if (!key.plans.empty()) {
            Plan& before = key.plans.back();
            const double slower_s = std::max(0.0, kDip_m / before.lift_speed_mps - kFullRise_s);
            if (before.lift_s + kFullRise_s + slower_s > plan.start_s) {
                // No time to come up fully: a shorter path r, from r's height, taking r T; the rise takes a time linear
                // in r.
                const auto need_s = [&](double r) {
                    const double rise_s =
                        kHalfRise_s + (kFullRise_s - kHalfRise_s) * (r - kShortestPath) / (1 - kShortestPath);
                    return r * stroke.travel_s + rise_s;
                };
                const double gap_s = on_s - before.lift_s;
                const double least_s = need_s(kShortestPath), most_s = need_s(1.0);
                const double r =
                    kShortestPath + (1 - kShortestPath) * std::clamp((gap_s - least_s) / (most_s - least_s), 0.0, 1.0);
                before.lift_speed_mps = std::max(before.lift_speed_mps, kDip_m / kFullRise_s);
                const double checked_s =
                    performance_.notes[static_cast<size_t>(before.note)].on_time_s + lead_s_ + kChecked_s;
                const double lift_s = std::max(std::min(before.lift_s, on_s - need_s(r)), checked_s);
                outcomes_[static_cast<size_t>(before.note)].note_shortened_ms =
                    std::max(0.0, 1e3 * (before.lift_s - lift_s));
                before.lift_s = std::min(before.lift_s, lift_s);
                plan.path_share = r;
                plan.start_s = std::max(on_s - r * stroke.travel_s, before.lift_s + kHalfRise_s);
            }
            const double rested_s = before.lift_s + kDip_m / before.lift_speed_mps + kSettles_s;
            outcomes_[static_cast<size_t>(index)].repetition = plan.start_s < rested_s + kRest_s;
        }
        plan.lift_s = std::max(plan.lift_s, on_s + kChecked_s);
        key.plans.push_back(plan);
    }
}

double Player::after(std::int64_t tick, double share, const Foot& foot, size_t& next) const {
    const double end_s = static_cast<double>(tick + 1) * h_s_;
    while (next < foot.moves.size() && foot.moves[next].time_s + lead_s_ < end_s) ++next;
    const double wanted = next == 0 ? 0.0 : foot.moves[next - 1].position;
    return pedal_moved(share, wanted, h_s_);
}

void Player::aim(int key_index, Plan& plan, const Keybed& keybed) {
    plan.aimed = true;
    const NoteOutcome& outcome = outcomes_[static_cast<size_t>(plan.note)];
    const StrokeAim::Target target{outcome.note_time_s + lead_s_,
                                   core::speed_mps_of_midi_velocity(outcome.note_velocity), !outcome.repetition};
    double share = keybed.tray_share();
    size_t next = sustain_.next;
    std::int64_t known = keybed.now_ticks();
    // A damper that the sostenuto rod has will stay there for so short a time.
    const double held = keybed.lift_share(key_index) > share ? keybed.lift_share(key_index) : 0;
    const auto lift = [&](std::int64_t tick) {
        if (tick < known) {  // a new try begins
            share = keybed.tray_share();
            next = sustain_.next;
            known = keybed.now_ticks();
        }
        for (; known <= tick; ++known) share = after(known, share, sustain_, next);
        return std::max(share, held);
    };
    const AimedStroke aimed = aims_[static_cast<size_t>(key_index)].aim(
        keybed, key_index, target, {plan.start_s, plan.stroke.acceleration_mps2 / plan.path_share}, lift);
    plan.start_s = aimed.start_s;
    plan.stroke.acceleration_mps2 = aimed.acceleration_mps2;
}

void Player::before_tick(Keybed& keybed) {
    const double now_s = keybed.now_s(), next_s = now_s + h_s_;
    for (size_t k = 0; k < keys_.size(); ++k) {
        Key& key = keys_[k];
        const int index = static_cast<int>(k);
        if (key.next_lift < key.next_press && key.plans[key.next_lift].lift_s < next_s) {
            const Plan& plan = key.plans[key.next_lift++];
            keybed.lift(index, std::max(plan.lift_s, now_s), plan.lift_speed_mps);
        }
        if (key.next_press == key.plans.size()) continue;
        Plan& plan = key.plans[key.next_press];
        if (!aims_.empty() && !plan.aimed && plan.start_s - kAimAhead_s < next_s) aim(index, plan, keybed);
        if (plan.start_s < next_s) {
            ++key.next_press;
            if (key.next_lift + 1 < key.next_press)
                key.next_lift = key.next_press - 1;  // the finger never left: the stroke follows on
            const double left = plan.aimed ? 1.0 : path_left(keybed.dip_m(index));
            keybed.press(index, std::max(plan.start_s, now_s), plan.stroke.acceleration_mps2 / left);
            current_note_[k] = plan.note;
        }
    }
    const std::int64_t tick = keybed.now_ticks();
    keybed.set_tray(after(tick, keybed.tray_share(), sustain_, sustain_.next));
    keybed.set_sostenuto(after(tick, keybed.sostenuto(), sostenuto_, sostenuto_.next));
    keybed.set_una_corda(after(tick, keybed.una_corda(), soft_, soft_.next));
}

void Player::on_strike(const core::Strike& strike) noexcept {
    core::Strike played = strike;
    played.strike_time_s -= lead_s_;
    played.escapement_time_s -= lead_s_;
    played.key_bottom_time_s -= lead_s_;
    const int note = current_note_[static_cast<size_t>(strike.key_index)];
    if (note >= 0 && !outcomes_[static_cast<size_t>(note)].struck) {
        outcomes_[static_cast<size_t>(note)].struck = true;
        outcomes_[static_cast<size_t>(note)].strike = played;
        return;
    }
    if (note >= 0) ++outcomes_[static_cast<size_t>(note)].extra_strikes;
    if (extra_strikes_.size() < extra_strikes_.capacity()) extra_strikes_.push_back(played);
}

void Player::on_key_bottom(int key_index, double time_s) noexcept {
    const int note = current_note_[static_cast<size_t>(key_index)];
    if (note < 0) return;
    core::Strike& strike = outcomes_[static_cast<size_t>(note)].strike;
    if (strike.key_bottom_time_s != strike.key_bottom_time_s || !outcomes_[static_cast<size_t>(note)].struck)
        strike.key_bottom_time_s = time_s - lead_s_;
}

void Player::on_release(const core::Release& release) noexcept {
    if (releases_.size() < releases_.capacity())
        releases_.push_back({release.key_index, release.time_s - lead_s_, release.key_speed_mps});
}

}  // namespace letoff::keyboard
