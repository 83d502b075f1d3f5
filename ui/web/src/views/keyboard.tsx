// The 88 keys, played with mouse and touch, and a small picture of all of them to move along.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Canvas } from '../canvas';
import { instrument } from '../instrument';
import { keyAt, keyShapes, velocityAt, whiteCount } from '../keys';
import { keyName, text } from '../text';
import { drawHammers, drawKeys, useMoved } from './key_drawing';

/** Pointers on a keyboard that shows `count` white keys from `first`. */
function usePlaying(first: number, count: number) {
  const held = useRef(new Map<number, number>()); // the key under each pointer; 0: beside the keys
  const move = (event: PointerEvent, begins: boolean) => {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const box = canvas.getBoundingClientRect();
    const top = hammersIn(box.height);
    const y = (event.clientY - box.top - top) / (box.height - top);
    if (begins && y < 0) return;
    const key = y > 1.15 ? 0 : keyAt(first + ((event.clientX - box.left) / box.width) * count, Math.max(0, y));
    const before = held.current.get(event.pointerId) ?? 0;
    if (!begins && !held.current.has(event.pointerId)) return;
    if (key === before && !begins) return;
    if (before) instrument.keyUp(before);
    if (key) instrument.keyDown(key, velocityAt(key, y));
    held.current.set(event.pointerId, key);
  };
  const end = (event: PointerEvent) => {
    const key = held.current.get(event.pointerId);
    if (key) instrument.keyUp(key);
    held.current.delete(event.pointerId);
  };
  useEffect(
    () => () => {
      for (const key of held.current.values()) if (key) instrument.keyUp(key);
    },
    [],
  );
  return {
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault();
      const canvas = event.currentTarget as HTMLCanvasElement;
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      move(event, true);
    },
    onPointerMove: (event: PointerEvent) => move(event, false),
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: Event) => event.preventDefault(),
  };
}

/** px above the keys; where there is much room the hammers have some of it. */
const hammersIn = (height: number) => Math.max(136, Math.round(height * 0.32));

export function Keyboard({ first, count }: { first: number; count: number }) {
  const playing = usePlaying(first, count);
  const moved = useMoved(first, count);
  return (
    <Canvas
      class="keyboard"
      live
      moved={moved}
      role="application"
      focusable
      label={text.play.keyboard}
      draw={(c, width, height, colour, from, to) => {
        const hammers = hammersIn(height);
        drawHammers(c, first, count, width, hammers - 6, colour, from, to);
        c.fillStyle = colour['case']!;
        c.fillRect(0, hammers - 6, width, 6);
        c.fillStyle = colour['felt']!;
        c.fillRect(0, hammers - 2, width, 2);
        drawKeys(c, first, count, width, hammers, height - hammers, colour, from, to);
        if (width / count > 18) {
          c.fillStyle = colour['key-line']!;
          c.font = '11px system-ui, sans-serif';
          c.textAlign = 'center';
          for (const shape of keyShapes) {
            if ((shape.key + 20) % 12 !== 0) continue;
            c.fillText(keyName(shape.key), ((shape.left + 0.5 - first) * width) / count, height - 20);
          }
        }
      }}
      {...playing}
    />
  );
}

/** All 88 keys in little, with a window that can be moved. */
export function Overview({ first, count, move }: { first: number; count: number; move: (first: number) => void }) {
  const [drags, setDrags] = useState(false);
  const moved = useMoved(0, whiteCount, false);
  const to = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    move(Math.round(((event.clientX - box.left) / box.width) * whiteCount - count / 2));
  };
  return (
    <Canvas
      class="overview"
      live
      moved={moved}
      role="slider"
      focusable
      label={text.play.overview}
      aria-valuemin={1}
      aria-valuemax={whiteCount - count + 1}
      aria-valuenow={first + 1}
      draw={(c, width, height, colour, from, to) => {
        drawKeys(c, 0, whiteCount, width, 4, height - 8, colour, from, to);
        c.fillStyle = colour['paper']!;
        c.globalAlpha = 0.62;
        const unit = width / whiteCount;
        c.fillRect(0, 0, first * unit, height);
        c.fillRect((first + count) * unit, 0, width, height);
        c.globalAlpha = 1;
        c.strokeStyle = colour['brass']!;
        c.lineWidth = 2;
        c.beginPath();
        c.roundRect(first * unit + 1, 1, count * unit - 2, height - 2, 5);
        c.stroke();
      }}
      onPointerDown={(event: PointerEvent) => {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        setDrags(true);
        to(event);
      }}
      onPointerMove={(event: PointerEvent) => drags && to(event)}
      onPointerUp={() => setDrags(false)}
      onPointerCancel={() => setDrags(false)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'ArrowLeft') move(first - 1);
        if (event.key === 'ArrowRight') move(first + 1);
      }}
    />
  );
}
