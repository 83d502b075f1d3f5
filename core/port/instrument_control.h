// What the settings page may see of a live instrument and do with it. The page never meets the instrument itself, and
// no JSON comes through here.
//
// The draft: the touch that plays, as the page has changed it. Every change is heard at once and kept only by save().
// It has a revision that grows by one with every change; a change names the revision that it was made from, and where
// another page was faster nothing is done and `conflict` says so.
//
// Keys are counted as profiles do: 1..88, 0 for all. Units are those of the rows (core/param/row.h),
// else SI.
// Threads: the first group never waits and is called on the server's event thread, the second may take seconds and is
// called on one work thread, beside the first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fault/finding.h"
#include "core/midi/message.h"
#include "core/param/row.h"
#include "core/port/action_drawing.h"
#include "core/port/device_control.h"
#include "core/port/recorder_control.h"
#include "core/port/scope_control.h"
#include "core/port/telemetry.h"
#include "core/result.h"

namespace letoff::core {

struct DraftState {
    std::string profile;     // what it began from
    int saved_revision = 0;  // of that; 0: a factory profile
    std::int64_t revision = 0;
    bool unsaved = false;
    bool plays_saved = false;  // A/B: the saved touch plays, the draft waits
    int undoable = 0, redoable = 0;
    std::string last;        // what the newest change was
    bool elsewhere = false;  // another program has saved the profile since
};
struct DraftResult {
    DraftState state;
    bool conflict = false;
    std::string sentence;  // what became of it, for people
};

struct ValueChange {
    enum class Kind : std::uint8_t { kSet, kTurn, kBase };
    std::string row;
    Kind kind = Kind::kSet;
    double value = 0;
};

/// What a place has of a row.
struct RowValue {
    const Row* row = nullptr;
    double value = 0, saved = 0, factory = 0;  // now; in the saved profile; in the profile of the default
    bool own = false;                          // the place has a value of its own in the draft
};

struct ProfileEntry {
    std::string name, action, notes;
    int revision = 0;
    std::int64_t saved_unix_s = 0;
    bool factory = false;
};
struct RevisionEntry {
    int number = 0;
    std::int64_t saved_unix_s = 0;
    std::string how, note;
    int changed_values = 0;
};
struct Difference {
    int key = 0;
    std::string row;
    std::string before, after;  // as people write them; "" where there is none
};

struct NamedFigure {
    std::string id, unit;
    double value = 0;
    std::string why_not;  // there is none: a sentence; value means nothing then
};
struct MeasuredKeyFigures {
    int key = 0;
    std::vector<NamedFigure> figures;
    std::string fault;  // what it does not do that an action must; "" if all is well
};
struct MeasuredCurve {
    std::vector<double> dip_m, down_N, up_N;
};
struct Range {
    double low = 0, high = 0;
    std::string below, above;  // what fails beyond
};

enum class Which : std::uint8_t { kDraft, kSaved, kFactory };

class InstrumentControl {
  public:
    virtual ~InstrumentControl() = default;

    // Never wait.
    virtual bool play(const MidiMessage& message) = 0;  // false: too many at once, it is lost
    virtual void release_all() = 0;
    virtual void listen(bool wanted) = 0;
    virtual void watch(int key_index) = 0;
    virtual bool newest(Telemetry& telemetry) = 0;
    virtual DraftState draft() const = 0;
    virtual Health health() const = 0;

    // May wait.
    virtual std::span<const std::span<const Row>> rows() const = 0;
    virtual std::vector<RowValue> values(int key) = 0;
    virtual Result<DraftResult> edit(std::int64_t revision, std::span<const int> keys,
                                     std::span<const ValueChange> changes) = 0;
    virtual DraftResult undo(std::int64_t revision) = 0;
    virtual DraftResult redo(std::int64_t revision) = 0;
    virtual DraftResult play_saved(bool saved) = 0;
    virtual Result<DraftResult> choose(std::int64_t revision, std::string_view profile) = 0;
    /// Under its own name, or as another profile.
    virtual Result<DraftResult> save(std::int64_t revision, std::string_view name, std::string_view note) = 0;

    virtual Result<std::vector<ProfileEntry>> profiles() = 0;
    virtual Result<std::vector<RevisionEntry>> history(std::string_view profile) = 0;
    virtual Result<std::vector<Difference>> differences(std::string_view a, std::string_view b) = 0;
    virtual Result<std::string> blend(std::string_view a, std::string_view b, double share, std::string_view name) = 0;
    virtual Result<std::string> remove(std::string_view profile) = 0;
    virtual Result<std::string> restore(std::string_view profile, int revision) = 0;
    virtual Result<std::string> export_text(std::string_view profile) = 0;
    virtual Result<std::string> import_text(std::string_view text, std::string_view name) = 0;

    /// At most eight keys at a time.
    virtual Result<std::vector<MeasuredKeyFigures>> measure(std::span<const int> keys, Which of) = 0;
    virtual Result<MeasuredCurve> force_curve(int key, Which of) = 0;
    /// A curve that was measured on a real key, from a CSV file's text (letoff regulate --like).
    virtual Result<MeasuredCurve> read_curve(std::string_view csv, std::string_view file) = 0;
    /// Makes the keys, 1..88 rising, like that real one.
    virtual Result<DraftResult> make_alike(std::int64_t revision, std::span<const int> keys, std::string_view csv,
                                           std::string_view file) = 0;
    virtual Result<Range> range(int key, std::string_view figure) = 0;
    virtual Result<ActionDrawing> drawing(int key) = 0;

    /// What the instrument needs from its machine.
    virtual Findings findings() = 0;
    /// The ticks before a late one as CSV, once: then the next late one is waited for.
    virtual Result<std::string> black_box() = 0;
    virtual RecorderControl& recorder() = 0;
    virtual ScopeControl& scope() = 0;
    virtual DeviceControl& devices() = 0;
};

}  // namespace letoff::core
