#include "ui/app/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace letoff::ui {

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(double share, const char* what) {
    if (!terminal_) return;
    constexpr int kCells = 30;
    const double part = share >= 0 ? std::min(share, 1.0) : 0.0;  // not a number shows as nothing done
    const auto filled = static_cast<std::size_t>(part * kCells);
    std::string line = fmt::format("[{}{}] {:3.0f} % {}", std::string(filled, '#'), std::string(kCells - filled, '.'),
                                   100 * part, what);
    if (line == shown_) return;
    const std::size_t blanks = shown_.size() > line.size() ? shown_.size() - line.size() : 0;
    fmt::print(stderr, "\r{}{}", line, std::string(blanks, ' '));
    std::fflush(stderr);
    shown_ = std::move(line);
}

void ProgressBar::clear() {
    if (shown_.empty()) return;
    fmt::print(stderr, "\r{}\r", std::string(shown_.size(), ' '));
    std::fflush(stderr);
    shown_.clear();
}

Progress ProgressBar::progress() {
    return [this](double share, const char* what) { show(share, what); };
}

}  // namespace letoff::ui
