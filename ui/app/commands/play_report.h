// What `letoff play` tells at its end.
#pragma once

#include "core/fault/fault.h"
#include "ui/app/live/live_play.h"

namespace letoff::ui {

/// ready_s: from the command's begin until it could be played.
void print_play_json(const LiveReport& report, const core::FaultCounters& faults, double ready_s);
void print_play_text(const LiveReport& report);

}  // namespace letoff::ui
