// The page's calls: a name and a JSON object in, a status and a JSON object out (POST /api/NAME). Everything that a
// page does but play: profiles, values, measurements, recordings, devices, the scope; rows are told from the tables.
//
// Errors: 400 what was asked cannot be understood, 404 no such call, 403 on a page that may only look, 409 another page
// was faster, 422 the instrument refused; {"error": sentence}.
//
// Threads: one at a time, any; may take seconds.
#pragma once

#include <string>
#include <string_view>

#include "core/port/instrument_control.h"

namespace letoff::ui {

struct ApiReply {
    int status = 200;
    std::string body;
};

bool is_api_call(std::string_view name);
/// Not of a page that may only look; such calls go before the others.
bool api_call_changes(std::string_view name);
/// The largest body that the call takes.
std::size_t longest_body_bytes(std::string_view name);

ApiReply api_call(core::InstrumentControl& instrument, std::string_view name, std::string_view body);
ApiReply api_error(int status, std::string_view sentence);

/// The draft's state, as the WebSocket tells it too.
std::string draft_message(const core::DraftState& state);

}  // namespace letoff::ui
