import { useEffect, useRef, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { Plot } from '../parts/plot';
import { useAnswer } from '../parts/values';
import type { Frame } from '../telemetry';
import { saveFile as save } from '../save_file';
import { keyName, text } from '../text';
import { Strip } from './strip';

interface Trace {
  id: string;
  label: string;
  unit: string;
  read: (frame: Frame, key: number) => number;
}

const plain: Trace[] = [
  { id: 'dip', label: 'Key dip', unit: 'mm', read: (f, key) => f.dipMm[key - 1]! },
  { id: 'crown', label: 'Crown below strings', unit: 'mm', read: (f, key) => f.crownMm[key - 1]! },
  { id: 'speed', label: 'Crown speed', unit: 'm/s', read: (f) => f.crownMps },
  { id: 'finger', label: 'Finger force', unit: 'N', read: (f) => f.fingerN },
  { id: 'string', label: 'String force', unit: 'N', read: (f) => f.stringN },
];
const span = 360; // frames: six seconds

export function Scope() {
  const [chosen, setChosen] = useState<number[]>([49]);
  const key = chosen[0] ?? 49;
  const [id, setId] = useState('dip');
  const [runs, setRuns] = useState(true);
  const [trigger, setTrigger] = useState(false);
  const { answer } = useAnswer<{ drawing: { bodies: { name: string; guided: boolean }[]; contacts: { name: string }[] } }>('drawing', { key });
  const bodies = answer?.drawing.bodies ?? [];
  const traces: Trace[] = [
    ...plain,
    ...bodies.map((body, i): Trace => ({ id: `q${i}`, label: body.name.replaceAll('_', ' '), unit: body.guided ? 'mm' : 'mrad', read: (f) => (f.q[i] ?? 0) * 1000 })),
    ...(answer?.drawing.contacts ?? []).map((contact, i): Trace => ({ id: `c${i}`, label: contact.name, unit: 'N', read: (f) => f.contactN[i] ?? 0 })),
  ];
  const trace = traces.find((one) => one.id === id) ?? plain[0]!;
  const [data, setData] = useState<{ x: number[]; y: number[] }>({ x: [], y: [] });
  const kept = useRef<{ x: number[]; y: number[] }>({ x: [], y: [] });
  const left = useRef(-1);
  useEffect(() => {
    instrument.watch(key);
    return () => instrument.watch(0);
  }, [key]);
  useEffect(() => {
    kept.current = { x: [], y: [] };
    left.current = -1;
    let strikes = instrument.frame.strikes[key - 1]!;
    let drawn = 0;
    if (!runs) return;
    const began = instrument.frame.tick;
    return instrument.onFrame((frame) => {
      if (frame.watched !== key) return;
      const { x, y } = kept.current;
      x.push((frame.tick - began) / 4000);
      y.push(trace.read(frame, key));
      if (x.length > span) {
        x.shift();
        y.shift();
      }
      if (trigger && frame.strikes[key - 1] !== strikes) left.current = 60;
      strikes = frame.strikes[key - 1]!;
      if (left.current > 0 && --left.current === 0) setRuns(false);
      if (++drawn % 2 === 0) setData({ x: [...x], y: [...y] });
    });
  }, [key, id, runs, trigger, bodies.length]);
  const csv = () => save(`${keyName(key)}_${trace.id}.csv`, new Blob([`time_s,${trace.label} (${trace.unit})\n`, ...data.x.map((x, i) => `${x},${data.y[i]}\n`)], { type: 'text/csv' }));
  const png = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.scope .uplot canvas');
    canvas?.toBlob((blob) => blob && save(`${keyName(key)}_${trace.id}.png`, blob));
  };
  return (
    <section class="scope" aria-label={text.views.scope}>
      <div class="chooser">
        <strong>{keyName(key)}</strong>
        <Strip keys={[key]} choose={(keys) => setChosen([keys[0]!])} />
      </div>
      <section class="card">
        <header>
          <select aria-label={text.scope.show} value={trace.id} onChange={(event) => setId(event.currentTarget.value)}>
            {traces.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label}, {one.unit}
              </option>
            ))}
          </select>
          <button aria-pressed={!runs} onClick={() => setRuns(!runs)}>
            {runs ? text.scope.freeze : text.scope.run}
          </button>
          <button aria-pressed={trigger} onClick={() => setTrigger(!trigger)}>
            {text.scope.trigger}
          </button>
          <button onClick={csv}>{text.scope.csv}</button>
          <button onClick={png}>{text.scope.png}</button>
        </header>
        <Plot label={`${trace.label}, ${trace.unit}`} x={data.x} data={[data.y]} lines={[{ label: `${trace.label}, ${trace.unit}`, colour: 'felt' }]} xLabel={text.scope.time} yLabel={trace.unit} height={420} />
        <p class="note">{text.scope.hint}</p>
      </section>
    </section>
  );
}
