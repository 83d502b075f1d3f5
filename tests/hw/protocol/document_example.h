// The worked examples of PROTOCOL.md as bytes, so that the document and the code cannot drift apart.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace letoff::test {

/// The bytes of the block ```NAME; empty if there is none.
inline std::vector<std::uint8_t> document_example(const std::string& name) {
    std::ifstream in(LETOFF_SOURCE_DIR "/hw/protocol/PROTOCOL.md");
    std::vector<std::uint8_t> bytes;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line == "```" + name) {
            inside = true;
        } else if (inside && line == "```") {
            break;
        } else if (inside) {
            std::istringstream words(line);
            for (std::string word; words >> word;) {
                bytes.push_back(static_cast<std::uint8_t>(std::stoi(word, nullptr, 16)));
            }
        }
    }
    return bytes;
}

}  // namespace letoff::test
