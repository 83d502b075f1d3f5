#include <nlohmann/json.hpp>

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
    EXPECT_EQ(run.status, 1);
    expect_one_sentence(run.err);
    EXPECT_NE(run.err.find("no/card.svg"), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(names_in(dir.path()).empty());
}

}  // namespace
}  // namespace letoff::test
