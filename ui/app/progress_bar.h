// One line on stderr that shows how far long work has come; nothing at all where stderr is no terminal.
#pragma once

#include <string>

#include "ui/app/instrument.h"

namespace letoff::ui {

class ProgressBar {
  public:
    ProgressBar();
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(double share, const char* what);
    /// Takes the line away, so that other text may follow.
    void clear();
    /// For Instrument: refers to this bar, which has to live as long.
    Progress progress();

  private:
    bool terminal_;
    std::string shown_;
};

}  // namespace letoff::ui
