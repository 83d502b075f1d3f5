// letoff tune, and the tuning of profiles through letoff regulate and render.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CliTune : public ProfiledProgram {
  protected:
    void SetUp() override { out({"profile", "copy", "concert", "My grand"}); }
    double hz(int key, const std::string& profile = "My grand") const {
        return reported({"tune", profile})["keys"][static_cast<std::size_t>(key - 1)]["f1_hz"].get<double>();
    }
};

TEST_F(CliTune, ListsTheFactorysPitches) {
    EXPECT_NEAR(hz(49, "concert"), 440.789, 0.001);
    EXPECT_THAT(out({"tune", "concert"}), AllOf(HasSubstr("A4       440.7886     +3.10"), HasSubstr("C8")));
}

TEST_F(CliTune, KeepsATuningInTheProfileAndTakesItBack) {
    out({"tune", "My grand", "--a4", "415", "--temperament", "just-major", "--stretch", "off"});
    EXPECT_NEAR(hz(49), 415, 1e-9);
    EXPECT_NEAR(hz(44) / hz(40), 5.0 / 4, 1e-9);
    EXPECT_THAT(out({"profile", "show", "My grand"}),
                AllOf(HasSubstr("a4_hz = 415 Hz"), HasSubstr("temperament = just-major"), HasSubstr("stretch = 0")));
    out({"tune", "My grand", "--temperament-root", "D"});
    EXPECT_NEAR(hz(46) / hz(42), 5.0 / 4, 1e-9) << "F# over D, the rest as it was";
    out({"regulate", "My grand", "--key", "A4", "note_cents=+10", "hammer_hardness=1.5", "note_volume_dB=-3"});
    EXPECT_NEAR(hz(49), 415 * std::exp2(10.0 / 1200), 1e-9);
    EXPECT_NEAR(hz(37), 415.0 / 2, 1e-9);
    out({"regulate", "My grand", "--key", "all", "temperament=werckmeister3"});
    EXPECT_THAT(out({"profile", "show", "My grand"}), HasSubstr("temperament = werckmeister3"));
    out({"profile", "undo", "My grand"});
    EXPECT_THAT(out({"profile", "show", "My grand"}), HasSubstr("temperament = just-major"));
}

TEST_F(CliTune, TakesScalesMapsAndStretchFromFiles) {
    std::string scl = "quarter tones\n24\n";
    for (int i = 1; i <= 24; ++i) scl += std::to_string(50 * i) + ".0\n";
    out({"tune", "My grand", "--scala", cache_.write("q.scl", scl)});
    EXPECT_NEAR(hz(49), 440, 1e-9);
    EXPECT_NEAR(hz(50) / hz(49), std::exp2(1.0 / 24), 1e-6) << "a scale is played without stretch";
    const std::string white =
        cache_.write("w.kbm", "12\n0\n127\n60\n60\n264\n12\n0\nx\n2\nx\n4\n5\nx\n7\nx\n9\nx\n11\n");
    out({"tune", "My grand", "--kbm", white});
    EXPECT_NEAR(hz(40), 264, 1e-6);
    EXPECT_NEAR(hz(52), 528, 1e-5);
    const json values = reported({"profile", "show", "My grand"})["values"];
    int silent = 0;
    for (const json& value : values) silent += value["row"] == "note_volume_dB" && value["value"] == -60 ? 1 : 0;
    EXPECT_EQ(silent, 36) << "the black keys";
    out({"profile", "copy", "concert", "Stretched"});
    out({"tune", "Stretched", "--a4", "440", "--stretch", cache_.write("s.csv", "A0,-20\nA4,0\nC8,35\n")});
    EXPECT_NEAR(hz(88, "Stretched"), 440 * std::exp2((3900 + 35) / 1200.0), 1e-6);
    EXPECT_NEAR(hz(25, "Stretched"), 110 * std::exp2(-10 / 1200.0), 1e-9);
}

TEST_F(CliTune, RefusesWithOneSentenceAndChangesNothing) {
    EXPECT_THAT(refused(1, {"tune", "My grand", "--a4", "500"}),
                HasSubstr("--a4: a4_hz is 500, it must be between 392 and 466 Hz"));
    EXPECT_THAT(refused(1, {"tune", "My grand", "--temperament", "wohl"}),
                HasSubstr("it must be one of equal, just-major"));
    EXPECT_THAT(refused(1, {"tune", "My grand", "--temperament-root", "H"}), HasSubstr("C, C#, D"));
    EXPECT_THAT(refused(1, {"tune", "My grand", "--stretch", "9"}), HasSubstr("it must be between 0 and 3"));
    EXPECT_THAT(refused(1, {"tune", "My grand", "--stretch", "/nowhere"}), HasSubstr("off, measured, computed"));
    EXPECT_THAT(refused(1, {"tune", "My grand", "--scala", cache_.write("b.scl", "bad\n1\nx\n")}), HasSubstr("line 3"));
    EXPECT_THAT(refused(2, {"tune", "My grand", "--a4", "440", "--kbm", "x.kbm"}), HasSubstr("leave one out"));
    EXPECT_THAT(refused(2, {"tune", "My grand", "--temperament", "young", "--scala", "x.scl"}),
                HasSubstr("leave one out"));
    EXPECT_THAT(refused(1, {"tune", "concert", "--a4", "442"}), HasSubstr("factory"));
    EXPECT_THAT(refused(1, {"regulate", "My grand", "--key", "A4", "a4_hz=442"}),
                HasSubstr("for the whole instrument"));
    EXPECT_THAT(refused(2, {"regulate", "My grand", "--key", "all", "temperament=1.5"}),
                HasSubstr("it must be one of"));
    const std::string wav = cache_.path() / "out.wav";
    EXPECT_THAT(refused(1, {"render", std::string(LETOFF_SOURCE_DIR) + "/packaging/demo/demo.mid", "-o", wav, "--scala",
                            "/nowhere.scl"}),
                HasSubstr("cannot read '/nowhere.scl'"));
    EXPECT_FALSE(std::filesystem::exists(wav));
    EXPECT_EQ(reported({"profile", "history", "My grand"})["revisions"].size(), 1u);
}

}  // namespace
}  // namespace letoff::test
