// Who may include whom, as a table, and a scan of a source tree against it. Each finding names file and line.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace letoff::test {

/// Our folders and the folders of ours that each may include; its own always.
struct FolderRule {
    std::string_view folder;
    std::vector<std::string_view> may_include;
};
inline const std::vector<FolderRule> kFolders = {
    {"core", {}},
    {"keyboard", {"core"}},
    {"audio", {"core"}},
    {"storage", {"core"}},
    {"hw", {"core"}},
    {"ui/api", {"core", "storage"}},
    {"ui/app", {"core", "keyboard", "audio", "storage", "hw", "ui/api"}},
};

/// Third-party headers by the start of their path, and the folders they may be used in; empty: in all.
struct ThirdPartyRule {
    std::string_view prefix;
    std::vector<std::string_view> folders;
};
inline const std::vector<ThirdPartyRule> kThirdParty = {
    {"Eigen/", {}},
    {"unsupported/Eigen/FFT", {"audio"}},
    {"fmt/", {}},
    {"hwy/", {}},
    {"tbb/", {"core/rt"}},
    {"oneapi/", {"core/rt"}},
    {"sndfile", {"audio"}},
    {"fluidsynth", {"audio"}},
    {"RtAudio.h", {"audio"}},
    {"rtaudio/", {"audio"}},
    {"RtMidi.h", {"hw"}},
    {"rtmidi/", {"hw"}},
    {"lo/", {"hw/osc"}},
    {"nlopt.h", {"keyboard"}},
    {"jack/", {"hw"}},
    {"libusb", {"hw"}},
    {"SQLiteCpp/", {"storage"}},
    {"sqlite3", {"storage"}},
    {"nlohmann/", {"storage", "ui"}},
    {"CLI/", {"ui"}},
    {"spdlog/", {"ui"}},
    {"libwebsockets", {"ui"}},
};

/// Headers of the system and the compiler; the C++ library's have neither folder nor extension.
inline bool is_system_header(std::string_view header) {
    if (header.find_first_of("/.") == std::string_view::npos) return true;
    for (const std::string_view folder : {"sys/", "linux/", "netinet/", "arpa/", "bits/"}) {
        if (header.starts_with(folder)) return true;
    }
    constexpr std::string_view kKnown[] = {"dirent.h", "dlfcn.h",   "elf.h",       "link.h",      "endian.h",
                                           "errno.h",  "fcntl.h",   "immintrin.h", "malloc.h",    "netdb.h",
                                           "poll.h",   "pthread.h", "pwd.h",       "sched.h",     "semaphore.h",
                                           "signal.h", "spawn.h",   "stdio.h",     "stdlib.h",    "string.h",
                                           "time.h",   "unistd.h",  "x86intrin.h", "xmmintrin.h", "pmmintrin.h"};
    return std::find(std::begin(kKnown), std::end(kKnown), header) != std::end(kKnown);
}

/// "ui" holds "ui/app/main.cpp", not "uid/x.cpp".
inline bool is_in(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// Why `file` (from the root of the tree) may not include `header`; nothing if it may.
inline std::optional<std::string> objection_to(std::string_view file, std::string_view header, bool quoted) {
    const auto owner = std::find_if(kFolders.begin(), kFolders.end(), [&](auto& f) { return is_in(file, f.folder); });
    if (owner == kFolders.end()) return "the file lies in no folder of the table";

    for (const FolderRule& target : kFolders) {
        if (!is_in(header, target.folder)) continue;
        if (!quoted) return "our own headers are included in quotes";
        const auto& may = owner->may_include;
        if (target.folder == owner->folder || std::find(may.begin(), may.end(), target.folder) != may.end()) return {};
        return std::string(owner->folder) + " may not include " + std::string(target.folder);
    }
    for (const ThirdPartyRule& rule : kThirdParty) {
        if (!header.starts_with(rule.prefix)) continue;
        if (rule.folders.empty()) return {};
        for (const std::string_view folder : rule.folders) {
            if (is_in(file, folder)) return {};
        }
        return "this third-party header belongs to " + std::string(rule.folders.front()) + " alone";
    }
    if (quoted) return "an include path of ours is written from the root of the tree and names a folder of the table";
    if (is_system_header(header)) return {};
    return "this header is not in the table of tests/layering: give it the one folder that may use it";
}

inline constexpr int kMostLines = 500;

/// Every finding in one file, as "path:line: why".
inline std::vector<std::string> check_file(const std::filesystem::path& root, const std::string& file, bool includes) {
    static const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
    std::vector<std::string> findings;
    std::ifstream in(root / file);
    int line_number = 0;
    for (std::string line; std::getline(in, line);) {
        ++line_number;
        std::smatch match;
        if (!includes || line.find('#') == std::string::npos || !std::regex_search(line, match, kInclude)) continue;
        if (const auto why = objection_to(file, match.str(2), match.str(1) == "\"")) {
            findings.push_back(file + ":" + std::to_string(line_number) + ": " + match.str(2) + ": " + *why);
        }
    }
    if (line_number > kMostLines) {
        findings.push_back(file + ":" + std::to_string(line_number) + ": longer than " + std::to_string(kMostLines) +
                           " lines");
    }
    return findings;
}

struct Scan {
    int files = 0;
    std::vector<std::string> findings;
};

/// All C++ of the tree: includes in our folders, lengths there and in tests. In the order of paths.
inline Scan scan_tree(const std::filesystem::path& root) {
    std::vector<std::string> files;
    for (const char* folder : {"core", "keyboard", "audio", "storage", "hw", "ui", "tests"}) {
        if (!std::filesystem::exists(root / folder)) continue;
        for (auto it = std::filesystem::recursive_directory_iterator(root / folder);
             it != std::filesystem::recursive_directory_iterator(); ++it) {
            if (it->is_directory() && it->path().filename() == "node_modules") it.disable_recursion_pending();
            const std::string extension = it->path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            files.push_back(std::filesystem::relative(it->path(), root).generic_string());
        }
    }
    std::sort(files.begin(), files.end());
    Scan scan;
    for (const std::string& file : files) {
        ++scan.files;
        for (std::string& finding : check_file(root, file, !is_in(file, "tests"))) {
            scan.findings.push_back(std::move(finding));
        }
    }
    return scan;
}

}  // namespace letoff::test
