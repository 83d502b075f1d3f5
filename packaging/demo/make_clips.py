#!/usr/bin/env python3
"""Ten clips by which one hears, and sees, how the instrument sounds. Python 3 standard library.

    make_clips.py LETOFF FOLDER [OPTIONS OF letoff render]

Writes FOLDER/NAME.mid and .flac of each and, where sox is installed, its spectrogram NAME.png. What to listen for is the
sentence beside each clip below.
"""
import pathlib
import shutil
import struct
import subprocess
import sys

PPQ, PER_S = 480, 960  # ticks a quarter note, a second: 120 quarter notes a minute
SUSTAIN, SOFT = 64, 67
CHORD = (48, 55, 60, 64, 67)


class Piece:
    def __init__(self):
        self.events = []

    def message(self, time_s, *data):
        self.events.append((round(time_s * PER_S), bytes(data)))

    def note(self, time_s, key, velocity, for_s):
        self.message(time_s, 0x90, key, velocity)
        self.message(time_s + for_s, 0x80, key, 64)

    def pedal(self, time_s, controller, value):
        self.message(time_s, 0xB0, controller, value)

    def write(self, path):
        track, now = b"", 0
        for tick, data in sorted(self.events, key=lambda event: event[0]):
            delta, now = tick - now, tick
            size = bytes([delta & 0x7F])
            while delta := delta >> 7:
                size = bytes([delta & 0x7F | 0x80]) + size
            track += size + data
        track += b"\x00\xff\x2f\x00"
        path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, PPQ) + b"MTrk" + struct.pack(">I", len(track)) + track)


def registers(p):
    """C1 to C8 at pp, mf and ff: brightness grows with loudness, and decay shortens with the pitch."""
    for row, velocity in enumerate((25, 70, 115)):
        for step, key in enumerate(range(24, 109, 12)):
            p.note(0.2 + 16 * row + 2 * step, key, velocity, 1.7)


def scale(p):
    """All 88 keys one after the other: no key stands out in loudness, colour or pitch."""
    for step, key in enumerate(range(21, 109)):
        p.note(0.2 + 0.16 * step, key, 72, 0.15)


def repetition(p):
    """A4 four to thirteen times a second: each stroke sounds, the later ones over the ring of those before."""
    now = 0.2
    for rate_hz in (4, 6, 8, 10, 13):
        for _ in range(rate_hz * 2):
            p.note(now, 69, 70, 0.5 / rate_hz)
            now += 1 / rate_hz
        now += 0.5


def release(p):
    """A chord held, and let go: the dampers take 0.2 s in the bass, less above; keys and dampers are heard."""
    for key in CHORD:
        p.note(0.2, key, 80, 3)
        p.note(5, key, 80, 0.2)


def half_pedal(p):
    """The same chord as the pedal comes up step by step: it fades the faster the higher the dampers press."""
    p.pedal(0.1, SUSTAIN, 127)
    for key in CHORD:
        p.note(0.3, key, 85, 0.3)
    for step in range(64):
        p.pedal(1.5 + 0.07 * step, SUSTAIN, 127 - 2 * step)


def una_corda(p):
    """A phrase without and with the soft pedal: softer and rounder, and the unstruck string of each note rings along."""
    for start_s, soft in ((0.2, 0), (5.2, 127)):
        p.pedal(start_s - 0.1, SOFT, soft)
        for step, key in enumerate((67, 64, 60, 64, 67, 72)):
            p.note(start_s + 0.6 * step, key, 60, 0.55)
    p.pedal(10, SOFT, 0)


def sympathy(p):
    """C3, E3 and G3 held down as softly as can be, C4 struck short: the three ring on until they are let go."""
    for key in (48, 52, 55):
        p.note(0.1, key, 1, 6)
    p.note(1.5, 60, 100, 0.15)


def bass(p):
    """Octaves from A0 up, fortissimo: the growl of the lowest strings, no pitch that wavers."""
    for step in range(8):
        for key in (21 + 2 * step, 33 + 2 * step):
            p.note(0.2 + 0.8 * step, key, 118, 0.75)


def storm(p):
    """A glissando under the pedal, then a forearm on twelve keys: nothing is cut off, nothing clips."""
    p.pedal(0.1, SUSTAIN, 127)
    for step, key in enumerate(range(36, 97)):
        p.note(0.2 + 0.03 * step, key, 80, 0.05)
    for key in range(36, 48):
        p.note(2.6, key, 120, 1)
    p.pedal(5, SUSTAIN, 0)


def treble(p):
    """The undamped treble, staccato and pedalled: short wooden strokes whose strings ring on by themselves."""
    for step, key in enumerate((89, 91, 93, 96, 98, 101, 105, 108)):
        p.note(0.2 + 0.5 * step, key, 75, 0.08)


CLIPS = (registers, scale, repetition, release, half_pedal, una_corda, sympathy, bass, storm, treble)


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    program, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    for number, clip in enumerate(CLIPS, 1):
        base = folder / f"{number:02}_{clip.__name__}"
        piece = Piece()
        clip(piece)
        piece.write(base.with_suffix(".mid"))
        sound = base.with_suffix(".flac")
        subprocess.run([program, "render", base.with_suffix(".mid"), "-o", sound, *options], check=True, stdout=subprocess.DEVNULL)
        if shutil.which("sox"):
            subprocess.run(["sox", sound, "-n", "remix", "1", "rate", "16k", "spectrogram", "-x", "900", "-y", "257", "-z", "100",
                            "-t", f"{base.name}: {clip.__doc__.split(':')[0]}", "-o", base.with_suffix(".png")], check=True)
        print(f"{sound}: {clip.__doc__}", flush=True)


main()
