// Time-domain passivity observer and controller of one key (Hannaford & Ryu, IEEE Trans. Robot. Autom. 18, 2002), the
// observer in the sampled form that is exact for a held force (Stramigioli et al. 2005: force times measured way).
//
// Two ports: the device's key, where the force F_k commanded in tick k meets the way dx_k that was measured while it
// acted, and the simulated key, which took the work w_k in that tick while the tie's spring stores s_k:
//   E = sum F_k dx_k - w_k - (s_k - s_{k-1})         what the finger gave beyond what the model got
// A tie without delay or sampling only loses, E >= 0; E < 0 is energy that the finger got and the model did not give:
// the model's own give and take never counts. A tick waits in a queue until its way has been measured, so that delays
// are paired right. What E holds is capped (kBank_J), else the loss of a thousand strokes would hide the next
// oscillation. A deficit is answered twice:
//   damping  F += a v, a = (deficit - kIgnored_J) / (v^2 h), what is still in the queue counted as answered;
//            a <= most, beyond which a delayed damper shakes itself
//   fading   from kFadeFrom_J of deficit to kFadeTo_J the rendered force goes to nothing: then nothing can be given. It
//            comes back within kReturn_s, so that a loop that is too fast for its delay settles at a share at which it
//            is not, instead of shaking
// Of a force that was faded the same share of the model's work is compared, and where a limit cut it only what the
// motor gave beyond what the model did counts: less force is no gift.
// A deficit is forgiven at kForgive_W, so that no more than 0.75 mJ, what is under way, and 3 mJ in 10 s are given
// (asked: 1 mJ a stroke, 5 mJ in 10 s).
// Real-time safe; one owner.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace letoff::keyboard {

class Passivity {
  public:
    static constexpr double kBank_J = 0.1e-3, kFadeFrom_J = 0.35e-3, kFadeTo_J = 0.65e-3, kDeepest_J = 4e-3;
    static constexpr double kIgnored_J = 0.05e-3;  // readings 0.5 % wrong of a soft stroke's 10 mJ
    static constexpr double kForgive_W = 0.3e-3, kReturn_s = 1.0;

    Passivity(double h_s, double delay_s, double most_damping_Ns_per_m)
        : h_s_(h_s), delay_s_(delay_s), most_Ns_per_m_(most_damping_Ns_per_m) {}

    void reset() noexcept { *this = Passivity(h_s_, delay_s_, most_Ns_per_m_); }

    /// A position, measured at t_s.
    void measure(double t_s, double dip_m) noexcept {
        while (count_ > 0 && queue_[first_].end_s <= t_s && has_position_ && t_s > t_s_) {
            const Tick& tick = queue_[first_];
            const double share = std::clamp((tick.end_s - t_s_) / (t_s - t_s_), 0.0, 1.0);
            const double end_m = dip_m_ + share * (dip_m - dip_m_);
            if (started_) settle(tick, end_m - at_m_);
            started_ = true;
            at_m_ = end_m;
            pending_J_ -= tick.damped_J;
            first_ = (first_ + 1) % kQueue;
            --count_;
        }
        if (has_position_ && !(t_s > t_s_)) return;
        has_position_ = true;
        t_s_ = t_s;
        dip_m_ = dip_m;
    }

    struct Answer {
        double damping_N = 0;  // added to the force on the finger
        double share = 1;      // of the rendered force
    };
    Answer answer(double speed_mps) noexcept {
        const double deficit_J = std::max(0.0, -energy_J_);
        Answer a;
        const double most = std::clamp((kFadeTo_J - deficit_J) / (kFadeTo_J - kFadeFrom_J), 0.0, 1.0);
        a.share = share_ = std::min(most, share_ + h_s_ / kReturn_s);
        const double open_J = deficit_J - kIgnored_J - pending_J_;
        const double v2h = speed_mps * speed_mps * h_s_;
        if (open_J > 0 && v2h > 0) a.damping_N = std::min(open_J / v2h, most_Ns_per_m_) * speed_mps;
        return a;
    }

    /// What a tick commanded and the model did in it.
    struct Command {
        double force_N = 0;                   // on the finger, the controller's damping in it
        double damping_N = 0, speed_mps = 0;  // that damping, and at which speed
        double model_J = 0, stored_J = 0;     // what the model took, and what the tie's spring stores at its end
        double share = 1;                     // of the model's force, where faded
        bool limited = false;
    };
    void command(double start_s, const Command& c) noexcept {
        if (count_ == kQueue) {  // nothing was measured for long: that tick is not known
            pending_J_ -= queue_[first_].damped_J;
            first_ = (first_ + 1) % kQueue;
            --count_;
            started_ = false;
        }
        const double damped_J = c.damping_N * c.speed_mps * h_s_;
        // A spring that gives a share of its force stores that share.
        const double stored_J = c.share * c.stored_J;
        const double compared_J = c.share * c.model_J + stored_J - stored_J_;
        queue_[(first_ + count_) % kQueue] = {start_s + delay_s_ + h_s_, c.force_N, compared_J, damped_J, c.limited};
        ++count_;
        pending_J_ += damped_J;
        stored_J_ = stored_J;
        if (energy_J_ < 0) energy_J_ = std::min(0.0, energy_J_ + kForgive_W * h_s_);
    }

    double energy_J() const { return energy_J_; }

  private:
    struct Tick {
        double end_s, force_N, model_J, damped_J;
        bool limited;
    };
    static constexpr std::size_t kQueue = 128;  // 16 ms at 8 kHz

    void settle(const Tick& tick, double way_m) noexcept {
        const double work_J = tick.force_N * way_m;
        energy_J_ += tick.limited ? std::min(0.0, work_J - std::min(0.0, tick.model_J)) : work_J - tick.model_J;
        energy_J_ = std::clamp(energy_J_, -kDeepest_J, kBank_J);
    }

    double h_s_, delay_s_, most_Ns_per_m_;
    std::array<Tick, kQueue> queue_{};
    std::size_t first_ = 0, count_ = 0;
    bool has_position_ = false, started_ = false;
    double t_s_ = 0, dip_m_ = 0, at_m_ = 0;
    double share_ = 1;
    double energy_J_ = 0, stored_J_ = 0, pending_J_ = 0;
};

}  // namespace letoff::keyboard
