// Turns the screws of keys until what is measured on them is as asked, by playing the action: the same measurement as
// `letoff measure`, eight keys side by side in the lanes of one block, batches on the threads of an executor.
//
// Figures interact (let-off and drop most of all), so all screws of a key are turned at once: Newton's method on the
// measured figures, begun with the sensitivities of kScrews and corrected by what each turn did (Broyden 1965, "good"
// update). The matrix is nearly lower triangular in the order blow, dip, let-off, drop, check: it is the technician's
// order, with the later corrections known beforehand. Weights are measured in half grams, too coarse to correct a
// matrix; their lever is known.
//
// What cannot be is refused with the range that can: the screw is turned both ways until the action fails
// (fault_of) or the screw ends, eight places at a time. Deterministic; the number of threads changes no bit.
#pragma once

#include <string>

#include "core/rt/executor.h"
#include "keyboard/action/registers.h"
#include "keyboard/regulation/figures.h"

namespace letoff::keyboard {

struct Wanted {
    std::size_t figure = 0;  // of kFigures
    double value = 0;        // in its row's unit
    bool relative = false;   // on top of what is measured before
};

/// A row of the action or of its parts, turned from where it is.
struct Turn {
    std::string_view row;
    double by = 0;
};

struct RegulatedKey {
    int key_index = 0;
    Measured before, after;
    std::vector<Turn> turns;  // none where nothing was wanted
    std::string refused;      // a sentence; the turns then are as near as it came
};

struct RegulateTask {
    const GrandTouch& before;  // what "before" and relative wishes are measured on
    const GrandTouch& start;   // where the screws are turned from: the same, or with other changes made
    std::span<const Wanted> wanted;
    const core::StringSet& strings;
    bool weights = false;  // weigh before and after even if no figure needs it
};

/// Each key by itself; refuses figures that want the same screw.
core::Result<std::vector<RegulatedKey>> regulate_keys(const RegulateTask& task, std::span<const int> key_indices,
                                                      core::Executor& executor);

/// The touch with turns made on one key.
GrandTouch turned(GrandTouch touch, int key_index, std::span<const Turn> turns);

/// How far a screw can be turned from where it is, in its row's unit.
struct Way {
    double least = 0, most = 0;
};
Way way_of(const GrandTouch& touch, int key_index, std::string_view row);

/// Where a figure can be on a key when only its screw is turned, in the row's unit.
struct FigureRange {
    double low = 0, high = 0;
    std::string_view below, above;  // what fails beyond; "" where the screw ends
};
FigureRange range_that_works(const GrandTouch& touch, int key_index, std::size_t figure, std::size_t screw,
                             const core::StringSet& strings);

}  // namespace letoff::keyboard
