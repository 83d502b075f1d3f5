// The draft of the settings page, which the page and, by OSC and program changes, the player work on.
#include <gtest/gtest.h>

#include <array>
#include <latch>
#include <thread>

#include "tests/support/temp_dir.h"
#include "tests/system/run_program.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/factory.h"

namespace letoff::test {
namespace {

using core::ValueChange;

TEST(PageDraft, WhoMustNotWaitComesAgainWhileThePageWorks) {
    ui::InstrumentSetting setting;
    setting.cache_file = kept_tables();
    const auto instrument = ui::Instrument::create(setting);
    ASSERT_TRUE(instrument.ok()) << instrument.error();
    const TempDir folder;
    core::MonotonicClock clock(4000);
    ui::PagePort port(clock);
    core::FaultCounters faults;
    ui::TakeDesk takes(faults, [] {});
    const auto concert = ui::factory_profile("concert");
    if (!concert) FAIL() << "there is no concert";
    ui::PageControl control(*instrument.value(), port, takes, {*concert, {}, 0, false}, folder.path() / "profiles.db");
    const std::array keys{49};
    const std::array harder{ValueChange{"hammer_mass_kg", ValueChange::Kind::kSet, 0.012}};
    bool turned = false;
    const auto turn = [&] { turned = control.edit(control.draft().revision, keys, harder).ok(); };

    std::latch at_work(1), enough(1);
    std::thread page([&] {
        control.if_free([&] {
            at_work.count_down();
            enough.wait();
        });
    });
    at_work.wait();
    EXPECT_FALSE(control.if_free(turn));
    EXPECT_FALSE(turned);
    enough.count_down();
    page.join();
    EXPECT_TRUE(control.if_free(turn));
    EXPECT_TRUE(turned);
    EXPECT_EQ(control.draft().undoable, 1);
}

}  // namespace
}  // namespace letoff::test
