// Tuning and voicing back into a profile's values: what `letoff tune` saves.
#pragma once

#include "core/string/string_rows.h"
#include "storage/profile.h"

namespace letoff::ui {

/// Rows that are as before keep the values they have, relative ones too; the others are set, each key only where it is
/// otherwise than the whole instrument.
void store_strings(const core::StringValues& before, const core::StringValues& after, storage::ProfileValues& values);

}  // namespace letoff::ui
