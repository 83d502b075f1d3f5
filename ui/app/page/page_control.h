// The live instrument as the settings page has it (core/port/instrument_control.h): the draft of the touch that plays,
// the user's profiles, and the bench.
//
// Threads: as the port says, and poll() and heard() on the control thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/port/instrument_control.h"
#include "ui/app/instrument.h"
#include "ui/app/live/live_play.h"
#include "ui/app/page/page_devices.h"
#include "ui/app/page/page_recorder.h"
#include "ui/app/profiles/library.h"
#include "ui/app/profiles/profile_watch.h"
#include "ui/app/profiles/regulation.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

class PageControl final : public core::InstrumentControl {
  public:
    /// `profile` plays, from the database `db` (as ProfileLibrary::open has it). `takes`: what is kept of what is
    /// played, in the database `recordings`, "" the user's own. Instrument, port and takes must outlive this.
    PageControl(const Instrument& instrument, PagePort& port, TakeDesk& takes, const FoundProfile& profile,
                std::string db, std::string recordings = {});

    /// Hands the touch that the page wants to the instrument, follows what other programs save, takes its health.
    void poll(LivePlay& live, const LivePlay::Say& say);
    /// Does what works on the draft for somebody who must not wait; false: the page is at work on it, for seconds where
    /// it measures or solves, and nothing was done.
    bool if_free(const std::function<void()>& deed);
    /// A sentence about the instrument, for the page too.
    void heard(const std::string& sentence);
    /// Long work ends soon.
    void ask_to_stop() {
        stop_.store(true, std::memory_order_release);
        recorder_.ask_to_stop();
        devices_.ask_to_stop();
    }

    bool play(const core::MidiMessage& message) override { return port_.play(message); }
    void release_all() override { port_.release_all(); }
    void listen(bool wanted) override { port_.listen(wanted); }
    void watch(int key_index) override { port_.watch(key_index); }
    bool newest(core::Telemetry& telemetry) override { return port_.newest(telemetry); }
    core::DraftState draft() const override;
    core::Health health() const override;

    std::span<const std::span<const core::Row>> rows() const override;
    std::vector<core::RowValue> values(int key) override;
    core::Result<core::DraftResult> edit(std::int64_t revision, std::span<const int> keys,
                                         std::span<const core::ValueChange> changes) override;
    core::DraftResult undo(std::int64_t revision) override;
    core::DraftResult redo(std::int64_t revision) override;
    core::DraftResult play_saved(bool saved) override;
    core::Result<core::DraftResult> choose(std::int64_t revision, std::string_view profile) override;
    core::Result<core::DraftResult> save(std::int64_t revision, std::string_view name, std::string_view note) override;

    core::Result<std::vector<core::ProfileEntry>> profiles() override;
    core::Result<std::vector<core::RevisionEntry>> history(std::string_view profile) override;
    core::Result<std::vector<core::Difference>> differences(std::string_view a, std::string_view b) override;
    core::Result<std::string> blend(std::string_view a, std::string_view b, double share,
                                    std::string_view name) override;
    core::Result<std::string> remove(std::string_view profile) override;
    core::Result<std::string> restore(std::string_view profile, int revision) override;
    core::Result<std::string> export_text(std::string_view profile) override;
    core::Result<std::string> import_text(std::string_view text, std::string_view name) override;

    core::Result<std::vector<core::MeasuredKeyFigures>> measure(std::span<const int> keys, core::Which of) override;
    core::Result<core::MeasuredCurve> force_curve(int key, core::Which of) override;
    core::Result<core::MeasuredCurve> read_curve(std::string_view csv, std::string_view file) override;
    core::Result<core::DraftResult> make_alike(std::int64_t revision, std::span<const int> keys, std::string_view csv,
                                               std::string_view file) override;
    core::Result<core::Range> range(int key, std::string_view figure) override;
    core::Result<core::ActionDrawing> drawing(int key) override;
    core::RecorderControl& recorder() override { return recorder_; }
    core::ScopeControl& scope() override { return port_.scope(); }
    core::DeviceControl& devices() override { return devices_; }

    core::Findings findings() override;
    core::Result<std::string> black_box() override;

  private:
    struct Step {
        storage::ProfileValues values;  // before the change
        std::string what;
    };

    struct Wanted {
        Touch touch;
        storage::Profile content;
    };

    core::Result<ProfileLibrary*> library(ProfileLibrary::Missing missing);
    core::Result<storage::ProfileStore*> store();
    core::DraftResult conflict() const;
    core::DraftResult done(std::string sentence);
    void want(const storage::Profile& content, bool saved);
    void play_draft();
    void changed(std::string what);
    void take_profile(FoundProfile found);
    core::DraftResult take_change(storage::Profile content, const std::string& what, bool goes_on);
    core::DraftResult step(std::int64_t revision, std::vector<Step>& from, std::vector<Step>& to, const char* none);
    FoundProfile playing();
    bool is_playing(std::string_view profile) const;
    core::Result<Touch> touch(core::Which of) const;
    core::Result<std::vector<keyboard::KeyBuild>> builds(std::span<const int> keys, core::Which of) const;
    void look_elsewhere(LivePlay& live, const LivePlay::Say& say);
    void take_health(LivePlay& live);
    /// Of the profile that plays, `playing`, which another program has saved as `head`.
    std::string take_revision(LivePlay& live, storage::ProfileStore& store, storage::ProfileHead& playing,
                              const storage::ProfileHead& head);

    const Instrument& instrument_;
    PagePort& port_;
    const std::string db_;
    const std::string recordings_;
    std::atomic<bool> stop_{false};

    PageRecorder recorder_;
    PageDevices devices_;
    std::recursive_mutex work_;  // what follows: one piece of work at a time, which may be made of several (if_free)
    std::optional<ProfileLibrary> library_;
    storage::Profile content_, saved_;
    std::optional<storage::ProfileHead> head_;
    bool by_number_;  // a revision asked for stays: others' savings are not followed
    std::vector<Step> undo_, redo_;
    std::string coalesced_;  // the place and row that the newest change turned, which the next may go on turning
    std::int64_t coalesced_ns_ = 0;
    NewestRevision newest_;
    struct Measured {
        const keyboard::Action* action = nullptr;
        keyboard::GrandValues values;
        core::MeasuredKeyFigures figures;
    };
    std::map<std::tuple<int, bool, core::Which>, Measured> measured_;  // of a key, alone or with others
    struct Curve {
        const keyboard::Action* action = nullptr;
        keyboard::GrandValues values;
        core::MeasuredCurve curve;
    };
    std::map<std::pair<int, core::Which>, Curve> curves_;

    mutable std::mutex state_mutex_;  // what follows: never held for long
    core::DraftState state_;
    std::optional<Wanted> wanted_;
    core::Health health_;
    std::string black_box_;  // as CSV; "": nothing to fetch
    std::vector<std::string> messages_;
};

}  // namespace letoff::ui
