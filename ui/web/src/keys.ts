// Where the keys of a piano lie: white keys side by side, black ones above their gaps where a maker puts them.
import { keyCount } from './telemetry';

export interface KeyShape {
  key: number; // 1..88
  black: boolean;
  left: number; // in widths of a white key from the left end
  width: number;
}

const blackOf = [false, true, false, true, false, false, true, false, true, false, true, false];
// Middle of the black key off the gap of its neighbours, in white keys: C# D# F# G# A#.
const offset: Record<number, number> = { 1: -0.1, 3: 0.1, 6: -0.14, 8: 0, 10: 0.14 };
export const blackWidth = 0.58;
export const blackLength = 0.64;

export const keyShapes: readonly KeyShape[] = (() => {
  const shapes: KeyShape[] = [];
  let white = 0;
  for (let key = 1; key <= keyCount; ++key) {
    const step = (key + 20) % 12;
    const black = blackOf[step]!;
    shapes.push(
      black
        ? { key, black, left: white - blackWidth / 2 + (offset[step] ?? 0), width: blackWidth }
        : { key, black, left: white, width: 1 },
    );
    if (!black) ++white;
  }
  return shapes;
})();
export const whiteCount = 52;
export const allKeys: readonly number[] = keyShapes.map((shape) => shape.key);

/** The key under a point: x in white keys, y from 0 (back) to 1 (front edge). */
export function keyAt(x: number, y: number): number {
  if (y < blackLength) {
    const black = keyShapes.find((shape) => shape.black && x >= shape.left && x < shape.left + shape.width);
    if (black) return black.key;
  }
  const white = keyShapes.find((shape) => !shape.black && x >= shape.left && x < shape.left + 1);
  return white ? white.key : 0;
}

/** How loud: a finger near the front edge has the longer lever. */
export function velocityAt(key: number, y: number): number {
  const reach = keyShapes[key - 1]!.black ? blackLength : 1;
  return Math.round(24 + 96 * Math.max(0, Math.min(1, y / reach)) ** 1.3);
}

// The computer's keyboard, by the place of its keys: its lower row from C on, its upper one an octave higher.
const lower = ['KeyZ', 'KeyS', 'KeyX', 'KeyD', 'KeyC', 'KeyV', 'KeyG', 'KeyB', 'KeyH', 'KeyN', 'KeyJ', 'KeyM', 'Comma', 'KeyL', 'Period', 'Semicolon', 'Slash'];
const upper = ['KeyQ', 'Digit2', 'KeyW', 'Digit3', 'KeyE', 'KeyR', 'Digit5', 'KeyT', 'Digit6', 'KeyY', 'Digit7', 'KeyU', 'KeyI', 'Digit9', 'KeyO', 'Digit0', 'KeyP'];
/** Semitones above the lowest C. */
export function semitonesOf(code: string): number | null {
  const high = upper.indexOf(code);
  if (high >= 0) return 12 + high;
  const low = lower.indexOf(code);
  return low >= 0 ? low : null;
}
