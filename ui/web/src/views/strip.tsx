// A strip of 88 keys to choose from: a tap chooses one, a drag several.
import { useRef } from 'preact/hooks';
import { Canvas } from '../canvas';
import { keyAt, keyShapes, whiteCount } from '../keys';
import { keyName, text } from '../text';
import { drawKeys, useMoved } from './key_drawing';

export function Strip({ keys, choose }: { keys: readonly number[]; choose: (keys: number[]) => void }) {
  const begin = useRef(0);
  const moved = useMoved(0, whiteCount, false);
  const keyOf = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = Math.max(0, Math.min(whiteCount - 0.001, ((event.clientX - box.left) / box.width) * whiteCount));
    return keyAt(x, Math.max(0, (event.clientY - box.top) / box.height));
  };
  const to = (event: PointerEvent) => {
    const key = keyOf(event);
    if (!begin.current || !key) return;
    const [low, high] = [Math.min(begin.current, key), Math.max(begin.current, key)];
    choose(Array.from({ length: high - low + 1 }, (_, i) => low + i));
  };
  const current = keys[0] ?? 49;
  return (
    <Canvas
      class="strip"
      live
      moved={moved}
      role="slider"
      focusable
      label={text.regulate.keys}
      aria-valuemin={1}
      aria-valuemax={88}
      aria-valuenow={current}
      aria-valuetext={keys.length === 88 ? text.keys.whole : keyName(current)}
      draw={(c, width, height, colour, from, to) => {
        drawKeys(c, 0, whiteCount, width, 0, height + 4, colour, from, to);
        const unit = width / whiteCount;
        const chosen = new Set(keys);
        c.fillStyle = colour['felt']!;
        for (const shape of keyShapes) {
          if (!chosen.has(shape.key)) continue;
          const x = (shape.left + shape.width / 2) * unit;
          const size = Math.max(2.2, Math.min(4.5, unit * 0.28));
          c.beginPath();
          c.arc(x, shape.black ? height * 0.5 : height - 9, size, 0, 7);
          c.fill();
        }
      }}
      onPointerDown={(event: PointerEvent) => {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        begin.current = keyOf(event);
        to(event);
      }}
      onPointerMove={(event: PointerEvent) => event.buttons > 0 && to(event)}
      onPointerUp={() => (begin.current = 0)}
      onKeyDown={(event: KeyboardEvent) => {
        const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
        if (!step) return;
        event.preventDefault();
        choose([Math.max(1, Math.min(88, current + step))]);
      }}
    />
  );
}
