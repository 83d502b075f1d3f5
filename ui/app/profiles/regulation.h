// What `letoff regulate` does to a profile: values of rows, set or turned where they are kept, and figures that a
// technician measures, for which screws are turned (keyboard/regulation) and kept as turns of the action's rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/string/modal_string.h"
#include "keyboard/regulation/solve.h"
#include "storage/profile.h"
#include "storage/profile_store.h"
#include "ui/app/profiles/row_change.h"

namespace letoff::ui {

/// What a place has of a row, before and after.
struct TurnedRow {
    int key;  // 1..88, or storage::kWholeInstrument
    const core::Row* row;
    double before, after;
};

struct RegulationReport {
    std::vector<TurnedRow> turned;
    std::vector<keyboard::RegulatedKey> measured;  // where something was asked in a technician's terms
    /// Keys (0..87) that have a value of their own where the whole instrument was set: they go on having it.
    std::vector<int> keys_with_own_values;
};

class Regulator {
  public:
    /// `keys`: 1..88, or only storage::kWholeInstrument. Changes are of kProfileRows or of figures, whose value is the
    /// figure asked for.
    Regulator(std::vector<int> keys, std::vector<RowChange> changes);

    /// Far along, 0..1; may be empty.
    std::function<void(double share)> progress;
    /// Asked between some keys and the next; may be empty.
    std::function<bool()> stop;
    /// A few keys whose parts were changed are measured before and after, for the report.
    bool measure_parts = true;

    /// Nothing is kept: what the profile becomes.
    core::Result<storage::Profile> applied_to(const storage::Profile& before);
    core::Result<storage::Saved> apply_to(storage::ProfileStore& store, const storage::ProfileHead& head,
                                          std::string_view note);
    const RegulationReport& report() const { return report_; }
    /// 0..87: those that are regulated, all for the whole instrument.
    std::vector<int> key_indices() const;

  private:
    core::Result<bool> turn_screws(const storage::Profile& before, storage::Profile& content);

    std::vector<int> keys_;
    std::vector<RowChange> changes_;
    std::vector<keyboard::Wanted> wanted_;
    bool parts_ = false;
    RegulationReport report_;
};

/// Null where it is no figure of a technician's.
const keyboard::Figure* figure_of(const core::Row& row);

}  // namespace letoff::ui
