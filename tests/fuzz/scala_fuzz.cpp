// Any bytes as a Scala scale, up to a line that begins with "!kbm", and the rest as a keyboard map; and all of them as
// a stretch curve: refused with one sentence, or numbers within their limits that tune 88 keys.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "storage/scala.h"
#include "storage/stretch_file.h"
#include "storage/utf8.h"
#include "tests/fuzz/require.h"

using namespace letoff;

namespace {

template <typename T>
bool refused(const core::Result<T>& result) {
    if (result.ok()) return false;
    require(!result.error().empty() && result.error().size() < 1000);
    require(storage::is_clean_text(result.error(), storage::TextShape::kOneLine));
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto stretch = storage::parse_stretch(text, "fuzz.csv"); !refused(stretch)) {
        for (const double cents : stretch.value()) require(std::abs(cents) <= storage::kMostStretch_cents);
    }
    const std::size_t split = text.find("\n!kbm");
    const auto scale = storage::parse_scale(text.substr(0, split), "fuzz.scl");
    const auto map = storage::parse_key_map(split == std::string_view::npos ? "" : text.substr(split + 1), "fuzz.kbm");
    const bool no_scale = refused(scale), no_map = refused(map);
    if (no_scale) return 0;
    for (const double cents : scale.value().cents) require(std::abs(cents) <= storage::kMostScaleCents);
    const auto tuning = core::with_scale(scale.value(), no_map ? core::KeyMap{} : map.value(), {}, "fuzz.scl");
    if (refused(tuning)) return 0;
    core::Tuning off = tuning.value();
    off.stretch = 0;
    for (const double hz : core::tuned_hz(off))
        require(hz > core::kLowestKey_hz * 0.999 && hz < core::kHighestKey_hz * 1.001);
    return 0;
}
