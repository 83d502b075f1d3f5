// A canvas that is drawn where something moved, sharp on every screen, in the page's own colours.
import { useEffect, useRef } from 'preact/hooks';
import { instrument } from './instrument';
import { Store } from './store';

export type Colours = Record<string, string>;
const names = ['paper', 'card', 'ink', 'soft', 'line', 'brass', 'brass-bar', 'hammer', 'felt', 'glow', 'white-key', 'black-key', 'key-line', 'wood', 'wood2', 'wood3', 'metal', 'string', 'case', 'leather', 'cloth', 'blue', 'green'];

function read(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
export const colours = new Store<Colours>({});
export function watchColours(): void {
  colours.set(read());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => colours.set(read()));
}

/** From `from` to `to`, px from the left, is drawn anew; what lies beyond is clipped and need not be. */
export type Draw = (context: CanvasRenderingContext2D, width: number, height: number, colours: Colours, from: number, to: number) => void;

interface Props {
  draw: Draw;
  label: string;
  class?: string;
  /** Looks at every frame of telemetry; see `moved`. */
  live?: boolean;
  /** Where something has moved since the last call, px from the left: only that is drawn anew. Without it all is. */
  moved?: (width: number) => [from: number, to: number][];
  onReady?: (canvas: HTMLCanvasElement) => void;
  role?: 'img' | 'application' | 'slider';
  focusable?: boolean;
  [handler: `on${string}`]: unknown;
}

export function Canvas({ draw, label, live, moved, onReady, role, focusable, ...rest }: Props) {
  const place = useRef<HTMLCanvasElement>(null);
  const drawing = useRef(draw);
  drawing.current = draw;
  const moves = useRef(moved);
  moves.current = moved;
  const wanted = useRef(0);
  const whole = useRef(true); // the size, the colours or what is shown is another
  const again = useRef(() => {});

  useEffect(() => {
    const canvas = place.current!;
    onReady?.(canvas);
    const paint = () => {
      wanted.current = 0;
      const ratio = Math.min(2, devicePixelRatio || 1); // finer costs more than it shows
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      if (!width || !height) return;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const context = canvas.getContext('2d')!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const parts = moves.current?.(width) ?? [[0, width]];
      for (const [from, to] of whole.current ? [[0, width] as const] : parts) {
        context.save();
        context.beginPath();
        context.rect(from, 0, to - from, height);
        context.clip();
        context.clearRect(from, 0, to - from, height);
        drawing.current(context, width, height, colours.value, from, to);
        context.restore();
      }
      whole.current = false;
    };
    const soon = () => {
      if (!wanted.current) wanted.current = requestAnimationFrame(paint);
    };
    again.current = () => {
      whole.current = true;
      soon();
    };
    again.current();
    const size = new ResizeObserver(again.current);
    size.observe(canvas);
    const stopColours = colours.watch(again.current);
    const stopFrames = live ? instrument.onFrame(soon) : () => {};
    return () => {
      size.disconnect();
      stopColours();
      stopFrames();
      cancelAnimationFrame(wanted.current);
      wanted.current = 0;
    };
  }, [live]);
  useEffect(() => again.current());

  return <canvas ref={place} role={role ?? 'img'} aria-label={label} tabIndex={focusable ? 0 : undefined} {...rest} />;
}
