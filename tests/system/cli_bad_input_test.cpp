#include <filesystem>
#include <string>
#include <vector>

#include "tests/system/midi_bytes.h"
#include "tests/system/profiled_program.h"

namespace letoff::test {
namespace {

namespace fs = std::filesystem;

// Each wrong call ends with its exit status, one sentence that has `word` in it, and leaves the folder as it was.
class CliBadInput : public ProfiledProgram {
  protected:
    void expect_failure(int status, const std::vector<std::string>& arguments, const std::string& word) const {
        const std::vector<std::string> before = names_in(dir_.path());
        ProfiledProgram::expect_failure(status, arguments, word);
        EXPECT_EQ(names_in(dir_.path()), before);
    }
    std::string in(const std::string& name) const { return dir_.path() / name; }
    std::string good() const { return dir_.write("good.mid", two_notes_midi()); }
    std::string wav() const { return in("out.wav"); }

    TempDir dir_;
};

TEST_F(CliBadInput, AMissingFile) {
    expect_failure(1, {"render", in("none.mid"), "-o", wav()}, "none.mid");
}

TEST_F(CliBadInput, AnEmptyFile) {
    expect_failure(1, {"render", dir_.write("empty.mid", ""), "-o", wav(), "--events", in("e.jsonl")}, "empty.mid");
}

TEST_F(CliBadInput, ATruncatedFile) {
    const std::string whole = two_notes_midi();
    for (const std::size_t length : {3u, 13u, 20u, 30u}) {
        expect_failure(1, {"render", dir_.write("cut.mid", whole.substr(0, length)), "-o", wav()}, "cut.mid");
    }
}

TEST_F(CliBadInput, AFileThatIsNoMidiFile) {
    expect_failure(1, {"render", dir_.write("text.mid", "This is a text and no music at all."), "-o", wav()},
                   "text.mid");
}

TEST_F(CliBadInput, AFolderAsInput) {
    expect_failure(1, {"render", dir_.path().string(), "-o", in("../out.wav")}, dir_.path().string());
}

TEST_F(CliBadInput, OutputInAFolderThatDoesNotExist) {
    const std::string piece = good();
    expect_failure(1, {"render", piece, "-o", in("no/out.wav")}, "no/out.wav");
    expect_failure(1, {"render", piece, "-o", wav(), "--events", in("no/e.jsonl")}, "no/e.jsonl");
    expect_failure(1, {"render", piece, "-o", wav(), "--events", in("e.jsonl"), "--midi", in("no/m.mid")}, "no/m.mid");
}

TEST_F(CliBadInput, OutputThatIsAFolder) {
    const std::string piece = good();
    fs::create_directory(in("folder"));
    expect_failure(1, {"render", piece, "-o", in("folder")}, "folder");
    expect_failure(1, {"render", piece, "-o", wav(), "--events", in("folder")}, "folder");
}

TEST_F(CliBadInput, ADeviceIsNotReplacedByASoundFile) {
    const std::string piece = good();
    expect_failure(1, {"render", piece, "-o", "/dev/null"}, "/dev/null");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(CliBadInput, AnUnknownProfileLeavesNoFile) {
    expect_failure(1, {"render", good(), "-o", wav(), "--events", in("e.jsonl"), "--profile", "mine"}, "concert");
}

TEST_F(CliBadInput, UnknownNamesSayWhatExists) {
    const std::string piece = good();
    expect_failure(2, {"render", piece, "-o", wav(), "--action", "clavichord"}, "grand");
    expect_failure(2, {"render", piece, "-o", wav(), "--engine", "tape"}, "modal or sample or both");
    expect_failure(2, {"render", piece, "-o", wav(), "--executor", "gpu"}, "inline or tbb or threads");
    expect_failure(2, {"render", piece, "-o", wav(), "--simd", "sse4"}, "auto or avx512 or avx2 or scalar");
}

TEST_F(CliBadInput, NumbersThatAreNotPossible) {
    const std::string piece = good();
    expect_failure(2, {"render", piece, "-o", wav(), "--tick", "7000"}, "7000");
    expect_failure(2, {"render", piece, "-o", wav(), "--tick", "500"}, "500");
    expect_failure(2, {"render", piece, "-o", wav(), "--tick", "fast"}, "--tick");
    expect_failure(2, {"render", piece, "-o", wav(), "--rate", "32000"}, "44100 or 48000");
    expect_failure(2, {"render", piece, "-o", wav(), "--soundfont", "a.sf2"}, "--engine modal");
    expect_failure(2, {"render", piece, "-o", wav(), "--threads", "-1"}, "--threads");
    expect_failure(2, {"render", piece, "-o", wav(), "--threads", "257"}, "--threads");
    expect_failure(2, {"bench", "--repetitions", "0"}, "--repetitions");
    expect_failure(2, {"bench", "--rows", "speed"}, "speed");
}

TEST_F(CliBadInput, WrongUse) {
    const std::string piece = good();
    expect_failure(2, {}, "subcommand");
    expect_failure(2, {"rendre"}, "render");
    expect_failure(2, {"render", piece}, "--output");
    expect_failure(2, {"render", "-o", wav()}, "IN.mid");
    expect_failure(2, {"render", piece, "-o", wav(), "--loud"}, "--loud");
    expect_failure(2, {"render", piece, piece, "-o", wav()}, "good.mid");
}

TEST_F(CliBadInput, OneFileForTwoPurposes) {
    const std::string piece = good();
    expect_failure(2, {"render", piece, "-o", piece}, "IN.mid and -o");
    expect_failure(2, {"render", piece, "-o", wav(), "--events", in("./out.wav")}, "-o and --events");
    EXPECT_EQ(read_text(piece), two_notes_midi());
}

}  // namespace
}  // namespace letoff::test
