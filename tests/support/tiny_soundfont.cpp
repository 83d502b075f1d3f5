#include "tests/support/tiny_soundfont.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace letoff::test {
namespace {

constexpr int kPeriod = 96;  // samples of a wave: the loop ends where it began
constexpr int kRate_hz = 440 * kPeriod;
constexpr int kWaves = 110;  // a quarter of a second, the last but one of them looped
constexpr int kZeros = 46;   // after every sample, as 6.1 asks

enum Generator {
    kDecayVolEnv = 36,
    kSustainVolEnv = 37,
    kInitialAttenuation = 48,
    kInstrument = 41,
    kSampleModes = 54,
    kSampleId = 53
};

std::string word(int value) {
    return {static_cast<char>(value & 0xFF), static_cast<char>(value >> 8 & 0xFF)};
}
std::string quad(std::uint32_t value) {
    return word(static_cast<int>(value & 0xFFFF)) + word(static_cast<int>(value >> 16));
}
std::string name20(std::string name) {
    name.resize(20);
    return name;
}
std::string chunk(const std::string& id, const std::string& data) {
    return id + quad(static_cast<std::uint32_t>(data.size())) + data +
           (data.size() % 2 != 0 ? std::string(1, '\0') : "");
}
std::string list(const std::string& type, const std::string& data) {
    return chunk("LIST", type + data);
}

std::string samples() {
    std::string out;
    for (int i = 0; i < kWaves * kPeriod; ++i)
        out += word(static_cast<int>(std::lround(16384 * std::sin(2 * std::numbers::pi * i / kPeriod))));
    return out + std::string(2 * kZeros, '\0');
}

}  // namespace

std::string soundfont_bytes(const TinySoundfont& font) {
    const std::string info = chunk("ifil", word(2) + word(1)) + chunk("isng", std::string("EMU8000\0", 8)) +
                             chunk("INAM", font.name + std::string(2 - font.name.size() % 2, '\0'));
    const auto generator = [](Generator what, int value) { return word(what) + word(value); };
    std::string instrument = generator(kInitialAttenuation, font.attenuation_cB) + generator(kSampleModes, 1);
    int generators = 3;
    if (font.decay_s > 0) {
        instrument += generator(kDecayVolEnv, static_cast<int>(std::lround(1200 * std::log2(font.decay_s)))) +
                      generator(kSustainVolEnv, 1000);
        generators += 2;
    }
    instrument += generator(kSampleId, 0);
    const std::string modulator_end(10, '\0'), generator_end(4, '\0');
    const std::string data =
        chunk("phdr", name20(font.name) + word(font.preset) + word(font.bank) + word(0) + quad(0) + quad(0) + quad(0) +
                          name20("EOP") + word(0) + word(0) + word(1) + quad(0) + quad(0) + quad(0)) +
        chunk("pbag", word(0) + word(0) + word(1) + word(0)) + chunk("pmod", modulator_end) +
        chunk("pgen", generator(kInstrument, 0) + generator_end) +
        chunk("inst", name20(font.name) + word(0) + name20("EOI") + word(1)) +
        chunk("ibag", word(0) + word(0) + word(generators) + word(0)) + chunk("imod", modulator_end) +
        chunk("igen", instrument + generator_end) +
        chunk("shdr", name20("sine") + quad(0) + quad(kWaves * kPeriod) + quad((kWaves - 2) * kPeriod) +
                          quad((kWaves - 1) * kPeriod) + quad(kRate_hz) + std::string(1, 69) + std::string(1, '\0') +
                          word(0) + word(1) + name20("EOS") + std::string(26, '\0'));
    return chunk("RIFF", "sfbk" + list("INFO", info) + list("sdta", chunk("smpl", samples())) + list("pdta", data));
}

}  // namespace letoff::test
