#include <nlohmann/json.hpp>
#include <utility>

#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

TEST(CliMeasure, OneKeyWithItsCard) {
    const TempDir dir, cache;
    const std::string card = dir.path() / "card.svg";
    const ProgramRun run = run_letoff({"measure", "--key", "C4", "--card", card, "--json"}, cache.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    ASSERT_EQ(json["keys"].size(), 1u);
    EXPECT_EQ(json["keys"][0]["name"], "C4");
    EXPECT_TRUE(json["keys"][0].contains("playing")) << "a card takes it along";
    EXPECT_NE(read_text(card).find("Piano card: concert"), std::string::npos);
    EXPECT_EQ(names_in(dir.path()), std::vector<std::string>{"card.svg"});
}

TEST(CliMeasure, ACardThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured) {
    const TempDir dir, cache;
    const ProgramRun run =
        run_letoff({"measure", "--key", "all", "--card", dir.path() / "no" / "card.svg"}, cache.path());
    expect_failed(run, 1, "no/card.svg");
    EXPECT_TRUE(names_in(dir.path()).empty());
}

TEST(CliMeasureFelt, TellsTheFibresOfATest) {
    const TempDir dir;
    const std::string file = dir.write("felt.csv",
                                       "strain,stress_Pa,branch\n0.05,1300,loading\n0.1,3900,loading\n0.2,14000,"
                                       "loading\n0.3,45000,loading\n0.3,44000,unloading\n0.2,9500,unloading\n0.1,"
                                       "2100,unloading\n0.05,600,unloading\n");
    const ProgramRun run = run_letoff({"measure", "felt", file, "--v-f0", "0.389", "--json"}, dir.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["loading"]["points"], 4);
    EXPECT_GT(json["loading"]["K_p_Pa"], 1000);
    EXPECT_LT(json["loading"]["relative_error"], 0.1);
    EXPECT_GT(json["loop_loss"], 0.05);
    EXPECT_FALSE(json.contains("keys")) << "no key is measured";
}

TEST(CliMeasureFelt, RefusesABadFileInOneSentence) {
    const TempDir dir;
    const std::string file = dir.write("felt.csv", "0.1,2,up\n");
    for (const auto& [path, said] :
         {std::pair<std::string, std::string>{file, "line 1"}, {dir.path() / "no.csv", "no.csv"}}) {
        expect_failed(run_letoff({"measure", "felt", path}, dir.path()), 1, said);
    }
}

}  // namespace
}  // namespace letoff::test
