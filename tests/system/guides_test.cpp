// Every command line of README and of the guides, run as it stands there, in the order in which it stands there: a
// reader who types them gets no error.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/system/play_stage.h"
#include "tests/system/run_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

/// Lines of code blocks (four blanks before them) that call the program, a line each.
std::vector<std::string> commands_in(const fs::path& document) {
    std::vector<std::string> commands;
    std::ifstream file(document);
    for (std::string line; std::getline(file, line);) {
        for (const std::string start : {"    letoff ", "    $ letoff "}) {
            // "letoff regulate: ..." is what it answers.
            const std::string first = line.substr(0, line.find(' ', start.size()));
            if (line.starts_with(start) && !first.ends_with(':'))
                commands.push_back(line.substr(line.find("letoff ") + 7));
        }
    }
    return commands;
}

/// As a shell splits them: blanks, and double quotes that keep them.
std::vector<std::string> words_of(const std::string& command) {
    std::vector<std::string> words;
    std::istringstream stream(command);
    for (std::string word; stream >> word;) {
        if (word.starts_with('"') && (word.size() == 1 || !word.ends_with('"'))) {
            std::string rest;
            std::getline(stream, rest, '"');
            word += rest + '"';
        }
        if (word.starts_with('"') && word.size() > 1) word = word.substr(1, word.size() - 2);
        words.push_back(word);
    }
    return words;
}

/// What the machine lacks that runs the tests: then the program says so, in one sentence, and has understood the rest.
const std::vector<std::pair<std::string, std::string>> kNeedMachine = {
    {"--audio jack", "no JACK server"},   {"keyboard learn", "Keystation"}, {"keybed calibrate --gauges", "plugged in"},
    {"keybed enable-test", "plugged in"}, {"keybed monitor", "plugged in"},
};
/// Shown in order to be refused.
const std::vector<std::pair<std::string, std::string>> kRefused = {{"let_off_mm=9", "let_off_mm of A4 can be"}};

/// The pictures that are made by commands of these documents, and the file that the command makes.
struct Picture {
    const char *document, *name, *made;
};
const std::vector<Picture> kPictures = {
    {"README.md", "packaging/doc/keystroke.svg", "plots/A4_mf.svg"},
    {"README.md", "packaging/doc/force_dip.svg", "plots/A4_force.svg"},
    {"README.md", "packaging/doc/actions.svg", "actions.svg"},
    {"packaging/doc/guide.md", "packaging/doc/profiles.svg", "profiles.svg"},
    {"packaging/doc/guide.md", "packaging/doc/regulated.svg", "regulated.svg"},
};

class GuidesLong : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        forget_all_servers();
        const fs::path source = LETOFF_SOURCE_DIR;
        fs::copy_file(source / "packaging/demo/demo.mid", here_.path() / "song.mid");
        fs::copy_file(source / "packaging/demo/demo.mid", here_.path() / "played.mid");
        // What the documents ask the reader to have: a finger, a measured key, a Scala file with its map.
        std::ofstream(here_.path() / "press.csv") << "0,0\n0.05,9\n0.10,3\n";
        std::ofstream measured(here_.path() / "my_a4.csv");
        measured << "dip_mm,force_N,branch\n";
        for (int i = 0; i <= 90; ++i) measured << fmt::format("{:.1f},{:.3f},down\n", 0.1 * i, i < 45 ? 0.45 : 0.65);
        for (int i = 90; i >= 0; --i) measured << fmt::format("{:.1f},{:.3f},up\n", 0.1 * i, i < 45 ? 0.24 : 0.48);
        // Its loop loses about what felts lose.
        std::ofstream felt(here_.path() / "hammer_felt.csv");
        felt << "strain,stress_Pa,branch\n";
        for (int i = 1; i <= 40; ++i)
            felt << fmt::format("{:.2f},{:.1f},loading\n", 0.01 * i, 2e5 * std::pow(0.01 * i, 2.5));
        for (int i = 40; i >= 1; --i)
            felt << fmt::format("{:.2f},{:.1f},unloading\n", 0.01 * i, 20239 * std::pow(i / 40.0, 4));
        std::ofstream scale(here_.path() / "meanquar.scl");
        scale << "! meanquar.scl\n1/4-comma meantone\n12\n";
        for (int i = 1; i <= 12; ++i) scale << fmt::format("{:.5f}\n", 100.0 * i);
        std::ofstream(here_.path() / "white_keys.kbm")
            << "12\n0\n127\n60\n69\n440.0\n12\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
        std::error_code none;
        for (const char* font : {"/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2"}) {
            if (fs::exists(font, none))
                fs::copy_file(font, here_.path() / "piano.sf2", fs::copy_options::overwrite_existing);
        }
        fs::create_directories(here_.path() / "data/letoff");
        fs::current_path(here_.path());
    }
    void TearDown() override { fs::current_path("/"); }

    /// `play` goes on until it is stopped.
    void play(std::vector<std::string> words, const std::string& command) {
        // What is recorded must have been played.
        const bool recorded = std::find(words.begin(), words.end(), "--record") != words.end();
        const bool sounds = std::find(words.begin(), words.end(), "--audio") != words.end();
        words.insert(words.end(), {"--db", here_.path() / "data/letoff/profiles.db"});
        if (recorded) words.insert(words.end(), {"--recordings", here_.path() / "data/letoff/recordings.db"});
        if (!sounds) words.insert(words.end(), {"--audio", "none"});
        if (recorded) words.insert(words.end(), {"--demo", "--once"});
        PlayingProgram program(words, here_.path());
        ASSERT_TRUE(program.plays()) << command << '\n' << program.err();
        if (!recorded) program.send(SIGTERM);
        EXPECT_EQ(program.ends(kStartsWithin_s), 0) << command << '\n' << program.err();
    }

    TempDir here_;
};

TEST_P(GuidesLong, EveryCommandDoesWhatItSays) {
    const auto commands = commands_in(fs::path(LETOFF_SOURCE_DIR) / GetParam());
    ASSERT_GE(commands.size(), 4u);
    const auto sentence_of = [](const auto& table, const std::string& command) -> std::string {
        for (const auto& [part, sentence] : table) {
            if (command.find(part) != std::string::npos) return sentence;
        }
        return {};
    };
    for (const std::string& command : commands) {
        SCOPED_TRACE("letoff " + command);
        const bool simulated = command.find("--keybed sim") != std::string::npos;
        const std::string missing = simulated ? "" : sentence_of(kNeedMachine, command),
                          refusal = sentence_of(kRefused, command);
        const std::vector<std::string> words = words_of(command);
        if (words.front() == "play" && missing.empty()) {
            play(words, command);
            continue;
        }
        const ProgramRun run = run_letoff(words, kept_cache(), here_.path() / "data");
        if (missing.empty() && refusal.empty()) {
            // A bench that is not reached is a finding, not an error.
            EXPECT_EQ(run.status, 0) << run.err;
        } else {
            EXPECT_EQ(run.status, 1) << run.out;
            EXPECT_THAT(run.err, testing::HasSubstr(missing + refusal));
        }
    }
    for (const Picture& picture : kPictures) {
        if (picture.document != std::string(GetParam())) continue;
        EXPECT_TRUE(read_text(here_.path() / picture.made) == read_text(fs::path(LETOFF_SOURCE_DIR) / picture.name))
            << picture.name << " is not what its command makes now";
    }
}

INSTANTIATE_TEST_SUITE_P(Documents, GuidesLong,
                         testing::Values("README.md", "packaging/doc/guide.md", "packaging/doc/builder.md",
                                         "packaging/doc/developer.md"));

TEST(Guides, LinksAndPicturesAreThere) {
    for (const char* name :
         {"README.md", "packaging/doc/guide.md", "packaging/doc/builder.md", "packaging/doc/developer.md"}) {
        const fs::path document = fs::path(LETOFF_SOURCE_DIR) / name;
        const std::string text = read_text(document);
        int links = 0;
        for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
            const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
            if (target.starts_with("http")) continue;
            if (target.starts_with('#')) {  // a heading of its own: "#other-actions" is "Other actions"
                std::string heading = "# " + target.substr(1);
                std::replace(heading.begin() + 2, heading.end(), '-', ' ');
                heading[2] = static_cast<char>(std::toupper(heading[2]));
                EXPECT_NE(text.find(heading + '\n'), std::string::npos) << name << " links to " << target;
                continue;
            }
            ++links;
            EXPECT_TRUE(fs::exists(document.parent_path() / target)) << name << " links to " << target;
        }
        EXPECT_GT(links, name == std::string("packaging/doc/developer.md") ? -1 : 0) << name;
    }
}

// Paths that the developer's guide names lead somewhere.
TEST(Guides, FilesThatTheDevelopersGuideNamesAreThere) {
    const fs::path source = LETOFF_SOURCE_DIR;
    const std::string text = read_text(source / "packaging/doc/developer.md");
    int files = 0;
    for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
        const std::size_t end = text.find('`', at + 1);
        const std::string word = text.substr(at + 1, end - at - 1);
        at = end;
        const bool is_path = word.find('/') != std::string::npos && word.find(' ') == std::string::npos;
        if (!is_path) continue;
        ++files;
        EXPECT_TRUE(fs::exists(source / word)) << word;
    }
    EXPECT_GT(files, 15);
}

}  // namespace
}  // namespace letoff::test
