// JSON in and out in the ways nlohmann's own functions do not have: objects in a chosen order with numbers by
// std::to_chars, and a parser that refuses deep nesting and a name given twice. Internal to storage.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace letoff::storage {

using Json = nlohmann::json;

inline constexpr int kDeepestJson = 16;

/// The sentence says line and column, or which name stands twice.
core::Result<Json> parse_json(std::string_view text);

/// The whole of a JSON value, indented by two blanks, one member a line (an object of one plain member on one line);
/// what is no UTF-8 or no finite number is replaced.
std::string json_text(const Json& json);

/// An object written member by member.
class JsonObjectWriter {
  public:
    void member(std::string_view name, const Json& value);
    void begin_object(std::string_view name);
    void end_object();
    /// Ends the outermost object.
    std::string finish();

  private:
    void begin_member(std::string_view name);

    std::string out_ = "{";
    std::vector<bool> has_members_{false};  // one for each object that is open
};

}  // namespace letoff::storage
