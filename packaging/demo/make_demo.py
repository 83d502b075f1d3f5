#!/usr/bin/env python3
"""Turns demo.score into demo.mid (Standard MIDI File, format 1, 480 ticks a quarter note). Python 3 standard library.

    make_demo.py            write demo.mid beside this script
    make_demo.py --check    write nothing; exit 1 if demo.mid is not what demo.score says

The build does not need it: demo.mid is shipped. demo.score explains its own lines.
"""
import pathlib
import re
import struct
import sys
from fractions import Fraction

PPQ = 480
PEDAL_STEP = 20  # ticks between two pedal values on a slope: about 30 ms, as a real pedal sensor sends them
TEMPO_STEP = PPQ // 4  # ticks between two tempi on a slope
RELEASE = PPQ // 8  # ticks a key is let go before it is struck again
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
NOTE = re.compile(r"([A-G])([#b]?)(\d)(?::([\d./]+))?(?:@(\d+))?$")


def key_number(letter, accidental, octave):
    key = 12 * (int(octave) + 1) + STEPS[letter] + {"#": 1, "b": -1, "": 0}[accidental]
    if not 21 <= key <= 108:
        raise ValueError(f"{letter}{accidental}{octave} is not a key of the piano, A0 to C8 are")
    return key


class Score:
    def __init__(self, text):
        self.title, self.bars, self.tempi, self.pedal, self.notes = "", [], [], [], {"R": [], "L": []}
        self.bar_start, self.next_bar, self.gate = Fraction(0), Fraction(0), Fraction(1)
        for number, line in enumerate(text.splitlines(), 1):
            words = re.sub(r"(^|\s)#.*", "", line).split()
            try:
                if words:
                    self.read(words[0], words[1:])
            except (ValueError, IndexError, KeyError, ZeroDivisionError) as error:
                sys.exit(f"demo.score:{number}: {error}: {line.strip()}")
        self.let_go()

    def tick(self, beat):
        return round((self.bar_start + Fraction(beat) - 1) * PPQ)

    def read(self, what, words):
        if what == "title":
            self.title = " ".join(words)
        elif what == "bar":
            self.bar_start, self.next_bar = self.next_bar, self.next_bar + Fraction(words[0])
            self.bars.append((self.tick(1), int(words[0])))
        elif what == "gate":
            self.gate = Fraction(words[0])
        elif what in "TP":
            points = [(self.tick(b), Fraction(v)) for b, v in zip(words[::2], words[1::2], strict=True)]
            slope(points, self.tempi if what == "T" else self.pedal, TEMPO_STEP if what == "T" else PEDAL_STEP)
        elif what in "RL":
            self.read_notes(self.notes[what], Fraction(words[0]), Fraction(words[1]), words[2], words[3:])
        else:
            raise ValueError(f"{what} begins no line, title bar gate T P R L do")

    def read_notes(self, out, beat, step, velocity, chords):
        first, _, last = velocity.partition("-")
        first, last = int(first), int(last or first)
        for i, chord in enumerate(chords):
            level = first + (last - first) * i / max(1, len(chords) - 1)
            for name in [] if chord == "." else chord.split("+"):
                match = NOTE.match(name)
                if not match:
                    raise ValueError(f"{name} is no note, C#4:1.5@60 would be")
                letter, accidental, octave, beats, own = match.groups()
                on = self.tick(beat + i * step)
                length = round((Fraction(beats) if beats else step * self.gate) * PPQ)
                value = int(own) if own else round(level)
                if not 1 <= value <= 127:
                    raise ValueError(f"velocity {value} is outside 1 to 127")
                out.append([on, on + length, key_number(letter, accidental, octave), value])

    def let_go(self):
        """Two strokes of a key must not overlap, and the key needs time to come back."""
        last = {}
        for note in sorted(self.notes["R"] + self.notes["L"], key=lambda n: n[0]):
            on, _, key, _ = note
            before = last.get(key)
            if before is not None:
                if before[0] == on:
                    sys.exit(f"demo.score: key {key} is struck twice at tick {on}")
                if before[1] > on + PPQ // 16:
                    sys.exit(f"demo.score: key {key} is struck at tick {on} while it is held until {before[1]}")
                before[1] = min(before[1], max(on - RELEASE, (before[0] + on) // 2))
            last[key] = note


def slope(points, out, step):
    """Appends (tick, value): every point, and between two points each step at which the value differs."""
    if out and points[0][0] < out[-1][0]:
        raise ValueError("this line begins before the one above it ends")
    for (t0, v0), (t1, v1) in zip(points, points[1:]):
        if t1 <= t0:
            raise ValueError("the beats of a line must rise")
        out += [(t, v0 + (v1 - v0) * (t - t0) / (t1 - t0)) for t in range(t0, t1, step)]
    out.append(points[-1])


def variable_length(value):
    data = [value & 0x7F]
    while value := value >> 7:
        data.insert(0, value & 0x7F | 0x80)
    return bytes(data)


def meta(kind, data):
    return bytes([0xFF, kind]) + variable_length(len(data)) + data


def track(name, events):
    """events: (tick, rank, bytes); at one tick a lower rank comes first."""
    data, now = b"\x00" + meta(3, name.encode()), 0
    for tick, _, message in sorted(events, key=lambda e: e[:2]):
        data += variable_length(tick - now) + message
        now = tick
    data += b"\x00" + meta(0x2F, b"")
    return b"MTrk" + struct.pack(">I", len(data)) + data


def changes(points):
    last = None
    for tick, value in points:
        if value != last:
            yield tick, value
        last = value


def midi_file(score):
    conductor = [(0, 0, meta(1, b"Public-domain music, arranged for Letoff; see demo.score"))]
    conductor += [(t, 1, meta(0x58, bytes([beats, 2, 24, 8]))) for t, beats in changes(score.bars)]
    conductor += [(t, 2, meta(0x51, struct.pack(">I", v)[1:])) for t, v in
                  changes((t, round(60_000_000 / qpm)) for t, qpm in score.tempi)]
    pedal = [(t, 0, bytes([0xB0, 64, v])) for t, v in changes((t, round(v)) for t, v in score.pedal)]
    hands = [[(on, 1, bytes([0x90, key, velocity])) for on, _, key, velocity in score.notes[hand]] +
             [(off, 0, bytes([0x80, key, 64])) for _, off, key, _ in score.notes[hand]] for hand in "RL"]
    tracks = [track(score.title, conductor), track("Right hand", hands[0]), track("Left hand", hands[1]),
              track("Sustain pedal", pedal)]
    return b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), PPQ) + b"".join(tracks)


def main():
    folder = pathlib.Path(__file__).resolve().parent
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    data = midi_file(Score((folder / "demo.score").read_text(encoding="utf-8")))
    target = folder / "demo.mid"
    if sys.argv[1:]:
        if not target.exists() or target.read_bytes() != data:
            sys.exit("demo.mid is not what demo.score says; run packaging/demo/make_demo.py")
    else:
        target.write_bytes(data)


if __name__ == "__main__":
    main()
