#include "audio/sample/soundfont_files.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace letoff::audio {
namespace {

constexpr std::uint64_t kHead = 8;  // of a chunk: its name, its length

struct Chunk {
    std::array<char, 4> name{}, type{};  // type: of RIFF and LIST
    std::uint64_t length = 0;            // of what comes after the head
    bool is(std::string_view a, std::string_view b) const {
        return std::string_view(name.data(), 4) == a && std::string_view(type.data(), 4) == b;
    }
};

/// All zeros where the file ends.
Chunk chunk_at(std::ifstream& in, std::uint64_t at) {
    std::array<char, kHead + 4> head{};
    in.clear();
    in.seekg(static_cast<std::streamoff>(at));
    in.read(head.data(), head.size());
    Chunk chunk;
    for (std::size_t i = 0; i < 4; ++i) {
        chunk.name[i] = head[i];
        chunk.type[i] = head[8 + i];
        chunk.length |= std::uint64_t{static_cast<std::uint8_t>(head[4 + i])} << (8 * i);
    }
    return chunk;
}

}  // namespace

std::string why_no_soundfont(const std::string& file) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (error || !in) return "it may not be read";
    const Chunk whole = chunk_at(in, 0);
    if (!whole.is("RIFF", "sfbk")) return "it is not a SoundFont (.sf2 or .sf3)";
    constexpr const char* kCutOff = "the SoundFont is cut off or damaged";
    if (whole.length + kHead > size) return kCutOff;
    std::uint64_t at = kHead + 4;
    for (const char* type : {"INFO", "sdta", "pdta"}) {
        const Chunk list = chunk_at(in, at);
        at += kHead + list.length;
        if (!list.is("LIST", type) || at > size) return kCutOff;
        at += list.length % 2;
    }
    return {};
}

core::Result<std::string> find_soundfont(const std::string& wanted, const std::string& folder) {
    std::error_code ignored;
    if (!wanted.empty()) {
        if (std::filesystem::exists(wanted, ignored)) return wanted;
        return core::Error{"cannot play the samples of '" + wanted + "': there is no such file"};
    }
    for (const char* name :
         {"sf2/FluidR3_GM.sf2", "sf3/MuseScore_General.sf3", "sf3/FluidR3Mono_GM.sf3", "sf2/TimGM6mb.sf2"}) {
        const std::string file = folder + "/" + name;
        if (std::filesystem::exists(file, ignored)) return file;
    }
    return core::Error{
        "there is no SoundFont to take samples from: install the package fluid-soundfont-gm (MIT) or "
        "timgm6mb-soundfont (GPL-2), or name a file with --soundfont"};
}

}  // namespace letoff::audio
