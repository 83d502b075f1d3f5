#include "ui/app/plot/regulation_plot.h"

#include <gtest/gtest.h>

#include <string>

#include "core/string/string_rows.h"

namespace letoff::ui {
namespace {

// Voicing of a key is no figure of a technician's, so nothing is measured for it.
TEST(RegulationPlot, WhereNothingWasMeasuredTheTurnedRowsAreDrawnAlone) {
    const core::Row& row = core::kStringRows[core::string_row("note_cents")];
    RegulationReport report;
    report.turned = {{52, &row, 0, 1.5}};
    const std::string svg = regulation_svg(report, "Mine: C5 regulated");
    EXPECT_NE(svg.find("note_cents"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("let_off_mm"), std::string::npos) << "it was not measured";
    report.turned = {{storage::kWholeInstrument, &row, 0, 1.5}};
    EXPECT_TRUE(regulation_svg(report, "Mine: all regulated").ends_with("</svg>\n"));
}

}  // namespace
}  // namespace letoff::ui
