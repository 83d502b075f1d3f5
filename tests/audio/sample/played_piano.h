// A sampled piano of the tiny SoundFont (tests/support/tiny_soundfont.h), and what is heard of it.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "audio/sample/sampled_piano.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_soundfont.h"

namespace letoff::audio::test {

inline SampleKeys even_keys(double damper_weight) {
    SampleKeys keys;
    keys.damper_weight.fill(damper_weight);
    return keys;
}

/// A piano of the tiny SoundFont, and what it has played.
struct Played {
    explicit Played(const letoff::test::TinySoundfont& font = {}, int rate = 48000,
                    const SampleKeys& keys = even_keys(0.5))
        : rate_hz(rate) {
        piano = std::move(
            SampledPiano::load(folder.write("tiny.sf2", letoff::test::soundfont_bytes(font)), rate, keys).value());
    }
    /// Plays on; the sound of it.
    std::vector<float> play(double seconds) {
        std::vector<float> left(static_cast<std::size_t>(seconds * rate_hz)), right(left.size());
        piano->render(left, right);
        return left;
    }
    double level_dB(double seconds) { return dB(play(seconds)); }
    static double dB(const std::vector<float>& sound) {
        double sum = 0;
        for (const float sample : sound) sum += static_cast<double>(sample) * sample;
        return 10 * std::log10(sum / static_cast<double>(sound.size()) + 1e-30);
    }

    letoff::test::TempDir folder;
    int rate_hz;
    std::unique_ptr<SampledPiano> piano;
};

}  // namespace letoff::audio::test
