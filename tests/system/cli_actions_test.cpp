// Every action of the table, by its name: it renders a short piece with sound, plays, is simulated and measured, and
// what has no meaning for it is null. A new row of the table is covered by itself.
#include <string>

#include "keyboard/action/action.h"
#include "tests/system/midi_bytes.h"
#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

using Json = nlohmann::json;
using keyboard::Action;
using keyboard::Speaks;

struct ActionsLong : ProfiledProgram, testing::WithParamInterface<const Action*> {
    std::string name() const { return std::string(GetParam()->name); }
    /// Learning the fingers of 88 keys takes its time: once for all tests of an action.
    ProgramRun letoff(const std::vector<std::string>& arguments) const {
        return run_letoff(arguments, kept_cache(), data_.path());
    }
    TempDir dir_;
};

std::vector<const Action*> all() {
    std::vector<const Action*> found;
    for (const Action& action : keyboard::actions()) found.push_back(&action);
    return found;
}
INSTANTIATE_TEST_SUITE_P(Table, ActionsLong, testing::ValuesIn(all()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(ActionsLong, RendersAShortPiece) {
    const std::string piece = dir_.write("two.mid", two_notes_midi());
    const std::string events = dir_.path() / "events.jsonl";
    const ProgramRun run =
        letoff({"render", piece, "-o", dir_.path() / "a.wav", "--action", name(), "--events", events, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Json report = Json::parse(run.out);
    EXPECT_EQ(report["action"], name());
    EXPECT_EQ(report["missed_notes"], 0);
    // Without a check the hammer falls back, is thrown once more and strikes again.
    const bool caught = name() != "two_body" && name() != "bouncing_ball" && name() != "grand_episode";
    const int extra = report["extra_strikes"];
    EXPECT_EQ(report["strikes"], 2 + extra);
    EXPECT_EQ(extra == 0, caught) << extra;
    EXPECT_EQ(report["faults"], 0);
    if (GetParam()->speaks == Speaks::by_pallet && report["soundfont"].is_null()) {
        EXPECT_NE(run.err.find("an organ has no other sound and is silent"), std::string::npos) << run.err;
        EXPECT_EQ(report["max_abs_sample"], 0);
    } else {
        EXPECT_EQ(report["engine"], GetParam()->speaks == Speaks::by_pallet ? "sample" : "modal");
        EXPECT_GT(report["max_abs_sample"], 0.003);
        EXPECT_LT(report["max_abs_sample"], 1.0);
    }
    const std::string first = read_text(events);
    const Json line = Json::parse(first.substr(0, first.find('\n')));
    EXPECT_EQ(line["hammer_speed_mps"].is_null(), !GetParam()->has_hammer());
    EXPECT_GE(line["midi_velocity"], 1);
}

TEST_P(ActionsLong, Plays) {
    const ProgramRun run = letoff({"play", "--demo", "--once", "--audio", "none", "--midi-in", "none", "--midi-out",
                                   "none", "--http", "off", "--action", name(), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Json report = Json::parse(run.out);
    EXPECT_GT(report["strikes"], 10);
    EXPECT_EQ(report["keybed_faults"], 0) << run.out;  // late ticks are the machine's
}

TEST_P(ActionsLong, IsSimulatedAndMeasured) {
    const std::string press = dir_.write("press.csv", "0,0\n0.2,0.005\n0.4,0.005\n0.6,0\n");
    const std::string out = dir_.path() / "out.csv";
    const ProgramRun simulated = letoff({"simulate", press, "-o", out, "--action", name()});
    ASSERT_EQ(simulated.status, 0) << simulated.err;
    EXPECT_EQ(read_text(out).find("nan"), std::string::npos);

    const ProgramRun run = letoff({"measure", "--key", "A4", "--action", name(), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Json key = Json::parse(run.out)["keys"][0];
    EXPECT_GT(key["key_dip_mm"], 4);
    EXPECT_GT(key["force_curve"]["down_N"].size(), 40U);
    ASSERT_FALSE(key["strokes"].empty());
    const bool hammer = GetParam()->has_hammer();
    EXPECT_EQ(key["blow_distance_mm"].is_null(), !hammer);
    EXPECT_EQ(key["strokes"][0]["hammer_speed_mps"].is_null(), !hammer);
    EXPECT_EQ(key.contains("speaks_dip_mm"), !hammer);
    EXPECT_EQ(key["let_off_mm"].is_null(), key["down_weight_g"].is_null());
}

}  // namespace
}  // namespace letoff::test
