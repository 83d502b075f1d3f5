// A canvas that is drawn when something moved, sharp on every screen, in the page's own colours.
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

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number, colours: Colours) => void;

interface Props {
  draw: Draw;
  label: string;
  class?: string;
  /** Drawn with every frame of telemetry, not only when it changes. */
  live?: boolean;
  onReady?: (canvas: HTMLCanvasElement) => void;
  role?: 'img' | 'application' | 'slider';
  focusable?: boolean;
  [handler: `on${string}`]: unknown;
}

export function Canvas({ draw, label, live, onReady, role, focusable, ...rest }: Props) {
  const place = useRef<HTMLCanvasElement>(null);
  const drawing = useRef(draw);
  drawing.current = draw;
  const wanted = useRef(0);
  const again = useRef(() => {});

  useEffect(() => {
    const canvas = place.current!;
    onReady?.(canvas);
    const paint = () => {
      wanted.current = 0;
      const ratio = Math.min(3, devicePixelRatio || 1);
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      if (!width || !height) return;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      const context = canvas.getContext('2d')!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      drawing.current(context, width, height, colours.value);
    };
    again.current = () => {
      if (!wanted.current) wanted.current = requestAnimationFrame(paint);
    };
    again.current();
    const size = new ResizeObserver(again.current);
    size.observe(canvas);
    const stopColours = colours.watch(again.current);
    const stopFrames = live ? instrument.onFrame(again.current) : () => {};
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
