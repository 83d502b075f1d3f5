import { useEffect, useState } from 'preact/hooks';
import { chosenKeys } from '../chosen';
import { instrument } from '../instrument';
import { Plot } from '../parts/plot';
import { useAnswer } from '../parts/values';
import type { Frame } from '../telemetry';
import { saveFile } from '../save_file';
import { useStore } from '../store';
import { keyName, text } from '../text';
import { Strip } from './strip';

interface Trace {
  id: string;
  label: string;
  unit: string;
  read: (frame: Frame, key: number) => number;
  scale: number; // from SI
}
interface Captured {
  ready: boolean;
  key: number;
  t_s: number[];
  value: number[];
}

const plain: Trace[] = [
  { id: 'dip', label: text.scope.traces.dip, unit: 'mm', read: (f, key) => f.dipMm[key - 1]!, scale: 1e3 },
  { id: 'crown', label: text.scope.traces.crown, unit: 'mm', read: (f, key) => f.crownMm[key - 1]!, scale: 1e3 },
  { id: 'speed', label: text.scope.traces.speed, unit: 'm/s', read: (f) => f.crownMps, scale: 1 },
  { id: 'finger', label: text.scope.traces.finger, unit: 'N', read: (f) => f.fingerN, scale: 1 },
  { id: 'string', label: text.scope.traces.string, unit: 'N', read: (f) => f.stringN, scale: 1 },
];
const span = 360; // frames: six seconds

export function Scope() {
  const chosen = useStore(chosenKeys);
  const key = chosen[0] ?? 49;
  const [id, setId] = useState('dip');
  const [runs, setRuns] = useState(true);
  const [stroke, setStroke] = useState(0); // counts armings; 0: the trace runs sixty times a second
  const [caught, setCaught] = useState(false);
  const { answer } = useAnswer<{ drawing: { bodies: { name: string; guided: boolean }[]; contacts: { body: number; name: string }[]; moves: boolean[] } }>('drawing', { key });
  const bodies = answer?.drawing.bodies ?? [];
  const moves = answer?.drawing.moves ?? [];
  const traces: Trace[] = [
    ...plain,
    // The places of the numbers stay: what this action does not have is left away afterwards.
    ...bodies.map((body, i): Trace => ({ id: `q${i}`, label: body.name.replaceAll('_', ' '), unit: body.guided ? 'mm' : 'mrad', read: (f) => (f.q[i] ?? 0) * 1000, scale: 1e3 })).filter((_, i) => moves[i]),
    ...(answer?.drawing.contacts ?? []).map((contact, i): Trace => ({ id: `c${i}`, label: contact.name, unit: 'N', read: (f) => f.contactN[i] ?? 0, scale: 1 })).filter((_, i) => moves[answer!.drawing.contacts[i]!.body] ?? true),
  ];
  const trace = traces.find((one) => one.id === id) ?? plain[0]!;
  const [data, setData] = useState<{ x: number[]; y: number[] }>({ x: [], y: [] });
  useEffect(() => {
    instrument.watch(key);
    return () => instrument.watch(0);
  }, [key]);
  useEffect(() => {
    if (!runs || stroke) return;
    const x: number[] = [];
    const y: number[] = [];
    setData({ x, y });
    const began = instrument.frame.tick;
    const stop = instrument.onFrame((frame) => {
      if (frame.watched !== key) return;
      x.push((frame.tick - began) * instrument.tick_s);
      y.push(trace.read(frame, key));
      if (x.length > span) {
        x.shift();
        y.shift();
      }
    });
    return () => {
      stop();
      setData({ x: [...x], y: [...y] }); // what stands still is the page's own
    };
  }, [key, id, runs, stroke, bodies.length]);
  // A stroke at the rate of the ticks: armed, waited for, then read trace by trace.
  useEffect(() => {
    if (!stroke) return;
    let stopped = false;
    setCaught(false);
    setData({ x: [], y: [] });
    const wait = async () => {
      await instrument.ask('scope_arm', { key });
      while (!stopped) {
        const now = await instrument.call<Captured>('captured', { trace: 'dip' }).catch(() => null);
        if (now?.ready && !stopped) return setCaught(true);
        await new Promise((go) => setTimeout(go, 150));
      }
    };
    void wait();
    return () => {
      stopped = true;
    };
  }, [stroke, key]);
  useEffect(() => {
    if (!stroke || !caught) return;
    let stopped = false;
    void instrument.ask<Captured>('captured', { trace: trace.id }).then((now) => {
      if (now?.ready && !stopped) setData({ x: now.t_s.map((t) => t * 1e3), y: now.value.map((v) => v * trace.scale) });
    });
    return () => {
      stopped = true;
    };
  }, [stroke, caught, trace.id]);
  const csv = async () => {
    const head = (one: Trace) => `${one.label} (${one.unit})`;
    let columns: [string, number[]][] = [[head(trace), data.y]];
    if (stroke && caught) {
      columns = [];
      for (const one of traces) {
        const now = await instrument.ask<Captured>('captured', { trace: one.id });
        if (!now?.ready) return;
        columns.push([head(one), now.value.map((v) => v * one.scale)]);
      }
    }
    const lines = data.x.map((x, i) => [x, ...columns.map(([, y]) => y[i])].join());
    const name = stroke ? `${keyName(key)}_stroke` : `${keyName(key)}_${trace.id}`;
    saveFile(`${name}.csv`, new Blob([[stroke ? 'time_ms' : 'time_s', ...columns.map(([label]) => label)].join(), '\n', lines.join('\n'), '\n'], { type: 'text/csv' }));
  };
  const png = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.scope .uplot canvas');
    canvas?.toBlob((blob) => blob && saveFile(`${keyName(key)}_${trace.id}.png`, blob));
  };
  return (
    <section class="scope" aria-label={text.views.scope}>
      <div class="chooser">
        <strong>{keyName(key)}</strong>
        <Strip keys={[key]} choose={(keys) => chosenKeys.set([keys[0]!])} />
        <button class="main" onClick={() => instrument.strike(key)}>
          {text.regulate.strike}
        </button>
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
          <button aria-pressed={stroke > 0} title={text.scope.strokeHint} onClick={() => setStroke(stroke + 1)}>
            {stroke ? text.scope.next : text.scope.stroke}
          </button>
          <button
            aria-pressed={!runs && !stroke}
            onClick={() => {
              setRuns(stroke ? true : !runs);
              setStroke(0);
            }}
          >
            {runs && !stroke ? text.scope.freeze : text.scope.run}
          </button>
          <button onClick={() => void csv()}>{text.scope.csv}</button>
          <button onClick={png}>{text.scope.png}</button>
        </header>
        <Plot label={`${trace.label}, ${trace.unit}`} x={data.x} data={[data.y]} lines={[{ label: `${trace.label}, ${trace.unit}`, colour: 'felt' }]} live={runs && !stroke} xLabel={stroke ? text.scope.afterStrike : text.scope.time} yLabel={trace.unit} height={420} />
        <p class="note" role="status">{!stroke ? text.scope.hint : caught ? text.scope.caught(keyName(key), data.x.length) : text.scope.waits(keyName(key))}</p>
      </section>
    </section>
  );
}
