// A plot by uPlot, in the page's colours, as wide as its place.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { colours } from '../canvas';
import { instrument } from '../instrument';
import { useStore } from '../store';

export interface Line {
  label: string;
  colour: string; // a name of the page's
  width?: number;
  dash?: number[];
  points?: boolean;
}
interface Props {
  label: string;
  x: readonly number[];
  lines: Line[];
  data: (number | null)[][];
  xLabel: string;
  yLabel: string;
  height?: number;
  yRange?: [number, number];
  xValues?: (x: number) => string;
  onPick?: (index: number) => void;
  /** `x` and `data` grow while the telemetry runs: drawn at every frame, without the page's other parts. */
  live?: boolean;
  /** A dot that moves with the telemetry. */
  spot?: () => [x: number, y: number] | null;
}

/** What hardly moves is not blown up. */
const room = (_: uPlot, low: number | null, high: number | null): [number, number] => {
  const [a, b] = [low ?? 0, high ?? 1];
  const spare = Math.max(0.5 - (b - a) / 2, 0.06 * (b - a));
  return [a - spare, b + spare];
};

export function Plot(p: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const colour = useStore(colours);
  const shape = JSON.stringify([p.lines, p.xLabel, p.yLabel, p.yRange]);
  useEffect(() => {
    const axis = { stroke: colour['soft']!, grid: { stroke: colour['line']!, width: 1 }, ticks: { stroke: colour['line']!, width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', labelSize: 18, labelGap: 0 };
    const made = new uPlot(
      {
        width: place.current!.clientWidth,
        height: p.height ?? 240,
        legend: { show: false },
        cursor: { y: false, points: { size: 7 } },
        scales: { x: { time: false }, y: { range: p.yRange ?? room } },
        axes: [
          { ...axis, label: p.xLabel, size: 32, ...(p.xValues ? { values: (_: uPlot, at: number[]) => at.map(p.xValues!) } : {}) },
          { ...axis, label: p.yLabel, size: 44 },
        ],
        series: [
          {},
          ...p.lines.map((line) => ({
            label: line.label,
            stroke: colour[line.colour] ?? line.colour,
            width: line.width ?? 2,
            ...(line.dash ? { dash: line.dash } : {}),
            points: line.points ? { show: true, size: 5, fill: colour[line.colour] ?? line.colour } : { show: false },
          })),
        ],
      },
      [p.x, ...p.data] as uPlot.AlignedData,
      place.current!,
    );
    plot.current = made;
    made.over.addEventListener('click', () => {
      if (made.cursor.idx != null) p.onPick?.(made.cursor.idx);
    });
    const size = new ResizeObserver(([entry]) => made.setSize({ width: Math.floor(entry!.contentRect.width), height: p.height ?? 240 }));
    size.observe(place.current!);
    return () => {
      size.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, colour]);
  useEffect(() => plot.current?.setData([p.x, ...p.data] as uPlot.AlignedData), [p.x, p.data]);
  useEffect(() => {
    if (!p.live) return;
    let wanted = 0;
    const draw = () => {
      wanted = 0;
      plot.current?.setData([p.x, ...p.data] as uPlot.AlignedData);
    };
    const stop = instrument.onFrame(() => (wanted ||= requestAnimationFrame(draw)));
    return () => {
      stop();
      cancelAnimationFrame(wanted);
    };
  }, [p.live, p.x]);
  const dot = useRef<HTMLSpanElement>(null);
  const spot = useRef(p.spot);
  spot.current = p.spot;
  useEffect(() => {
    if (!spot.current) return;
    let seen = '';
    return instrument.onFrame(() => {
      const made = plot.current;
      const at = p.x.length ? spot.current?.() : null;
      let now = 'hidden';
      if (made && at) {
        const clamp = (v: number, { min, max }: uPlot.Scale) => Math.max(min ?? 0, Math.min(max ?? 1, v));
        const x = made.over.offsetLeft + made.valToPos(clamp(at[0], made.scales['x']!), 'x');
        const y = made.over.offsetTop + made.valToPos(clamp(at[1], made.scales['y']!), 'y');
        now = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
      if (now === seen || !dot.current) return;
      seen = now;
      dot.current.hidden = now === 'hidden';
      if (now !== 'hidden') dot.current.style.transform = now;
    });
  }, [p.x]);
  return (
    <figure class="plot">
      <div class="plot-place">
        <div ref={place} role="img" aria-label={p.label} />
        {p.spot && <span ref={dot} class="spot" hidden aria-hidden="true" />}
      </div>
      <figcaption>
        {p.lines.filter((line) => line.label).map((line) => (
          <span key={line.label}>
            <i class={line.dash ? 'dashed' : ''} style={{ '--colour': `var(--${line.colour})` }} />
            {line.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
