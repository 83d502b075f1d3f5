// What --help says of an option's value, for the other texts that are made from it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::ui {

/// "auto|require|off", "FILE", "INT"; empty for a flag.
inline std::string value_text(const CLI::Option& option) {
    if (!option.get_option_text().empty()) return option.get_option_text();
    return option.get_type_size() == 0 ? std::string() : option.get_type_name();
}

/// The words that can be typed as they stand: of "auto|alsa[:DEVICE]|wav:FILE|NAME=2" it is auto, alsa and wav: .
inline std::vector<std::string> fixed_words(std::string_view value) {
    std::vector<std::string> words;
    while (!value.empty()) {
        const std::size_t bar = value.find('|');
        std::string_view word = value.substr(0, bar);
        value = bar == std::string_view::npos ? std::string_view() : value.substr(bar + 1);
        // Upper case stands for something of the user's.
        word = word.substr(0, word.find_first_of("[=ABCDEFGHIJKLMNOPQRSTUVWXYZ "));
        if (!word.empty()) words.emplace_back(word);
    }
    return words;
}

}  // namespace letoff::ui
