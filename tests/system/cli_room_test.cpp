// A room of the user's, by the program itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "audio/sound_file.h"
#include "tests/support/heard_file.h"
#include "tests/system/rendered_piece.h"

namespace letoff::test {
namespace {

struct CliRoom : RenderedPiece {
    /// A click after so many samples.
    void write_click(const std::string& name, int rate_hz, std::size_t at) const {
        std::vector<float> side(at + 100);
        side[at] = 0.5F;
        auto file = audio::SoundFile::create(in(name), rate_hz, audio::SampleFormat::kFloat32);
        ASSERT_TRUE(file.ok()) << file.error();
        file.value().write(side, side);
        ASSERT_TRUE(file.value().finish().ok());
    }
};

// 30 % of an echo after a tenth of a second, from a file of another rate; that much less of the sound itself.
TEST_F(CliRoom, IsHeardAsItsFileAnswers) {
    ASSERT_NO_FATAL_FAILURE(write_click("echo.wav", 96000, 9600));
    render("dry.wav", {});
    render("room.wav", {"--room", in("echo.wav")});
    EXPECT_EQ(run.err, "");
    const auto dry = heard_file(in("dry.wav")).left, room = heard_file(in("room.wav")).left;
    ASSERT_GE(room.size(), dry.size());
    constexpr std::size_t kLater = 4800;
    double error = 0, loudest = 0;
    for (std::size_t i = 0; i < dry.size(); ++i) {
        const double expected = 0.7 * dry[i] + (i < kLater ? 0 : 0.3 * dry[i - kLater]);
        error = std::max(error, std::abs(room[i] - expected));
        loudest = std::max(loudest, std::abs(expected));
    }
    EXPECT_GT(loudest, 0.01);
    EXPECT_LT(error, 0.01 * loudest);
    render("again.wav", {"--room", in("echo.wav"), "--threads", "2", "--executor", "threads"});
    EXPECT_TRUE(read_text(in("again.wav")) == read_text(in("room.wav")));
}

TEST_F(CliRoom, OneThatCannotBeUsedIsOneSentenceAndTheSoundStaysWithoutIt) {
    render("dry.wav", {});
    for (const std::string& file : {in("missing.wav"), piece, dir.path().string()}) {
        render("room.wav", {"--room", file});
        expect_one_sentence(run.err);
        EXPECT_NE(run.err.find("cannot use the room '" + file + "'"), std::string::npos) << run.err;
        EXPECT_NE(run.err.find("the sound plays on without it"), std::string::npos) << run.err;
        EXPECT_TRUE(read_text(in("room.wav")) == read_text(in("dry.wav")));
    }
}

}  // namespace
}  // namespace letoff::test
