// Measured curves as CSV: lines "number,number,word", the word saying which branch (down or up, loading or unloading)
// the point is of. Empty lines and lines that begin with # are passed over, a first line of column names too.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace letoff::keyboard {

struct BranchColumns {
    std::string_view x, y;               // names, as in the first line
    std::string_view forward, backward;  // the branches
};

/// `take` is given each point in its order; "" or a sentence why it cannot be. Error: the first line that is wrong,
/// with `file` and its number.
core::Result<bool> read_branches(std::string_view text, std::string_view file, const BranchColumns& columns,
                                 const std::function<std::string(double x, double y, bool forward)>& take);

}  // namespace letoff::keyboard
