// A small Standard MIDI File for tests: C4 for half a second from 0, C5 for a quarter of a second from 0.5 s, 120
// quarters a minute.
#pragma once

#include <string>

namespace letoff::test {

inline std::string two_notes_midi() {
    const unsigned char bytes[] = {'M', 'T', 'h',  'd', 0,  0,    0,    6,    0,    0,  0,  1,    0x01, 0xE0, 'M',
                                   'T', 'r', 'k',  0,   0,  0,    22,   0,    0x90, 60, 64, 0x83, 0x60, 0x80, 60,
                                   64,  0,   0x90, 72,  90, 0x81, 0x70, 0x80, 72,   64, 0,  0xFF, 0x2F, 0};
    return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace letoff::test
