// letoff profile, letoff regulate, and --profile: the whole way through the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/system/cli_profile_fixture.h"
#include "tests/system/midi_bytes.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(CliProfile, ListLongMeasuresEachProfile) {
    make_mine();
    out({"regulate", "Mine", "--key", "A4", "let_off_button_y_mm=-0.1"});
    const json list = reported({"profile", "list", "--long"});
    const auto measured = [&](const std::string& name) -> json {
        for (const json& profile : list["profiles"]) {
            if (profile["name"] == name) return profile;
        }
        ADD_FAILURE() << name << " is not in the list";
        return {};
    };
    const json concert = measured("concert"), mine = measured("Mine"), two_body = measured("two-body");
    EXPECT_EQ(list["profiles"].front(), concert);
    EXPECT_EQ(list["profiles"].back(), mine) << "the factory's come first";
    EXPECT_NEAR(mine["let_off_mm"].get<double>() - concert["let_off_mm"].get<double>(), 0.67, 0.05)
        << "0.1 mm of the button";
    EXPECT_EQ(mine["down_weight_g"], concert["down_weight_g"]);
    EXPECT_THAT(out({"profile", "list", "--long"}), HasSubstr("heavy-practice            57.5  32.5    12.50"));
    // What an action without a jack has none of is nothing, not a number.
    EXPECT_TRUE(two_body["let_off_mm"].is_null());
    EXPECT_TRUE(two_body["down_weight_g"].is_null());
    EXPECT_GT(two_body["key_dip_mm"].get<double>(), 9);
    expect_failure(2, {"profile", "list", "--long", "--key", "H4"}, "H4");
    expect_failure(2, {"profile", "list", "--long", "--key", "all"}, "one key");
}

TEST_F(CliProfile, BlendsTwoProfiles) {
    make_mine();
    out({"regulate", "Mine", "--key", "all", "hammer_mass_kg=0.0142"});
    out({"regulate", "Mine", "--key", "A4", "drop_screw_y_mm=+0.2"});
    EXPECT_THAT(out({"profile", "blend", "concert", "Mine", "25", "Between"}),
                HasSubstr("Between, revision 1: 25 % of the way from 'concert' to 'Mine'"));
    EXPECT_EQ(values_of("Between"), "all hammer_mass_kg 0.0112\n49 drop_screw_y_mm 0.05 relative\n");
    out({"profile", "blend", "concert", "Mine@2", "100", "All of it"});
    EXPECT_EQ(values_of("All of it"), "all hammer_mass_kg 0.0142\n");
    expect_failure(2, {"profile", "blend", "concert", "Mine", "101", "More"}, "0 to 100 is needed");
    expect_failure(2, {"profile", "blend", "concert", "Mine", "nan", "More"}, "0 to 100 is needed");
    expect_failure(1, {"profile", "blend", "concert", "Nobody", "50", "More"}, "no profile named 'Nobody'");
    expect_failure(1, {"profile", "blend", "concert", "Mine", "50", "Mine"}, "a profile named 'Mine' already");
}

TEST_F(CliProfile, LookingMakesNoDatabase) {
    EXPECT_THAT(out({"profile", "list"}), HasSubstr("concert"));
    const json list = reported({"profile", "list"});
    ASSERT_EQ(list["profiles"].size(), 13u);
    EXPECT_EQ(list["profiles"][0]["factory"], true);
    EXPECT_THAT(out({"profile", "show", "concert"}), HasSubstr("factory profile"));
    EXPECT_THAT(out({"profile", "rows"}), HasSubstr("let_off_button_y_mm"));
    EXPECT_GT(reported({"profile", "rows"})["rows"].size(), 100u);
    EXPECT_TRUE(names_in(data_.path()).empty());
}

TEST_F(CliProfile, CopyRegulateCompareUndo) {
    make_mine();
    EXPECT_THAT(out({"regulate", "Mine", "--key", "A4", "hammer_mass_kg=+0.003", "let_off_button_y_mm=71.5", "--note",
                     "heavier"}),
                AllOf(HasSubstr("revision 2"), HasSubstr("key 49 (A4)"), HasSubstr("0.0102 -> 0.0132 kg")));
    EXPECT_EQ(values_of("Mine"), "49 hammer_mass_kg 0.003 relative\n49 let_off_button_y_mm 71.5\n");
    const json turned = reported({"regulate", "Mine", "--key", "all", "key_com_x_mm:=-40", "lever_height_mm=+0.1"});
    EXPECT_EQ(turned["revision"], 3);
    EXPECT_EQ(turned["changes"][0]["key"], nullptr);
    EXPECT_EQ(turned["changes"][0]["after"], -40);
    EXPECT_EQ(turned["changes"][1]["after"], 0.18);
    EXPECT_EQ(values_of("Mine"),
              "all key_com_x_mm -40.0\nall lever_height_mm 0.1 relative\n49 hammer_mass_kg 0.003 relative\n"
              "49 let_off_button_y_mm 71.5\n");
    const json diff = reported({"profile", "diff", "Mine@2", "Mine"});
    ASSERT_EQ(diff["values"].size(), 2u);
    EXPECT_EQ(diff["values"][0]["row"], "key_com_x_mm");
    EXPECT_EQ(diff["values"][0]["before"], nullptr);
    EXPECT_THAT(out({"profile", "diff", "concert", "Mine@2"}),
                AllOf(HasSubstr("name: 'concert' -> 'Mine'"), HasSubstr("hammer_mass_kg none -> +0.003 kg")));
    EXPECT_THAT(out({"profile", "diff", "Mine", "Mine@3"}), HasSubstr("no difference"));
    EXPECT_THAT(out({"profile", "undo", "Mine"}), HasSubstr("revision 4"));
    EXPECT_EQ(values_of("Mine"), values_of("Mine@2"));
    const json history = reported({"profile", "history", "Mine"});
    ASSERT_EQ(history["revisions"].size(), 4u);
    EXPECT_EQ(history["revisions"][1]["note"], "heavier");
    EXPECT_EQ(history["revisions"][1]["how"], "regulated");
    EXPECT_EQ(history["revisions"][3]["content_of"], 2);
    EXPECT_THAT(history["revisions"][0]["saved"].get<std::string>(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(CliProfile, RegulatesRangesAndRegisters) {
    make_mine();
    out({"regulate", "Mine", "--key", "bass", "hammer_mass_kg=+0.001"});
    out({"regulate", "Mine", "--key", "A0-C1,88", "hammer_mass_kg=base"});
    EXPECT_THAT(out({"profile", "show", "Mine"}), HasSubstr("  C#1-E2"));
    EXPECT_THAT(out({"regulate", "Mine", "--key", "E2", "hammer_mass_kg=0.012"}), HasSubstr("-> 0.012 kg"));
    EXPECT_THAT(out({"regulate", "Mine", "--key", "all", "hammer_mass_kg=0.011"}),
                AllOf(HasSubstr("whole instrument"), HasSubstr("E2 keep the values of their own")));
    // A repeated turn goes on from where it was.
    out({"regulate", "Mine", "--key", "E2", "hammer_mass_kg=-0.001"});
    EXPECT_THAT(values_of("Mine"), HasSubstr("20 hammer_mass_kg 0.011\n"));
}

TEST_F(CliProfile, WrongRegulation) {
    make_mine();
    expect_failure(2, {"regulate", "Mine", "--key", "H4", "hammer_mass_kg=+1"}, "--key all is the whole instrument");
    expect_failure(2, {"regulate", "Mine", "--key", "A4", "hammer_weight=1"}, "there is no value 'hammer_weight'");
    expect_failure(2, {"regulate", "Mine", "--key", "A4", "hammer_mass_kg=1"}, "between 0.00306 and 0.0306 kg");
    expect_failure(2, {"regulate", "Mine", "--key", "A4", "hammer_mass_kg"}, "is no change");
    expect_failure(2, {"regulate", "Mine", "--key", "A4"}, "CHANGE");
    expect_failure(2, {"regulate", "Mine", "hammer_mass_kg=0.01"}, "--key");
    expect_failure(1, {"regulate", "Mine", "--key", "A4", "hammer_mass_kg=+0.0204001"}, "key 49 (A4)");
    expect_failure(1, {"regulate", "Mine", "--key", "A4", "catch_up=50"}, "whole instrument");
    expect_failure(1, {"regulate", "Mine", "--key", "A4", "hammer_mass_kg=base"}, "nothing was saved");
    expect_failure(1, {"regulate", "concert", "--key", "A4", "hammer_mass_kg=0.01"}, "profile copy concert");
    expect_failure(1, {"regulate", "Yours", "--key", "A4", "hammer_mass_kg=0.01"},
                   "light-salon, regulated, worn, grand-episode, two-body, upright-studio, upright-worn, harpsichord, "
                   "fortepiano, organ, Mine");
    EXPECT_EQ(reported({"profile", "history", "Mine"})["revisions"].size(), 1u);
}

TEST_F(CliProfile, DeleteRestoreRename) {
    out({"profile", "new", "Salon", "--notes", "As bought", "--note", "first"});
    EXPECT_THAT(out({"profile", "rename", "Salon", "Salon 1901"}), HasSubstr("revision 2"));
    EXPECT_THAT(out({"profile", "note", "salon 1901", "Repinned in May"}), HasSubstr("revision 3"));
    EXPECT_THAT(out({"profile", "delete", "Salon 1901"}), HasSubstr("revision 4"));
    EXPECT_THAT(out({"profile", "list"}), Not(HasSubstr("Salon")));
    EXPECT_THAT(out({"profile", "list", "--all"}), HasSubstr("deleted"));
    expect_failure(1, {"profile", "show", "Salon 1901"}, "there is no profile");
    EXPECT_EQ(reported({"profile", "show", "Salon 1901@4"})["deleted"], true);
    EXPECT_THAT(out({"profile", "restore", "Salon 1901"}), HasSubstr("revision 5"));
    EXPECT_EQ(reported({"profile", "show", "Salon 1901"})["notes"], "Repinned in May");
    EXPECT_EQ(reported({"profile", "restore", "Salon 1901@1"})["revision"], 6);
    EXPECT_EQ(reported({"profile", "show", "Salon 1901"})["notes"], "As bought");
    expect_failure(1, {"profile", "restore", "Salon 1901"}, "name a revision");
    expect_failure(2, {"profile", "restore", "Salon 1901@x"}, "names no revision");
    expect_failure(1, {"profile", "restore", "Salon 1901@9"}, "it has 1 to 6");
    expect_failure(1, {"profile", "copy", "concert", "SALON 1901"}, "already");
    expect_failure(1, {"profile", "new", "Concert"}, "factory profile");
    expect_failure(1, {"profile", "new", "a@b"}, "cannot be the name");
    for (const char* change : {"delete", "undo", "history"})
        expect_failure(1, {"profile", change, "concert"}, "factory profile");
    expect_failure(2, {"profile"}, "subcommand");
    expect_failure(2, {"profile", "lst"}, "there is no subcommand 'lst', use one of list, show");
}

TEST_F(CliProfile, MeasureShowsWhatWasRegulatedOnThatKeyAlone) {
    make_mine();
    // The grand's rows say it: 0.1 mm lower gives 0.67 mm more let-off.
    out({"regulate", "Mine", "--key", "A4", "let_off_button_y_mm=-0.1"});
    const auto measured = [&](const char* key, const std::string& profile) {
        return reported({"measure", "--key", key, "--profile", profile})["keys"][0];
    };
    const json before = measured("A4", "concert"), after = measured("A4", "Mine");
    EXPECT_NEAR(after["let_off_mm"].get<double>() - before["let_off_mm"].get<double>(), 0.67, 0.1);
    EXPECT_EQ(measured("A#4", "concert"), measured("A#4", "Mine"));
    EXPECT_EQ(measured("A4", "Mine@1"), before);
}

TEST_F(CliProfile, ProfilesThatCannotBeHadAreASentence) {
    const std::string piece = folder_.write("good.mid", two_notes_midi());
    const std::vector<std::string> render{"render", piece, "-o", in("out.wav"), "--profile"};
    const auto with = [](std::vector<std::string> arguments, const std::vector<std::string>& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    expect_failure(1, with(render, {"Mine"}), "there are: concert");
    expect_failure(1, with(render, {"Mine", "--db", in("none.db")}), "none.db");
    expect_failure(1, with(render, {"concert@2"}), "no revisions");
    expect_failure(1, {"measure", "--profile", "Mine"}, "there are: concert");
    EXPECT_FALSE(fs::exists(in("out.wav")));
}

TEST_F(CliProfile, ADamagedDatabaseIsSetAsideAndWhatItsCopyHasIsThere) {
    make_mine();
    out({"profile", "list"});  // makes the backup copy
    std::ofstream(database(), std::ios::binary) << "This was a database once.";
    const ProgramRun list = run({"profile", "list"});
    EXPECT_EQ(list.status, 0);
    EXPECT_THAT(list.out, HasSubstr("Mine"));
    EXPECT_THAT(list.err, AllOf(HasSubstr("warning"), HasSubstr("damaged-1")));
    EXPECT_EQ(read_text(database().string() + ".damaged-1"), "This was a database once.");

    std::ofstream(database(), std::ios::binary) << "And again.";
    fs::remove(database().string() + ".backup");
    const ProgramRun played = run({"play", "--demo", "--once", "--profile", "Mine", "--audio", "nonsense"});
    EXPECT_EQ(played.status, 2);  // wrong use is found first, and touches nothing
    EXPECT_EQ(read_text(database()), "And again.");
    const ProgramRun rendered =
        run({"render", folder_.write("good.mid", two_notes_midi()), "-o", in("o.wav"), "--profile", "Mine"});
    EXPECT_EQ(rendered.status, 1);
    EXPECT_THAT(rendered.err, AllOf(HasSubstr("damaged-2"), HasSubstr("there is no profile named 'Mine'")));
    EXPECT_THAT(out({"profile", "copy", "concert", "Mine"}), HasSubstr("revision 1"));
}

TEST_F(CliProfile, TwoProgramsRegulateAtOnceAndNoTurnIsLost) {
    make_mine();
    constexpr int kTurns = 8;
    std::array<int, 2> failures{};
    std::vector<std::thread> programs;
    programs.reserve(failures.size());
    for (int& failed : failures) {
        programs.emplace_back([this, &failed] {
            for (int i = 0; i < kTurns; ++i)
                failed += run({"regulate", "Mine", "--key", "A4", "lever_height_mm=+0.01"}).status == 0 ? 0 : 1;
        });
    }
    for (std::thread& program : programs) program.join();
    EXPECT_EQ(failures, (std::array<int, 2>{}));
    EXPECT_EQ(values_of("Mine"), "49 lever_height_mm 0.16 relative\n");
    EXPECT_EQ(reported({"profile", "history", "Mine"})["revisions"].size(), 1u + 2 * kTurns);
}

TEST_F(CliProfile, EverySubcommandShowsAnExample) {
    for (const std::string name : {"list", "show", "new", "copy", "rename", "note", "diff", "export", "import",
                                   "delete", "history", "restore", "undo", "rows", "curves", "blend"}) {
        const std::string help = out({"profile", name, "--help"});
        EXPECT_THAT(help, AllOf(HasSubstr("Example: letoff profile " + name), HasSubstr("--json"), HasSubstr("--db")));
    }
}

}  // namespace
}  // namespace letoff::test
