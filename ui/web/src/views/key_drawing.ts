// How 88 keys are drawn, lit by how deep they really are, and above them their hammers, where they really are.
import { useRef } from 'preact/hooks';
import type { Colours } from '../canvas';
import { instrument } from '../instrument';
import { blackLength, keyShapes } from '../keys';
import { keyCount } from '../telemetry';

const blow = 46; // mm, a hammer at rest
const glow = new Float32Array(keyCount); // strikes that fade
const strikes = new Uint8Array(keyCount);
let knowsStrikes = false;

instrument.onFrame((frame) => {
  for (let k = 0; k < keyCount; ++k) {
    glow[k] = glow[k]! > 0.03 ? glow[k]! * 0.9 : 0;
    if (knowsStrikes && frame.strikes[k] !== strikes[k]) glow[k] = 0.35 + Math.min(0.65, frame.strikeMps[k]! / 7);
    strikes[k] = frame.strikes[k]!;
  }
  knowsStrikes = true;
});

function round(c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, r: number): void {
  c.beginPath();
  c.roundRect(x, y, w, h, [0, 0, r, r]);
}

function drawKey(c: CanvasRenderingContext2D, k: number, x: number, width: number, top: number, height: number, black: boolean, colour: Colours): void {
  const deep = Math.min(1, instrument.frame.dipMm[k]! / 10);
  const length = (black ? height * blackLength : height) - 6;
  const gap = black ? 0 : Math.min(1, width * 0.05);
  const down = deep * (black ? 4 : 6);
  const radius = Math.min(5, width * 0.18);
  if (black) {
    c.fillStyle = 'rgba(0,0,0,.22)';
    round(c, x + 1.5, top, width, length + 3, radius);
    c.fill();
  }
  c.fillStyle = colour[black ? 'black-key' : 'white-key']!;
  round(c, x + gap, top, width - 2 * gap, length + down, radius);
  c.fill();
  if (deep > 0.02) {
    const light = c.createLinearGradient(0, top, 0, top + length + down);
    light.addColorStop(0, `${colour['brass-bar']}00`);
    light.addColorStop(1, colour['brass-bar']!);
    c.globalAlpha = 0.25 + 0.75 * deep;
    c.fillStyle = light;
    round(c, x + gap, top, width - 2 * gap, length + down, radius);
    c.fill();
    c.globalAlpha = 1;
  }
  if (!black) {
    c.strokeStyle = colour['key-line']!;
    c.globalAlpha = width > 12 ? 0.75 : 0.4;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x + width, top);
    c.lineTo(x + width, top + length - 3);
    c.moveTo(x + gap + 2, top + length + down - 0.5);
    c.lineTo(x + width - gap - 2, top + length + down - 0.5);
    c.stroke();
    c.globalAlpha = 1;
  } else if (width > 5) {
    c.fillStyle = 'rgba(255,255,255,.13)';
    c.fillRect(x + width * 0.16, top, width * 0.68, length - 9 + down);
  }
}

export function drawKeys(c: CanvasRenderingContext2D, first: number, count: number, width: number, top: number, height: number, colour: Colours, from = 0, to = width): void {
  const unit = width / count;
  for (const black of [false, true]) {
    for (const shape of keyShapes) {
      const left = (shape.left - first) * unit;
      if (shape.black !== black || left + shape.width * unit < from - 3 || left > to + 3) continue;
      drawKey(c, shape.key - 1, (shape.left - first) * unit, shape.width * unit, top, height, black, colour);
    }
  }
}

/** Which columns of keys have moved since it was last asked, as far as one sees it: finer than a tenth of a pixel. */
export function useMoved(first: number, count: number, withHammers = true): (width: number) => [number, number][] {
  const seen = useRef(new Float32Array(3 * keyCount));
  return (width) => {
    const unit = width / count;
    const { dipMm, crownMm } = instrument.frame;
    const parts: [number, number][] = [];
    for (const shape of keyShapes) {
      const k = shape.key - 1;
      const now = [Math.round(dipMm[k]! * 16), withHammers ? Math.round(crownMm[k]! * 16) : 0, withHammers ? Math.round(glow[k]! * 64) : 0];
      if (now.every((value, i) => value === seen.current[3 * k + i])) continue;
      seen.current.set(now, 3 * k);
      // The light of a strike reaches over its neighbours.
      const reach = withHammers ? Math.max(8, Math.min(27, unit * 0.9)) + 1 : 3;
      const left = (shape.left - first) * unit - reach;
      const right = left + shape.width * unit + 2 * reach;
      if (right < 0 || left > width) continue;
      const last = parts.at(-1);
      if (last && left <= last[1]) last[1] = Math.max(last[1], Math.ceil(right));
      else parts.push([Math.floor(left), Math.ceil(right)]);
    }
    return parts;
  };
}

export function drawHammers(c: CanvasRenderingContext2D, first: number, count: number, width: number, height: number, colour: Colours, from: number, to: number): void {
  const unit = width / count;
  const { crownMm } = instrument.frame;
  const stringY = 27.5;
  c.strokeStyle = colour['string']!;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(0, stringY);
  c.lineTo(width, stringY);
  c.stroke();
  for (const shape of keyShapes) {
    const x = (shape.left + shape.width / 2 - first) * unit;
    if (x < from - 30 || x > to + 30) continue;
    const k = shape.key - 1;
    const way = Math.min(1, crownMm[k]! / blow);
    const size = Math.max(1.7, Math.min(6, unit * 0.2));
    const y = stringY + size + 2 + way * (height - stringY - 2 * size - 4);
    if (glow[k]! > 0.03) {
      const light = c.createRadialGradient(x, stringY, 0, x, stringY, size * 4.5);
      light.addColorStop(0, colour['glow']!);
      light.addColorStop(1, `${colour['glow']}00`);
      c.globalAlpha = glow[k]!;
      c.fillStyle = light;
      c.fillRect(x - size * 4.5, stringY - size * 4.5, size * 9, size * 9);
      c.globalAlpha = 1;
    }
    const moves = way < 0.97;
    c.strokeStyle = colour[moves ? 'wood2' : 'line']!;
    c.lineWidth = Math.max(1, size * 0.35);
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x, height);
    c.stroke();
    c.fillStyle = colour[moves ? 'felt' : 'hammer']!;
    c.beginPath();
    c.ellipse(x, y, size * 0.78, size * 1.15, 0, 0, 7);
    c.fill();
  }
}
