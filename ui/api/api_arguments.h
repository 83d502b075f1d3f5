// What a call of the page is given, read out of its JSON object. What cannot be understood is thrown as one sentence
// that names the argument and what it has to be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/port/instrument_control.h"
#include "ui/api/json_of.h"

namespace letoff::ui {

/// What was asked cannot be understood; caught in api_call.
struct Misunderstood {
    std::string sentence;
};
[[noreturn]] void misunderstood(std::string sentence);

/// Without `otherwise` it has to be there.
std::string text(const Json& args, const char* name, const char* otherwise = nullptr);
double number(const Json& args, const char* name);
std::int64_t whole(const Json& args, const char* name);
/// False where it is left out.
bool flag(const Json& args, const char* name);
/// `least`: 0 where the whole instrument may be meant, else 1.
int key(const Json& args, int least);
/// Rising, each once.
std::vector<int> keys(const Json& args, int least, std::size_t most);
core::Which which(const Json& args);
std::vector<core::ValueChange> changes(const Json& args);
core::ExportForm form(const Json& args);
core::DeviceKind device_kind(const Json& args);

}  // namespace letoff::ui
