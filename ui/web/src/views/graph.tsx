// Any figure over all 88 keys, measured eight at a time, and evened out.
import { useEffect, useRef, useState } from 'preact/hooks';
import { instrument, type Measured } from '../instrument';
import { allKeys } from '../keys';
import { Plot } from '../parts/plot';
import { useTable } from '../rows';
import { useStore } from '../store';
import { keyCount } from '../telemetry';
import { keyName, rowName, shown, text } from '../text';

const atOnce = 8;

function middle(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function Graph({ figure, choose }: { figure: string; choose: (key: number) => void }) {
  const figures = useTable('figures');
  const draft = useStore(instrument.draft);
  const [shownFigure, setShown] = useState(figure);
  const [measured, setMeasured] = useState<Map<number, Measured>>(new Map());
  const [running, setRunning] = useState(false);
  const [evening, setEvening] = useState(false);
  const stop = useRef(false);
  useEffect(() => setMeasured(new Map()), [draft?.profile]);
  useEffect(() => () => void (stop.current = true), []);
  const run = async () => {
    stop.current = false;
    setRunning(true);
    const all = new Map<number, Measured>();
    for (let first = 1; first <= keyCount && !stop.current; first += atOnce) {
      const keys = allKeys.slice(first - 1, first - 1 + atOnce);
      const reply = await instrument.ask<{ measured: Measured[] }>('measure', { keys });
      if (!reply) break;
      for (const one of reply.measured) all.set(one.key, one);
      setMeasured(new Map(all));
    }
    setRunning(false);
  };
  const row = figures.find((one) => one.id === shownFigure);
  const values = allKeys.map((key) => measured.get(key)?.figures[shownFigure]?.value ?? null);
  const known = values.filter((value): value is number => value !== null);
  const target = Number(middle(known).toFixed(2));
  const even = async () => {
    setEvening(true);
    await instrument.change('edit', { keys: allKeys, changes: [{ row: shownFigure, kind: 'set', value: target }] });
    setEvening(false);
    void run();
  };
  return (
    <section class="card graph">
      <header>
        <h2>{text.regulate.graph}</h2>
        <select aria-label={text.regulate.graph} value={shownFigure} onChange={(event) => setShown(event.currentTarget.value)}>
          {figures.map((one) => (
            <option key={one.id} value={one.id}>
              {rowName(one.id, one.unit)}
            </option>
          ))}
        </select>
        {running ? (
          <button onClick={() => (stop.current = true)}>{text.regulate.graphStop}</button>
        ) : (
          <button onClick={() => void run()}>{text.regulate.graphMeasure}</button>
        )}
        {known.length === keyCount && (
          <button disabled={evening} title={text.regulate.evenHint(rowName(shownFigure, row?.unit ?? ''), shown(target, row?.unit))} onClick={() => void even()}>
            {evening ? text.regulate.solving : text.regulate.even}
          </button>
        )}
        {running && <span class="note">{text.regulate.graphProgress(measured.size)}</span>}
      </header>
      {measured.size > 0 && (
        <Plot
          label={text.regulate.graph}
          x={allKeys}
          data={[values]}
          lines={[{ label: `${rowName(shownFigure, row?.unit ?? '')}${row?.unit ? `, ${row.unit}` : ''}`, colour: 'brass', points: true, width: 1 }]}
          xLabel=""
          yLabel={row?.unit ?? ''}
          xValues={(x) => (x >= 1 && x <= 88 && Number.isInteger(x) ? keyName(x) : '')}
          height={220}
          onPick={(index) => choose(index + 1)}
        />
      )}
    </section>
  );
}
