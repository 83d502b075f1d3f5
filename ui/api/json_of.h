// What comes through core/port/instrument_control, as JSON. Internal to ui/api.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/port/instrument_control.h"

namespace letoff::ui {

using Json = nlohmann::ordered_json;

/// A row as its table has it: no field is written anywhere else.
Json json_of(const core::Row& row);
Json json_of(const core::RowValue& value);
Json json_of(const core::DraftState& state);
Json json_of(const core::DraftResult& result);
Json json_of(const core::ProfileEntry& entry);
Json json_of(const core::RevisionEntry& entry);
Json json_of(const core::Difference& difference);
Json json_of(const core::MeasuredKeyFigures& figures);
Json json_of(const core::MeasuredCurve& curve);
Json json_of(const core::Range& range);
Json json_of(const core::ActionDrawing& drawing);
Json json_of(const core::Health& health);
Json json_of(const core::Finding& finding);
Json json_of(const core::RecordingEntry& recording);
Json json_of(const core::RecorderState& state);
Json json_of(const core::DeviceState& state);

/// To seven digits.
Json json_of(float value);

/// Bytes as text (RFC 4648, section 4).
std::string base64(std::string_view bytes);

template <typename T>
Json json_of(const std::vector<T>& all) {
    Json json = Json::array();
    for (const T& one : all) json.push_back(json_of(one));
    return json;
}

}  // namespace letoff::ui
