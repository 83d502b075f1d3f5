import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { edits, instrument, type Measured, type Row, type RowValue } from '../instrument';
import { Plot } from '../parts/plot';
import { Slider } from '../parts/slider';
import { useAnswer, useValues } from '../parts/values';
import { groupOf, useTable, type Group } from '../rows';
import { useStore } from '../store';
import { keyName, rowName, shown, text } from '../text';
import { Action } from './action';
import { Graph } from './graph';
import { Strip } from './strip';

interface Curve {
  dip_mm: number[];
  down_N: number[];
  up_N: number[];
}
interface Range {
  low: number;
  high: number;
  below: string;
  above: string;
}
const groups: Group[] = ['weights', 'friction', 'springs', 'felt', 'other'];

/** A curve's forces at the dips of another. */
function at(curve: Curve | undefined, dips: number[], branch: 'down_N' | 'up_N'): (number | null)[] {
  if (!curve || curve.dip_mm.length === 0) return dips.map(() => null);
  let i = 0;
  return dips.map((dip) => {
    while (i + 1 < curve.dip_mm.length && curve.dip_mm[i + 1]! < dip) ++i;
    const [a, b] = [curve.dip_mm[i]!, curve.dip_mm[i + 1]];
    if (b === undefined || dip < a || dip > b) return null;
    const share = (dip - a) / (b - a || 1);
    return curve[branch][i]! * (1 - share) + curve[branch][i + 1]! * share;
  });
}

function Curves({ keyNumber }: { keyNumber: number }) {
  const now = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'draft' });
  const saved = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'saved' });
  const reference = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'factory' });
  const data = useMemo(() => {
    const x = now.answer?.curve.dip_mm ?? [];
    const of = (curve: Curve | undefined) => [at(curve, x, 'down_N'), at(curve, x, 'up_N')];
    return { x, lines: [...of(reference.answer?.curve), ...of(saved.answer?.curve), ...of(now.answer?.curve)] };
  }, [now.answer, saved.answer, reference.answer]);
  return (
    <section class="card">
      <header>
        <h2>{text.regulate.curve}</h2>
        {now.busy && <span class="note">{text.regulate.measuring}</span>}
      </header>
      <Plot
        label={text.regulate.curve}
        x={data.x}
        data={data.lines}
        lines={[
          { label: text.regulate.reference, colour: 'soft', dash: [3, 3], width: 1.2 },
          { label: '', colour: 'soft', dash: [3, 3], width: 1.2 },
          { label: text.regulate.saved, colour: 'blue', width: 1.4, dash: [7, 4] },
          { label: '', colour: 'blue', width: 1.4, dash: [7, 4] },
          { label: `${text.regulate.now} ${text.regulate.down}`, colour: 'felt', width: 2.4 },
          { label: `${text.regulate.now} ${text.regulate.up}`, colour: 'brass', width: 2.4 },
        ]}
        xLabel={text.regulate.curveDip}
        yLabel={text.regulate.curveForce}
        yRange={[0, 2]}
        height={260}
      />
    </section>
  );
}

/** A figure that the bench measures and a screw is turned for; the range that works is found when one goes to it. */
function FigureSlider({ row, value, saved, keyNumber, keys }: { row: Row; value: number; saved: number | undefined; keyNumber: number; keys: number[] }) {
  const [open, setOpen] = useState(false);
  const busy = useStore(edits.busy) === row.id;
  const { answer } = useAnswer<{ range: Range }>('range', open ? { key: keyNumber, figure: row.id } : null);
  useEffect(() => setOpen(false), [keyNumber]);
  const range = answer?.range;
  const weight = row.unit === 'g';
  const note = busy
    ? text.regulate.solving
    : open
      ? range
        ? text.regulate.rangeOf(shown(range.low, row.unit), shown(range.high, row.unit))
        : text.regulate.rangeFinding
      : undefined;
  return (
    <Slider
      label={rowName(row.id, row.unit)}
      hint={row.sentence}
      unit={row.unit}
      value={value}
      {...(saved === undefined ? {} : { saved })}
      low={range?.low ?? Math.max(row.minimum, value * 0.6)}
      high={range?.high ?? Math.min(row.maximum, value * 1.4)}
      step={weight ? 0.5 : row.id === 'blow_mm' || row.id === 'check_distance_mm' ? 0.1 : 0.05}
      slow
      busy={busy}
      note={note}
      onOpen={() => setOpen(true)}
      turn={(to) => edits.set(keys, { row: row.id, kind: 'set', value: to })}
    />
  );
}

export function RowSlider({ row, value, keys }: { row: Row; value: RowValue; keys: number[] }) {
  const set = (to: number) => edits.set(keys, { row: row.id, kind: 'set', value: to });
  const back = value.own ? () => edits.set(keys, { row: row.id, kind: 'base' }) : undefined;
  if (row.choices) {
    return (
      <label class="choice" title={row.sentence}>
        {rowName(row.id, row.unit)}
        <select value={value.value} onChange={(event) => set(Number(event.currentTarget.value))}>
          {row.choices.map((choice, i) => (
            <option key={choice} value={i}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <Slider label={rowName(row.id, row.unit)} hint={row.sentence} unit={row.unit} value={value.value} saved={value.saved} low={row.minimum} high={row.maximum} own={value.own} back={back} turn={set} />
  );
}

/** The action's own numbers, as they are: for whoever knows what he does. */
function Numbers({ values, keys }: { values: Map<string, RowValue>; keys: number[] }) {
  const rows = useTable('action');
  const [filter, setFilter] = useState('');
  const found = rows.filter((row) => `${row.id} ${row.sentence}`.toLowerCase().includes(filter.toLowerCase()));
  return (
    <details class="card">
      <summary>{text.regulate.numbers}</summary>
      <input type="search" placeholder={text.regulate.filter} aria-label={text.regulate.filter} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      <div class="numbers">
        {found.map((row) => {
          const value = values.get(row.id);
          return (
            value && (
              <label key={row.id} title={row.sentence} class={value.own ? 'own' : ''}>
                <span>{row.id}</span>
                <input
                  type="number"
                  step="any"
                  min={row.minimum}
                  max={row.maximum}
                  value={Number(value.value.toPrecision(8))}
                  onChange={(event) => edits.set(keys, { row: row.id, kind: 'set', value: event.currentTarget.valueAsNumber })}
                />
              </label>
            )
          );
        })}
      </div>
    </details>
  );
}

function Readings() {
  const place = useRef<HTMLDListElement>(null);
  useEffect(
    () =>
      instrument.onFrame((frame) => {
        const k = frame.watched - 1;
        const values = [shown(frame.fingerN, 'N'), shown(k >= 0 ? frame.crownMm[k]! : 0, 'mm'), `${frame.crownMps.toFixed(1)} m/s`];
        place.current?.querySelectorAll('dd').forEach((one, i) => (one.textContent = values[i] ?? ''));
      }),
    [],
  );
  return (
    <dl class="readings" ref={place}>
      {[text.regulate.finger, text.regulate.crown, text.regulate.hammer].map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>–</dd>
        </div>
      ))}
    </dl>
  );
}

export function Regulate() {
  const [chosen, setChosen] = useState<number[]>([49]);
  const whole = chosen.length === 88;
  const shownKey = whole ? 49 : (chosen[0] ?? 49);
  const keys = whole ? [0] : chosen;
  const figures = useTable('figures');
  const parts = useTable('parts');
  const values = useValues(whole ? 0 : shownKey);
  const { answer, busy } = useAnswer<{ measured: Measured[] }>('measure', { keys: [shownKey] });
  const kept = useAnswer<{ measured: Measured[] }>('measure', { keys: [shownKey], of: 'saved' });
  const measured = answer?.measured[0];
  useEffect(() => {
    instrument.watch(shownKey);
    return () => instrument.watch(0);
  }, [shownKey]);
  const strike = () => {
    instrument.keyDown(shownKey, 80);
    setTimeout(() => instrument.keyUp(shownKey), 700);
  };
  const name = whole ? text.keys.whole : chosen.length > 1 ? `${keyName(chosen[0]!)}–${keyName(chosen.at(-1)!)}` : keyName(shownKey);
  const others = Object.entries(measured?.figures ?? {}).filter(([id]) => !figures.some((row) => row.id === id));
  return (
    <section class="regulate" aria-label={text.views.regulate}>
      <div class="chooser">
        <button aria-label={text.regulate.previous} onClick={() => setChosen([Math.max(1, shownKey - 1)])}>
          ‹
        </button>
        <strong aria-live="polite">{name}</strong>
        <button aria-label={text.regulate.next} onClick={() => setChosen([Math.min(88, shownKey + 1)])}>
          ›
        </button>
        <Strip keys={chosen} choose={setChosen} />
        <button aria-pressed={whole} onClick={() => setChosen(whole ? [shownKey] : Array.from({ length: 88 }, (_, i) => i + 1))}>
          {text.regulate.all}
        </button>
        <button class="main" onClick={strike}>
          {text.regulate.strike}
        </button>
      </div>
      <div class="columns">
        <div class="column">
          <section class="card stage">
            <Action keyNumber={shownKey} />
            <Readings />
          </section>
          <Curves keyNumber={shownKey} />
          <Graph figure="let_off_mm" choose={(key) => setChosen([key])} />
        </div>
        <div class="column">
          <section class="card">
            <header>
              <h2>
                {text.regulate.measured}
                {whole ? ` (${keyName(shownKey)})` : ''}
              </h2>
              {busy && <span class="note">{text.regulate.measuring}</span>}
            </header>
            {measured?.fault ? <p class="bad">{text.regulate.fault(measured.fault)}</p> : <p class="note">{text.regulate.figuresHint}</p>}
            <div class="sliders">
              {measured &&
                figures.map((row) => {
                  const figure = measured.figures[row.id];
                  return figure && figure.value > 0 && <FigureSlider key={row.id} row={row} value={figure.value} saved={kept.answer?.measured[0]?.figures[row.id]?.value} keyNumber={shownKey} keys={whole ? Array.from({ length: 88 }, (_, i) => i + 1) : keys} />;
                })}
            </div>
            <dl class="figures">
              {others.map(([id, figure]) => (
                <div key={id}>
                  <dt>{rowName(id, figure.unit)}</dt>
                  <dd>{shown(figure.value, figure.unit)}</dd>
                </div>
              ))}
            </dl>
          </section>
          {groups.map((group) => {
            const rows = parts.filter((row) => groupOf(row) === group && values.has(row.id));
            return (
              rows.length > 0 && (
                <details class="card" key={group} open={group === 'weights'}>
                  <summary>{text.regulate.groups[group]}</summary>
                  <div class="sliders">
                    {rows.map((row) => (
                      <RowSlider key={row.id} row={row} value={values.get(row.id)!} keys={keys} />
                    ))}
                  </div>
                </details>
              )
            );
          })}
          <Numbers values={values} keys={keys} />
        </div>
      </div>
    </section>
  );
}
