#include "storage/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

namespace letoff::storage {

namespace {

constexpr std::size_t kLongestShown_bytes = 80;

void begin_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(2 * depth, ' ');
}

/// A negative zero is written as zero: "-0" would be read back as the whole number 0.
void append_number(std::string& out, double value) {
    if (!std::isfinite(value)) value = 0;
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value + 0.0).ptr;
    out.append(buffer, end);
}

void append_string(std::string& out, std::string_view text) {
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(std::string& out, const Json& json, std::size_t depth) {
    if (json.is_number_float()) return append_number(out, json.get<double>());
    if (json.is_string()) return append_string(out, json.get_ref<const std::string&>());
    if (!json.is_structured() || json.empty()) {
        out += json.dump();
        return;
    }
    if (json.is_object() && json.size() == 1 && !json.front().is_structured()) {  // {"relative": 0.2}
        out += '{';
        append_string(out, json.begin().key());
        out += ": ";
        append(out, json.front(), depth);
        out += '}';
        return;
    }
    out += json.is_object() ? '{' : '[';
    bool first = true;
    for (auto item = json.begin(); item != json.end(); ++item) {
        if (!std::exchange(first, false)) out += ',';
        begin_line(out, depth + 1);
        if (json.is_object()) {
            append_string(out, item.key());
            out += ": ";
        }
        append(out, item.value(), depth + 1);
    }
    begin_line(out, depth);
    out += json.is_object() ? '}' : ']';
}

/// What the parser's callback found wrong; thrown through it.
struct Refused {
    std::string why;
};

}  // namespace

core::Result<Json> parse_json(std::string_view text) {
    std::vector<std::set<std::string>> names;  // one set for each object that is open
    const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > kDeepestJson) throw Refused{fmt::format("it is nested more than {} deep", kDeepestJson)};
        if (event == Json::parse_event_t::object_start) names.emplace_back();
        if (event == Json::parse_event_t::object_end) names.pop_back();
        if (event == Json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second) {
            throw Refused{fmt::format("the name {} stands twice in one object",
                                      parsed.dump(-1, ' ', true).substr(0, kLongestShown_bytes))};
        }
        return true;
    };
    try {
        return Json::parse(text, check);
    } catch (const Refused& refused) {
        return core::Error{refused.why};
    } catch (const Json::parse_error& error) {
        const std::size_t at = std::min(error.byte, text.size());
        const std::string_view before = text.substr(0, at);
        const auto lines = std::count(before.begin(), before.end(), '\n');
        const std::size_t line_end = before.rfind('\n');
        const std::size_t column = line_end == std::string_view::npos ? at : at - line_end - 1;
        return core::Error{
            fmt::format("it is not JSON from line {}, column {} on", lines + 1, std::max<std::size_t>(column, 1))};
    } catch (const Json::exception&) {
        return core::Error{"it has a number too large to hold"};
    }
}

std::string json_text(const Json& json) {
    std::string out;
    append(out, json, 0);
    out += '\n';
    return out;
}

void JsonObjectWriter::begin_member(std::string_view name) {
    if (has_members_.back()) out_ += ',';
    has_members_.back() = true;
    begin_line(out_, has_members_.size());
    append_string(out_, name);
    out_ += ": ";
}

void JsonObjectWriter::member(std::string_view name, const Json& value) {
    begin_member(name);
    append(out_, value, has_members_.size());
}

void JsonObjectWriter::begin_object(std::string_view name) {
    begin_member(name);
    out_ += '{';
    has_members_.push_back(false);
}

void JsonObjectWriter::end_object() {
    const bool had_members = has_members_.back();
    has_members_.pop_back();
    if (had_members) begin_line(out_, has_members_.size());
    out_ += '}';
}

std::string JsonObjectWriter::finish() {
    end_object();
    out_ += '\n';
    return std::move(out_);
}

}  // namespace letoff::storage
