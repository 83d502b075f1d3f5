#include "ui/app/cli.h"

int main(int argc, char** argv) {
    return letoff::ui::run_program(argc, argv);
}
