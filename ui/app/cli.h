// The program's command line: finds the subcommand, reports what went wrong in one sentence on stderr.
// Exit status: 0 done, 1 it failed, 2 wrong use.
#pragma once

namespace letoff::ui {

int run_program(int argc, const char* const* argv);

}  // namespace letoff::ui
