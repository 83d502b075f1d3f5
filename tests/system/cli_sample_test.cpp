// Sampled sound off line, by the program itself, from a SoundFont that is made here.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/tiny_soundfont.h"
#include "tests/system/rendered_piece.h"

namespace letoff::test {
namespace {

using Json = nlohmann::json;

struct CliSample : RenderedPiece {
    std::string soundfont = dir.write("tiny.sf2", soundfont_bytes());
};

TEST_F(CliSample, SamplesAreTheSameToTheBitForTwoRunsAndAnyThreads) {
    const Json report = render("a.wav", {"--engine", "sample", "--soundfont", soundfont, "--executor", "inline"});
    EXPECT_EQ(report["engine"], "sample");
    EXPECT_EQ(report["soundfont"], soundfont);
    EXPECT_EQ(report["limited_samples"], 0);
    EXPECT_GT(report["max_abs_sample"], 0.005);
    render("b.wav", {"--engine", "sample", "--soundfont", soundfont, "--threads", "2", "--executor", "threads"});
    EXPECT_TRUE(read_text(in("a.wav")) == read_text(in("b.wav")));
    render("strings.wav", {});
    EXPECT_FALSE(read_text(in("a.wav")) == read_text(in("strings.wav")));
}

TEST_F(CliSample, BothIsLouderThanEitherAndFlacAt44100HzIsPossible) {
    const Json both = render("both.flac", {"--engine", "both", "--soundfont", soundfont, "--rate", "44100"});
    EXPECT_EQ(both["engine"], "both");
    EXPECT_EQ(both["sample_rate_hz"], 44100);
    EXPECT_EQ(read_text(in("both.flac")).substr(0, 4), "fLaC");
    const Json sample = render("sample.wav", {"--engine", "sample", "--soundfont", soundfont, "--rate", "44100"});
    EXPECT_GT(both["max_abs_sample"], sample["max_abs_sample"]);
}

TEST_F(CliSample, AMissingOrBrokenSoundFontIsOneSentenceAndTheStringsPlay) {
    render("strings.wav", {});
    const std::string broken = dir.write("broken.sf2", soundfont_bytes().substr(0, 20000));
    for (const std::string& file : {in("missing.sf2"), broken, piece}) {
        const Json report = render("a.wav", {"--engine", "sample", "--soundfont", file});
        EXPECT_EQ(report["engine"], "modal");
        EXPECT_TRUE(report["soundfont"].is_null());
        EXPECT_NE(run.err.find(file), std::string::npos) << run.err;
        expect_one_sentence(run.err);
        EXPECT_TRUE(read_text(in("a.wav")) == read_text(in("strings.wav")));
    }
}

}  // namespace
}  // namespace letoff::test
