// A profile between two others: each row is a + share (b - a), in the whole instrument's values and in each key's. A
// profile without a value has the action's there. Two relative values are blended as they are, else what they come to.
//
// Blended are the rows that this version knows. Texts, and values of rows that it does not know, are those of a.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "storage/profile.h"

namespace letoff::ui {

struct Blend {
    storage::Profile profile;       // its name is a's
    std::vector<std::string> kept;  // rows that could not be blended: as a has them
};

/// share 0 gives a's values, 1 gives b's, to the bit. Refuses profiles of different actions.
core::Result<Blend> blend(const storage::Profile& a, const storage::Profile& b, double share);

}  // namespace letoff::ui
