// Rows of the touch that are asked for by OSC while it plays: of whatever plays, not saved.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "hw/osc/osc_packet.h"
#include "storage/profile.h"
#include "ui/app/live/live_play.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/row_change.h"
#include "ui/app/profiles/touch.h"

namespace letoff::ui {

/// A row of the action, the strings, the sound or the haptics with a value within its limits. Error: a sentence.
core::Result<RowChange> osc_row(const hw::OscParameter& parameter);

struct RowTurned {
    RowChange change;
    int key;  // 1..88, or storage::kWholeInstrument
};
/// The profile with these rows turned, and its touch. Error: it cannot be played, and is as it was.
core::Result<Touch> turn_rows(std::span<const RowTurned> rows, storage::Profile& content);

class PlayRows {
  public:
    /// Turns the page's draft where there is a page, else `content`, which then plays.
    void turn(std::span<const hw::OscParameter> parameters, LivePlay& live, PageControl* page,
              storage::Profile& content, const LivePlay::Say& say);

  private:
    std::string refusal_;  // the last one: a slider sends many
    std::int64_t turned_ns_ = std::numeric_limits<std::int64_t>::min() / 2;
};

}  // namespace letoff::ui
