// An instrument that only remembers what it was asked for; everything moves all the time.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "core/port/instrument_control.h"

namespace letoff::ui::test {

inline constexpr std::string_view kFakeChoices[] = {"equal", "meantone"};
inline constexpr core::Row kFakeRows[] = {
    {"let_off_mm", "mm", 1.9, 0, 20, core::Live::kTechnician, "Hammer crown to strings."},
    {"temperament", "", 1, 0, 1, core::Live::kNobody, "Where the notes lie.", kFakeChoices},
};
inline constexpr std::span<const core::Row> kFakeTables[] = {kFakeRows};

class FakeRecorder final : public core::RecorderControl {
  public:
    core::Result<core::RecorderState> state() override {
        core::RecorderState state;
        state.recordings.push_back({"Evening", "concert", 0, 1000, 12.5, 7, 0, true});
        state.recording = recording;
        return state;
    }
    core::Result<std::string> start(std::string_view name) override {
        recording = name;
        return recording;
    }
    core::Result<std::string> stop() override { return core::Error{"nothing is being recorded"}; }
    core::Result<std::string> replay(std::string_view name) override { return std::string(name); }
    core::Result<std::string> stop_replay() override { return std::string(); }
    core::Result<std::string> remove(std::string_view name) override { return std::string(name); }
    core::Result<std::string> keep(std::string_view, std::string_view new_name) override {
        return std::string(new_name);
    }
    core::Result<std::string> begin_export(std::string_view, core::ExportForm form) override {
        asked = form;
        return std::string();
    }
    core::Result<std::string> export_part(std::int64_t offset, std::size_t most) override {
        return std::string("MThd\0\xff", 6).substr(static_cast<std::size_t>(offset), most);
    }

    std::string recording;
    core::ExportForm asked = core::ExportForm::kMidi7;
};

class FakeScope final : public core::ScopeControl {
  public:
    void arm(int key_index) override { armed = key_index; }
    bool captured(int channel, core::CapturedTrace& trace) override {
        if (armed < 0) return false;
        trace = {armed, {-0.001F, 0}, {0.0025F, static_cast<float>(channel)}};
        return true;
    }
    int armed = -1;
};

class FakeDevices final : public core::DeviceControl {
  public:
    core::Result<core::DeviceState> devices() override {
        core::DeviceState state;
        state.entries.push_back({core::DeviceKind::kSound, "jack", "JACK", "", "no server runs", false});
        state.sound = used;
        core::MotorKeyboard motors;
        motors.serial = "K1";
        motors.fallen = true;
        motors.keys_out = {"A4"};
        state.motors.push_back(std::move(motors));
        return state;
    }
    core::Result<std::string> use(core::DeviceKind kind, std::string_view choice) override {
        if (choice == "jack") return core::Error{"no server runs; the sound goes on through alsa"};
        kind_used = kind;
        used = choice;
        return std::string("done");
    }
    core::Result<std::string> rearm() override {
        ++rearmed;
        return std::string("armed again");
    }
    core::DeviceKind kind_used = core::DeviceKind::kSound;
    std::string used = "auto";
    int rearmed = 0;
};

class FakeInstrument final : public core::InstrumentControl {
  public:
    std::vector<core::MidiMessage> played() const {
        const std::lock_guard lock(mutex_);
        return played_;
    }
    std::atomic<int> panics{0}, watched{-1}, edits{0}, told{0};
    std::atomic<bool> listening{false};

    bool play(const core::MidiMessage& message) override {
        const std::lock_guard lock(mutex_);
        played_.push_back(message);
        return true;
    }
    void release_all() override { ++panics; }
    void listen(bool wanted) override { listening = wanted; }
    void watch(int key_index) override { watched = key_index; }
    bool newest(core::Telemetry& telemetry) override {
        telemetry.tick = ++told;
        return true;
    }
    core::DraftState draft() const override {
        core::DraftState state;
        state.profile = "Mine";
        state.revision = edits;
        return state;
    }
    core::Health health() const override {
        core::Health health;
        health.tick_times = {{10, 12, 7}};
        health.faults = {{"tick_late", 3}};
        return health;
    }

    std::span<const std::span<const core::Row>> rows() const override { return kFakeTables; }
    std::vector<core::RowValue> values(int) override { return {{&kFakeRows[0], 1.5, 1.9, 1.9, true}}; }
    core::Result<core::DraftResult> edit(std::int64_t revision, std::span<const int> keys,
                                         std::span<const core::ValueChange> changes) override {
        if (revision != edits) return core::DraftResult{draft(), true, "another page was faster"};
        if (changes.front().value > 20) return core::Error{"let_off_mm can be 0 to 20 mm"};
        edited_keys = {keys.begin(), keys.end()};
        ++edits;
        return core::DraftResult{draft(), false, "done"};
    }
    core::DraftResult undo(std::int64_t) override { return {draft(), false, ""}; }
    core::DraftResult redo(std::int64_t) override { return {draft(), false, ""}; }
    core::DraftResult play_saved(bool) override { return {draft(), false, ""}; }
    core::Result<core::DraftResult> choose(std::int64_t, std::string_view) override { return core::Error{"none"}; }
    core::Result<core::DraftResult> save(std::int64_t, std::string_view, std::string_view) override {
        return core::Error{"none"};
    }
    core::Result<std::vector<core::ProfileEntry>> profiles() override { return std::vector<core::ProfileEntry>(); }
    core::Result<std::vector<core::RevisionEntry>> history(std::string_view) override { return core::Error{"none"}; }
    core::Result<std::vector<core::Difference>> differences(std::string_view, std::string_view) override {
        return core::Error{"none"};
    }
    core::Result<std::string> blend(std::string_view, std::string_view, double, std::string_view) override {
        return core::Error{"none"};
    }
    core::Result<std::string> remove(std::string_view) override { return core::Error{"none"}; }
    core::Result<std::string> restore(std::string_view, int) override { return core::Error{"none"}; }
    core::Result<std::string> export_text(std::string_view) override { return exported; }
    core::Result<std::string> import_text(std::string_view text, std::string_view) override {
        return std::to_string(text.size());
    }
    core::Result<std::vector<core::MeasuredKeyFigures>> measure(std::span<const int>, core::Which) override {
        return std::vector<core::MeasuredKeyFigures>{
            {49, {{"let_off_mm", "mm", 1.9, ""}, {"drop_mm", "mm", 0, "this action has no let-off"}}, ""}};
    }
    core::Result<core::MeasuredCurve> read_curve(std::string_view csv, std::string_view) override {
        return core::MeasuredCurve{{static_cast<double>(csv.size()) * 1e-3}, {0.5}, {0.4}};
    }
    core::Result<core::DraftResult> make_alike(std::int64_t revision, std::span<const int> keys, std::string_view,
                                               std::string_view file) override {
        if (revision != edits) return core::DraftResult{draft(), true, "another page was faster"};
        edited_keys = {keys.begin(), keys.end()};
        ++edits;
        return core::DraftResult{draft(), false, std::string(file)};
    }
    core::Result<core::MeasuredCurve> force_curve(int, core::Which) override { return core::MeasuredCurve{}; }
    core::Result<core::Range> range(int, std::string_view) override { return core::Range{}; }
    core::Result<core::ActionDrawing> drawing(int) override { return core::ActionDrawing{}; }
    core::Findings findings() override {
        return {{core::Finding::Level::kAdvice, "memory", "little is left", "close other programs"}};
    }
    core::Result<std::string> black_box() override { return std::string("tick\n"); }

    core::RecorderControl& recorder() override { return recorder_of_tests; }
    core::ScopeControl& scope() override { return scope_of_tests; }
    core::DeviceControl& devices() override { return devices_of_tests; }

    std::vector<int> edited_keys;
    std::string exported = "{}";
    FakeDevices devices_of_tests;
    FakeRecorder recorder_of_tests;
    FakeScope scope_of_tests;

  private:
    mutable std::mutex mutex_;
    std::vector<core::MidiMessage> played_;
};

}  // namespace letoff::ui::test
