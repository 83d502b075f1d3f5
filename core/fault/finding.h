// What was found out about one thing that the instrument needs from its machine, and what puts it right (letoff
// doctor).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace letoff::core {

struct Finding {
    enum class Level {
        kGood,
        kAdvice,  // the instrument plays, and would play better or more
        kFault,   // something of it does not work
    };
    Level level = Level::kGood;
    std::string check;  // "real-time priority"
    std::string says;
    std::string fix;  // empty where nothing is to be done
};

using Findings = std::vector<Finding>;

constexpr std::string_view level_name(Finding::Level level) noexcept {
    switch (level) {
        case Finding::Level::kGood:
            return "good";
        case Finding::Level::kAdvice:
            return "advice";
        case Finding::Level::kFault:
            return "fault";
    }
    return "";
}

}  // namespace letoff::core
