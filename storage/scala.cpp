#include "storage/scala.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "storage/text_lines.h"

namespace letoff::storage {
namespace {

constexpr int kLastMidi = 127;
constexpr int kMostDegree = 10000;
constexpr std::size_t kLongestDescription = 200;
constexpr double kLowest_hz = 1e-3, kHighest_hz = 1e5;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view digits_at(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    return text.substr(0, count);
}

/// Of digits, with a period or without; infinite where they are too many.
double number_of(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

/// A pitch line as cents; the error is the end of a sentence.
core::Result<double> cents_of(std::string_view line) {
    const std::string_view text = trimmed(line);
    const bool minus = text.starts_with('-');
    const std::string_view unsigned_text = minus || text.starts_with('+') ? text.substr(1) : text;
    const std::string_view whole = digits_at(unsigned_text);
    const std::string_view after = unsigned_text.substr(whole.size());
    if (after.starts_with('.')) {
        const std::string_view fraction = digits_at(after.substr(1));
        if (whole.empty() && fraction.empty()) return core::Error{"is no pitch; 5/4 or 386.3 would be one"};
        const double cents = number_of(unsigned_text.substr(0, whole.size() + 1 + fraction.size()));
        if (!(cents <= kMostScaleCents))
            return core::Error{fmt::format("is too far; -{0} to {0} cents are possible", kMostScaleCents)};
        return minus ? -cents : cents;
    }
    if (whole.empty()) return core::Error{"is no pitch; 5/4 or 386.3 would be one"};
    if (minus) return core::Error{"is a negative ratio; a ratio is above 0, and cents have a period"};
    double ratio = number_of(whole);
    if (after.starts_with('/')) {
        const std::string_view below = digits_at(after.substr(1));
        if (below.empty()) return core::Error{"lacks the number under the slash"};
        if (number_of(below) == 0) return core::Error{"divides by 0"};
        ratio /= number_of(below);
    }
    const double cents = ratio > 0 && std::isfinite(ratio) ? 1200 * std::log2(ratio) : 2 * kMostScaleCents;
    if (!(std::abs(cents) <= kMostScaleCents)) {
        return core::Error{ratio == 0 ? std::string("is 0; a ratio is above 0")
                                      : fmt::format("is too far; -{0} to {0} cents are possible", kMostScaleCents)};
    }
    return cents;
}

/// The number that a line of a map begins with.
std::optional<double> value_of(std::string_view line) {
    std::string_view text = trimmed(line);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool ends = end == text.data() + text.size() || *end == ' ' || *end == '\t' || *end == '!';
    if (error != std::errc() || !ends) return std::nullopt;
    return value;
}

struct MapNumber {
    std::string_view what;
    double least, most;
    bool whole;
};
constexpr std::array<MapNumber, 7> kHead{{{"the size of the map", 0, kMostMapKeys, true},
                                          {"the first MIDI note", 0, kLastMidi, true},
                                          {"the last MIDI note", 0, kLastMidi, true},
                                          {"the middle note", 0, kLastMidi, true},
                                          {"the reference note", 0, kLastMidi, true},
                                          {"the frequency of the reference note", kLowest_hz, kHighest_hz, false},
                                          {"the degree of the formal octave", 0, kMostDegree, true}}};

std::optional<std::string_view> next_not_blank(TextLines& lines) {
    auto line = lines.next();
    while (line && trimmed(*line).empty()) line = lines.next();
    return line;
}

}  // namespace

core::Result<core::Scale> parse_scale(std::string_view text, std::string_view name) {
    TextLines lines(text, '!');
    const auto description = lines.next();
    if (!description) return core::Error{fmt::format("'{}' is no Scala scale: it has no description line", name)};
    const auto count_line = lines.next();
    if (!count_line) return core::Error{fmt::format("'{}' ends before its number of notes", name)};
    const std::string_view count_text = trimmed(*count_line);
    int count = -1;
    const auto [end, error] = std::from_chars(count_text.data(), count_text.data() + count_text.size(), count);
    if (error != std::errc() || end != count_text.data() + count_text.size() || count < 0 || count > kMostScaleNotes) {
        return core::Error{fmt::format("'{}' line {}: '{}' is not the number of notes, 0 to {}", name, lines.number(),
                                       shown(count_text), kMostScaleNotes)};
    }
    core::Scale scale{shown(trimmed(*description), kLongestDescription), {}};
    for (int i = 1; i <= count; ++i) {
        const auto line = lines.next();
        if (!line) return core::Error{fmt::format("'{}' says {} notes and ends after {}", name, count, i - 1)};
        const auto cents = cents_of(*line);
        if (!cents) {
            return core::Error{fmt::format("'{}' line {}: note {} of {}, '{}', {}", name, lines.number(), i, count,
                                           shown(trimmed(*line)), cents.error())};
        }
        scale.cents.push_back(cents.value());
    }
    return scale;
}

core::Result<core::KeyMap> parse_key_map(std::string_view text, std::string_view name) {
    TextLines lines(text, '!');
    std::array<double, kHead.size()> head{};
    for (std::size_t i = 0; i < kHead.size(); ++i) {
        const MapNumber& of = kHead[i];
        const auto line = next_not_blank(lines);
        if (!line) return core::Error{fmt::format("'{}' is no Scala keyboard map: it ends before {}", name, of.what)};
        const auto value = value_of(*line);
        if (!value || !(*value >= of.least && *value <= of.most) || (of.whole && *value != std::floor(*value))) {
            return core::Error{fmt::format("'{}' line {}: '{}' is not {}, {} to {}", name, lines.number(),
                                           shown(trimmed(*line)), of.what, of.least, of.most)};
        }
        head[i] = *value;
    }
    const auto whole = [&](std::size_t i) { return static_cast<int>(head[i]); };
    core::KeyMap map{whole(1), whole(2), whole(3), whole(4), head[5], whole(6), {}};
    if (map.last_midi < map.first_midi) {
        return core::Error{
            fmt::format("'{}': the last MIDI note, {}, is before the first, {}", name, map.last_midi, map.first_midi)};
    }
    map.degree.resize(static_cast<std::size_t>(whole(0)));
    for (std::size_t i = 0; i < map.degree.size(); ++i) {
        const auto line = next_not_blank(lines);
        if (!line) break;
        const std::string_view entry = trimmed(*line);
        if (entry.starts_with('x') || entry.starts_with('X')) continue;
        const auto degree = value_of(entry);
        if (!degree || !(std::abs(*degree) <= kMostDegree) || *degree != std::floor(*degree)) {
            return core::Error{fmt::format("'{}' line {}: '{}' is no degree of the scale, -{} to {}, and no x", name,
                                           lines.number(), shown(entry), kMostDegree, kMostDegree)};
        }
        map.degree[i] = static_cast<int>(*degree);
    }
    return map;
}

ScalaFiles scala_of_pitches(std::string_view name, int first_midi, std::span<const double> pitches) {
    constexpr int kA4 = 69;
    constexpr double kSemitone_cents = 100, kPerOctave = 12, kA4_hz = 440;
    ScalaFiles files;
    files.scale = fmt::format("{}\n {}\n", shown(name, kLongestDescription), pitches.size());
    for (std::size_t i = 1; i < pitches.size(); ++i)
        files.scale += fmt::format(" {:.5f}\n", kSemitone_cents * (pitches[i] - pitches[0]));
    // What repeats beyond the last note: nothing is there.
    files.scale += fmt::format(" {:.5f}\n", kSemitone_cents * (pitches.back() - pitches[0] + 1));
    const double a4 = pitches[static_cast<std::size_t>(kA4 - first_midi)];
    const int last_midi = first_midi + static_cast<int>(pitches.size()) - 1;
    files.key_map = fmt::format(
        "! size, first and last note, middle, reference and its Hz, formal octave\n0\n{}\n{}\n{}\n{}\n{:.6f}\n0\n",
        first_midi, last_midi, first_midi, kA4, kA4_hz * std::exp2((a4 - kA4) / kPerOctave));
    return files;
}

core::Result<core::Scale> read_scale(const std::filesystem::path& path) {
    const auto text = read_text_file(path);
    if (!text) return core::Error{text.error()};
    return parse_scale(text.value(), path.string());
}

core::Result<core::KeyMap> read_key_map(const std::filesystem::path& path) {
    const auto text = read_text_file(path);
    if (!text) return core::Error{text.error()};
    return parse_key_map(text.value(), path.string());
}

}  // namespace letoff::storage
