// The demo piece, packaging/demo/demo.mid, as it was when the program was built.
#pragma once

#include <cstdint>
#include <span>

namespace letoff::ui {

std::span<const std::uint8_t> demo_piece();

}  // namespace letoff::ui
