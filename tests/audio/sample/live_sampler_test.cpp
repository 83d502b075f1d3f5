#include "audio/sample/live_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "audio/sample/soundfont_files.h"
#include "core/rt/monotonic_clock.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_soundfont.h"
#include "tests/support/wait_for.h"

namespace letoff::audio {
namespace {

constexpr double kSoon_s = 20;

TEST(LiveSampler, LoadsBehindAndThenPlaysWhatIsStruck) {
    const test::TempDir folder;
    core::FaultCounters faults;
    SampleLink link(48000, 4000, 1024, faults);
    LiveSamplerSetting setting;
    setting.soundfont = folder.write("tiny.sf2", test::soundfont_bytes());
    setting.keys.damper_weight.fill(0.5);
    LiveSampler sampler(setting, link);
    std::string sentence;
    ASSERT_TRUE(test::wait_for(kSoon_s, [&] { return !(sentence = sampler.take_sentence()).empty(); }));
    EXPECT_EQ(sentence, "samples: tiny.sf2");
    EXPECT_EQ(sampler.take_sentence(), "") << "told once";
    ASSERT_TRUE(test::wait_for(kSoon_s, [&] { return link.playing(); }));
    core::Strike strike;
    strike.key_index = 48;
    strike.hammer_speed_mps = 2.8;
    link.on_strike(strike, 1);
    // Whenever the thread gets round to it: the block that was asked for comes in the end.
    EXPECT_TRUE(test::wait_for(kSoon_s, [&] {
        std::array<float, 1024> left{}, right{};
        link.mix({0, kPlacePerSecond, 1, 1024, false, core::monotonic_now_ns()}, left.data(), right.data());
        return *std::max_element(left.begin(), left.end()) > 0.01F;
    }));
}

TEST(LiveSampler, AMissingFileIsOneSentenceAndNothingPlays) {
    core::FaultCounters faults;
    SampleLink link(48000, 4000, 1024, faults);
    LiveSamplerSetting setting;
    setting.soundfont = "/no/such/piano.sf2";
    LiveSampler sampler(setting, link);
    std::string sentence;
    ASSERT_TRUE(test::wait_for(kSoon_s, [&] { return !(sentence = sampler.take_sentence()).empty(); }));
    EXPECT_EQ(sentence, "cannot play the samples of '/no/such/piano.sf2': there is no such file; the strings play on");
    EXPECT_FALSE(link.playing());
}

TEST(SoundfontFiles, TheUsersOrTheBestInstalledOrWhichPackagesBringOne) {
    const test::TempDir folder;
    const std::string root = folder.path();
    const auto none = find_soundfont("", root);
    ASSERT_FALSE(none.ok());
    EXPECT_NE(none.error().find("fluid-soundfont-gm (MIT) or timgm6mb-soundfont"), std::string::npos);
    EXPECT_EQ(find_soundfont("gone.sf2", root).error(), "cannot play the samples of 'gone.sf2': there is no such file");
    (void)folder.write("sf2/TimGM6mb.sf2", "x");
    EXPECT_EQ(find_soundfont("", root).value(), root + "/sf2/TimGM6mb.sf2");
    (void)folder.write("sf3/FluidR3Mono_GM.sf3", "x");
    EXPECT_EQ(find_soundfont("", root).value(), root + "/sf3/FluidR3Mono_GM.sf3");
    (void)folder.write("sf2/FluidR3_GM.sf2", "x");
    EXPECT_EQ(find_soundfont("", root).value(), root + "/sf2/FluidR3_GM.sf2");
    EXPECT_EQ(find_soundfont(root + "/sf2/TimGM6mb.sf2", root).value(), root + "/sf2/TimGM6mb.sf2");
}

}  // namespace
}  // namespace letoff::audio
