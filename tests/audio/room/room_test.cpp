#include "audio/room/room.h"

#include <gtest/gtest.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/unit/constants.h"
#include "hwy/targets.h"
#include "tests/audio/live/virtual_play.h"
#include "tests/support/temp_dir.h"

namespace letoff::audio {
namespace {

std::vector<float> noise(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> out(count);
    for (float& sample : out) sample = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 1000;
    return out;
}

std::vector<float> convolved(Convolver& convolver, const std::vector<float>& in, const std::vector<size_t>& calls) {
    std::vector<float> out(in.size());
    for (size_t done = 0, call = 0; done < in.size(); ++call) {
        const size_t count = std::min(calls[call % calls.size()], in.size() - done);
        convolver.process(std::span(in).subspan(done, count), std::span(out).subspan(done, count));
        done += count;
    }
    return out;
}

/// A sound file of these channels.
void write(const std::string& file, int rate_hz, const std::vector<std::vector<float>>& channels) {
    SF_INFO info{};
    info.samplerate = rate_hz;
    info.channels = static_cast<int>(channels.size());
    info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
    SNDFILE* out = sf_open(file.c_str(), SFM_WRITE, &info);
    ASSERT_NE(out, nullptr) << file;
    for (size_t i = 0; i < channels[0].size(); ++i) {
        std::vector<float> frame;
        for (const auto& channel : channels) frame.push_back(channel[i]);
        sf_writef_float(out, frame.data(), 1);
    }
    sf_close(out);
}

std::vector<float> click(size_t at, size_t length) {
    std::vector<float> out(length);
    out[at] = 0.25F;
    return out;
}

class ConvolverLengths : public testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Samples, ConvolverLengths, testing::Values(1, 60, 64, 65, 128, 129, 1000));

TEST_P(ConvolverLengths, IsTheSumOverTheResponseFromTheFirstSampleOn) {
    const auto response = noise(GetParam(), 1), in = noise(1500, 2);
    Convolver convolver(response, 64);
    EXPECT_EQ(convolver.parts(), static_cast<int>((GetParam() + 63) / 64));
    const auto out = convolved(convolver, in, {1, 16, 64, 7, 441});
    double error = 0;
    for (size_t i = 0; i < in.size(); ++i) {
        double expected = 0;
        for (size_t t = 0; t <= std::min(i, response.size() - 1); ++t)
            expected += static_cast<double>(response[t]) * in[i - t];
        error = std::max(error, std::abs(out[i] - expected));
    }
    EXPECT_LT(error, 1e-5 * std::sqrt(static_cast<double>(GetParam())));  // single precision
}

TEST(Convolver, EveryCallLengthAndEverySimdTargetGivesTheSameBits) {
    const auto response = noise(3000, 3), in = noise(4000, 4);
    std::vector<std::vector<float>> all;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        for (const std::vector<size_t>& calls : {std::vector<size_t>{16}, {4000}, {1, 333, 64}}) {
            Convolver convolver(response, 128);
            all.push_back(convolved(convolver, in, calls));
        }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    ASSERT_GE(all.size(), 6u);
    for (const auto& out : all) EXPECT_EQ(out, all[0]);
}

TEST(Convolver, ForgetsAllWhenItIsSilenced) {
    const auto response = noise(1000, 5), in = noise(777, 6);
    Convolver used(response, 64), fresh(response, 64);
    convolved(used, noise(1234, 7), {100});
    used.silence();
    EXPECT_EQ(convolved(used, in, {50}), convolved(fresh, in, {50}));
}

TEST(Room, AFileOfOneClickIsTheSoundItselfLaterByItsPlace) {
    const letoff::test::TempDir folder;
    const std::string file = folder.path() / "click.wav";
    write(file, 48000, {click(700, 2000)});
    const auto response = load_room(file);
    ASSERT_TRUE(response.ok()) << response.error();
    const auto in_left = noise(3000, 8), in_right = noise(3000, 9);
    for (const double wet : {1.0, 0.25}) {
        Room room(response.value(), wet, 48000);
        auto left = in_left, right = in_right;
        EXPECT_EQ(room.process(left, right), 0);
        for (size_t i = 0; i < left.size(); ++i) {
            const double before = i < 700 ? 0 : in_left[i - 700], before_right = i < 700 ? 0 : in_right[i - 700];
            ASSERT_NEAR(left[i], (1 - wet) * in_left[i] + wet * before, 2e-6) << i;
            ASSERT_NEAR(right[i], (1 - wet) * in_right[i] + wet * before_right, 2e-6) << i;
        }
    }
}

TEST(Room, EachSideHasItsOwnResponseAndNoiseStaysAsLoud) {
    const letoff::test::TempDir folder;
    const std::string file = folder.path() / "room.wav";
    std::vector<float> hall = noise(6000, 10), silent(6000);
    write(file, 48000, {hall, silent});
    const auto response = load_room(file);
    ASSERT_TRUE(response.ok()) << response.error();
    Room room(response.value(), 1, 48000);
    auto left = noise(30000, 11), right = left;
    const auto power = [](const std::vector<float>& side) {
        double sum = 0;
        for (size_t i = 8000; i < side.size(); ++i) sum += static_cast<double>(side[i]) * side[i];
        return sum;
    };
    const double before = power(left) + power(right);
    room.process(left, right);
    EXPECT_EQ(power(right), 0);
    EXPECT_NEAR(10 * std::log10(power(left) / before), 0, 0.7);
}

// A 1 kHz burst, as it is and as it comes out of a file of another rate.
TEST(Room, AFileOfAnotherRateIsTakenToOurs) {
    const auto burst = [](double t_s) {
        return t_s < 0.02 ? std::sin(core::kPi * t_s / 0.02) * std::sin(core::kPi * t_s / 0.02) *
                                std::sin(2 * core::kPi * 1000 * t_s)
                          : 0.0;
    };
    for (const auto& [from_hz, to_hz] : {std::pair{44100, 48000}, std::pair{96000, 48000}, std::pair{48000, 192000}}) {
        RoomResponse response;
        response.rate_hz = from_hz;
        for (int i = 0; i < from_hz / 20; ++i)
            response.left.push_back(static_cast<float>(burst(static_cast<double>(i) / from_hz)));
        response.right = response.left;
        const RoomResponse changed = at_rate(response, to_hz);
        EXPECT_EQ(changed.rate_hz, to_hz);
        ASSERT_NEAR(static_cast<double>(changed.left.size()), to_hz / 20, 1);
        const double smaller = static_cast<double>(from_hz) / to_hz;  // a convolution sums over as many more
        for (size_t i = 0; i < changed.left.size(); ++i)
            ASSERT_NEAR(changed.left[i], smaller * burst(static_cast<double>(i) / to_hz), 1e-4)
                << from_hz << " to " << to_hz << ", " << i;
    }
}

TEST(Room, WhatCannotBeOneIsRefusedInOneSentence) {
    const letoff::test::TempDir folder;
    const auto path = [&](const char* name) { return (folder.path() / name).string(); };
    std::ofstream(path("text.wav")) << "no sound";
    write(path("six.wav"), 48000, std::vector<std::vector<float>>(6, click(1, 10)));
    write(path("silent.wav"), 48000, {std::vector<float>(100)});
    write(path("nan.wav"), 48000, {{1, std::nanf(""), 0}});
    write(path("slow.wav"), 4000, {click(1, 10)});
    const std::array<std::pair<std::string, const char*>, 7> cases{
        {{path("none.wav"), "there is no such file"},
         {folder.path(), "it is no file"},
         {path("text.wav"), "it is no sound file that can be read"},
         {path("six.wav"), "it has 6 channels, 1 or 2 are possible"},
         {path("silent.wav"), "it is silent"},
         {path("nan.wav"), "it has samples that are no numbers"},
         {path("slow.wav"), "its sample rate is 4000 Hz, 8000 to 384000 Hz are possible"}}};
    for (const auto& [file, why] : cases) {
        const auto response = load_room(file);
        ASSERT_FALSE(response.ok()) << file;
        EXPECT_EQ(response.error(), "cannot use the room '" + file + "': " + why);
    }
}

TEST(Room, AFileThatIsTooLongIsCut) {
    const letoff::test::TempDir folder;
    const std::string file = folder.path() / "long.wav";
    write(file, 8000, {noise(11 * 8000, 12)});
    const auto response = load_room(file);
    ASSERT_TRUE(response.ok()) << response.error();
    EXPECT_TRUE(response.value().cut);
    EXPECT_EQ(response.value().left.size(), 80000u);
}

TEST(LiveSoundInARoom, IsTheSoundThroughItsResponse) {
    auto response = std::make_shared<RoomResponse>();
    response->rate_hz = 48000;
    response->left = response->right = click(480, 3000);
    for (float& sample : response->left) sample *= 4;  // energy 1, as load_room() makes it
    response->right = response->left;
    test::PlaySetting dry, wet;
    wet.live.room = response;
    wet.live.values.of[sound_row("room_percent")] = 100;
    test::VirtualPlay plain(dry), roomy(wet);
    for (test::VirtualPlay* play : {&plain, &roomy}) {
        play->strokes = {{39, 0.06, 2e-3, 20}};
        play->play_until(0.3);
    }
    double loudest = 0;
    for (size_t i = 480; i < plain.left.size(); ++i) {
        ASSERT_NEAR(roomy.left[i], plain.left[i - 480], 1e-6) << i;
        loudest = std::max(loudest, std::abs(static_cast<double>(plain.left[i])));
    }
    EXPECT_GT(loudest, 0.01);
}

// A sound that is no number is counted and over; it does not stay in the room.
TEST(Room, WhatIsNotFiniteDoesNotStayInIt) {
    RoomResponse response{48000, noise(2000, 13), noise(2000, 14)};
    Room room(response, 0.5, 48000);
    std::vector<float> left(100), right(100);
    left[3] = std::nanf("");
    right[7] = INFINITY;
    EXPECT_EQ(room.process(left, right), 2);
    for (int block = 0; block < 60; ++block) {
        room.process(left, right);
        for (const float sample : left) ASSERT_TRUE(std::isfinite(sample));
    }
}

}  // namespace
}  // namespace letoff::audio
