#include "audio/sound_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sndfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temp_dir.h"

namespace letoff::audio {
namespace {

class SoundFileTest : public testing::Test {
  protected:
    std::string in_folder(const char* name) const { return (folder_ / name).string(); }
    static std::string bytes(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    const test::TempDir dir_;
    const std::filesystem::path folder_ = dir_.path();
};

TEST_F(SoundFileTest, Writes24BitSamplesThatClipAtFullScale) {
    const std::array<float, 3> left = {0.5F, 2.0F, -2.0F}, right = {-0.25F, 0, 0};
    auto file = SoundFile::create(in_folder("a.wav"), 48000);
    ASSERT_TRUE(file.ok());
    file.value().write(left, right);
    EXPECT_FALSE(std::filesystem::exists(in_folder("a.wav")));
    const auto written = file.value().finish();
    ASSERT_TRUE(written.ok());
    EXPECT_EQ(written.value(), 3);
    EXPECT_FALSE(std::filesystem::exists(in_folder("a.wav.part")));
    const std::string all = bytes(in_folder("a.wav"));
    EXPECT_EQ(all.find("PEAK"), std::string::npos);
    const std::string data = all.substr(all.find("data") + 8);
    ASSERT_GE(data.size(), 18u);
    EXPECT_EQ(data.substr(0, 6), std::string("\x00\x00\x40\x00\x00\xE0", 6));
    EXPECT_EQ(data.substr(6, 3), std::string("\xFF\xFF\x7F", 3));
    EXPECT_EQ(data.substr(12, 3), std::string("\x00\x00\x80", 3));
}

// Read back, the samples are those of a WAV file within a step of 24 bits: libsndfile rounds for FLAC, for WAV it cuts
// off. And the bytes hold no clock.
TEST_F(SoundFileTest, ANameThatEndsInFlacGivesTheSameSoundInFlacAtEveryRate) {
    std::vector<float> left(5000), right(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = std::sin(0.05F * static_cast<float>(i));
        right[i] = -0.3F * left[i];
    }
    const auto read = [](const std::string& path, SF_INFO& info) {
        SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
        std::vector<int> samples(static_cast<std::size_t>(info.frames * info.channels));
        EXPECT_EQ(sf_readf_int(file, samples.data(), info.frames), info.frames);
        sf_close(file);
        return samples;
    };
    for (const int rate_hz : {44100, 48000, 88200, 96000, 176400, 192000}) {
        for (const char* name : {"a.wav", "a.FLAC", "b.flac"}) {
            auto file = SoundFile::create(in_folder(name), rate_hz);
            ASSERT_TRUE(file.ok()) << file.error();
            file.value().write(left, right);
            const auto written = file.value().finish();
            ASSERT_TRUE(written.ok()) << written.error();
        }
        SF_INFO wav{}, flac{};
        const auto from_wav = read(in_folder("a.wav"), wav), from_flac = read(in_folder("a.FLAC"), flac);
        ASSERT_EQ(from_wav.size(), 2 * left.size()) << rate_hz;
        ASSERT_EQ(from_flac.size(), from_wav.size()) << rate_hz;
        constexpr int kStep = 1 << 8;
        for (std::size_t i = 0; i < from_wav.size(); ++i)
            ASSERT_LE(std::abs(from_wav[i] - from_flac[i]), kStep) << rate_hz << " Hz, " << i;
        EXPECT_EQ(flac.format, SF_FORMAT_FLAC | SF_FORMAT_PCM_24);
        EXPECT_EQ(flac.samplerate, rate_hz);
        EXPECT_EQ(flac.channels, 2);
        EXPECT_EQ(bytes(in_folder("a.FLAC")), bytes(in_folder("b.flac")));
    }
}

TEST_F(SoundFileTest, FloatFilesHaveNoPeakChunk) {
    const std::array<float, 2> side = {0.5F, 1.5F};
    auto file = SoundFile::create(in_folder("f.wav"), 96000, SampleFormat::kFloat32);
    ASSERT_TRUE(file.ok());
    file.value().write(side, side);
    ASSERT_TRUE(file.value().finish().ok());
    EXPECT_EQ(bytes(in_folder("f.wav")).find("PEAK"), std::string::npos);
}

// Its length has 32 bits. Here a thousandth of a second is all that fits.
TEST_F(SoundFileTest, WhatDoesNotFitIntoAWavFileIsNoFileAndFlacHoldsIt) {
    const std::vector<float> side(48, 0.5F);
    constexpr std::int64_t kMost_bytes = 48 * 6;
    for (const char* name : {"whole.wav", "long.wav", "long.flac"}) {
        auto file = SoundFile::create(in_folder(name), 48000, SampleFormat::kPcm24, kMost_bytes);
        ASSERT_TRUE(file.ok()) << file.error();
        EXPECT_EQ(file.value().refusal(0.001), "") << name;
        EXPECT_EQ(file.value().refusal(0.0011).empty(), std::string_view(name) == "long.flac") << name;
        file.value().write(side, side);
        if (std::string_view(name) == "long.flac") {
            EXPECT_GT(file.value().room(), 1U << 30);
        } else {
            EXPECT_EQ(file.value().room(), 0u);
        }
        if (std::string_view(name) != "whole.wav") file.value().write(std::span(side).first(1), side);
        const auto written = file.value().finish();
        EXPECT_EQ(written.ok(), std::string_view(name) != "long.wav") << name;
        EXPECT_EQ(std::filesystem::exists(in_folder(name)), written.ok()) << name;
        if (!written.ok()) {
            EXPECT_NE(written.error().find("4 GiB"), std::string::npos) << written.error();
        }
    }
}

TEST_F(SoundFileTest, UnfinishedFileLeavesNothing) {
    {
        auto file = SoundFile::create(in_folder("b.wav"), 48000);
        ASSERT_TRUE(file.ok());
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// No destructor and no signal handler runs when a program is killed.
TEST_F(SoundFileTest, AProgramThatIsKilledLeavesNothingThatLooksLikeSound) {
    const int nameless = ::open(folder_.c_str(), O_TMPFILE | O_RDWR, 0600);  // can this file system do it?
    if (nameless >= 0) ::close(nameless);
    const pid_t child = fork();
    if (child == 0) {
        auto file = SoundFile::create(in_folder("k.wav"), 48000);
        const std::array<float, 2> side = {0.5F, 0.5F};
        if (file.ok()) file.value().write(side, side);
        raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    EXPECT_FALSE(std::filesystem::exists(in_folder("k.wav")));
    EXPECT_TRUE(nameless < 0 || std::filesystem::is_empty(folder_));
    // The next one of that name takes over what an older version left.
    std::ofstream(in_folder("k.wav.part")) << "half";
    auto next = SoundFile::create(in_folder("k.wav"), 48000);
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next.value().finish().value(), 0);
    EXPECT_FALSE(std::filesystem::exists(in_folder("k.wav.part")));
    EXPECT_EQ(std::filesystem::status(in_folder("k.wav")).permissions() & std::filesystem::perms::owner_all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(SoundFileTest, ALinkIsFollowed) {
    std::filesystem::create_directory(in_folder("elsewhere"));
    std::ofstream(in_folder("elsewhere/real.wav")) << "old";
    std::filesystem::create_symlink("elsewhere/real.wav", in_folder("link.wav"));
    std::filesystem::create_symlink("gone.wav", in_folder("dangling.wav"));
    for (const char* name : {"link.wav", "dangling.wav"}) {
        auto file = SoundFile::create(in_folder(name), 48000);
        ASSERT_TRUE(file.ok()) << file.error();
        ASSERT_TRUE(file.value().finish().ok());
        EXPECT_EQ(bytes(in_folder(name)).substr(0, 4), "RIFF") << name;
    }
    EXPECT_TRUE(std::filesystem::is_symlink(in_folder("link.wav")));
    EXPECT_EQ(bytes(in_folder("elsewhere/real.wav")).substr(0, 4), "RIFF");
    EXPECT_FALSE(std::filesystem::is_symlink(in_folder("dangling.wav")));
}

TEST_F(SoundFileTest, APipeOrDeviceIsNotReplaced) {
    ASSERT_EQ(mkfifo(in_folder("pipe").c_str(), 0600), 0);
    const auto file = SoundFile::create(in_folder("pipe"), 48000);
    ASSERT_FALSE(file.ok());
    EXPECT_NE(file.error().find("pipe: it is a device or a pipe"), std::string::npos) << file.error();
    EXPECT_TRUE(std::filesystem::is_fifo(in_folder("pipe")));
}

TEST_F(SoundFileTest, UnwritablePathIsOneSentence) {
    const auto file = SoundFile::create(in_folder("missing/b.wav"), 48000);
    ASSERT_FALSE(file.ok());
    EXPECT_NE(file.error().find("missing/b.wav: "), std::string::npos);
    EXPECT_NE(file.error().find("No such file"), std::string::npos) << file.error();
    EXPECT_EQ(file.error().find('\n'), std::string::npos);
    EXPECT_FALSE(SoundFile::create(folder_.string(), 48000).ok());
}

}  // namespace
}  // namespace letoff::audio
