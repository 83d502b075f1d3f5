import { useEffect, useRef, useState } from 'preact/hooks';
import { chosenKeys } from '../chosen';
import { edits, instrument, type Figure, type Measured, type Row, type RowValue } from '../instrument';
import { Slider } from '../parts/slider';
import { Named, Term } from '../parts/term';
import { useAnswer, useValues } from '../parts/values';
import { groupOf, useTable, type Group } from '../rows';
import { useStore } from '../store';
import { keyName, rowName, shown, text } from '../text';
import { Action } from './action';
import { Curves } from './curves';
import { Graph } from './graph';
import { Strip } from './strip';

interface Range {
  low: number;
  high: number;
  below: string;
  above: string;
}
const groups: Group[] = ['weights', 'friction', 'springs', 'felt', 'other'];

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

const feel = ['down_weight_g', 'up_weight_g', 'key_dip_mm', 'let_off_mm'];

/** Several figures at once: all their screws are turned together, on every key that is chosen. */
function Feel({ figures, measured, keys }: { figures: Row[]; measured: Measured; keys: number[] }) {
  const rows = figures.filter((row) => feel.includes(row.id) && measured.figures[row.id]?.value != null);
  const [wanted, setWanted] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  const solve = async (event: Event) => {
    event.preventDefault();
    const changes = rows.filter((row) => wanted[row.id] !== undefined).map((row) => ({ row: row.id, kind: 'set', value: wanted[row.id] }));
    if (changes.length === 0) return;
    setBusy(true);
    const reply = await instrument.change<{ sentence: string }>('edit', { keys, changes });
    if (reply) setWanted({});
    setBusy(false);
  };
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>{text.regulate.feel}</summary>
      <form class="feel" onSubmit={(event) => void solve(event)}>
        <p class="note">{text.regulate.feelHint}</p>
        {rows.map((row) => (
          <label key={row.id}>
            <span>
              {rowName(row.id, row.unit)}, {row.unit}
            </span>
            <input
              type="number"
              step="any"
              min={row.minimum}
              max={row.maximum}
              placeholder={shown(measured.figures[row.id]!.value!)}
              value={wanted[row.id] ?? ''}
              onInput={(event) => {
                const value = event.currentTarget.valueAsNumber;
                const { [row.id]: _, ...others } = wanted;
                setWanted(Number.isFinite(value) ? { ...others, [row.id]: value } : others);
              }}
            />
          </label>
        ))}
        <button class="main" disabled={busy || Object.keys(wanted).length === 0}>
          {busy ? text.regulate.solving : text.regulate.feelGo}
        </button>
      </form>
    </details>
  );
}

/** A figure that no screw is turned for, or that there is not: then why. */
function FigureReading({ id, figure }: { id: string; figure: Figure }) {
  const name = rowName(id, figure.unit);
  const says = text.terms[id as keyof typeof text.terms];
  return (
    <div>
      <dt>
        <Named name={name} says={says} />
      </dt>
      <dd>
        {figure.value === null ? (
          <Term label={name} says={figure.why ?? text.regulate.none}>
            –
          </Term>
        ) : (
          shown(figure.value, figure.unit)
        )}
      </dd>
    </div>
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
                <span>
                  {row.id}
                  <small class="says">{row.sentence}</small>
                </span>
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
        const values = [shown(frame.fingerN, 'N'), shown(k >= 0 ? frame.crownMm[k]! : 0, 'mm'), `${(Math.round(frame.crownMps * 10) / 10 + 0).toFixed(1)} m/s`];
        place.current?.querySelectorAll('dd').forEach((one, i) => (one.textContent = values[i] ?? ''));
      }),
    [],
  );
  return (
    <dl class="readings" ref={place}>
      {([[text.regulate.finger, text.regulate.fingerSays], [text.regulate.crown, text.regulate.crownSays], [text.regulate.hammer, text.regulate.hammerSays]] as const).map(([name, says]) => (
        <div key={name}>
          <dt>
            <Term label={name} says={says}>
              {name}
            </Term>
          </dt>
          <dd>–</dd>
        </div>
      ))}
    </dl>
  );
}

export function Regulate() {
  const chosen = useStore(chosenKeys);
  const setChosen = (keys: number[]) => chosenKeys.set(keys);
  const whole = chosen.length === 88;
  const shownKey = whole ? 49 : (chosen[0] ?? 49);
  const keys = whole ? [0] : chosen;
  const each = whole ? Array.from({ length: 88 }, (_, i) => i + 1) : chosen;
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
  const name = whole ? text.keys.whole : chosen.length > 1 ? `${keyName(chosen[0]!)}–${keyName(chosen.at(-1)!)}` : keyName(shownKey);
  const others = Object.entries(measured?.figures ?? {}).filter(([id, figure]) => figure.value === null || !figures.some((row) => row.id === id));
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
        <button class="main" onClick={() => instrument.strike(shownKey)}>
          {text.regulate.strike}
        </button>
      </div>
      <div class="columns">
        <div class="column">
          <section class="card stage">
            <Action keyNumber={shownKey} />
            <Readings />
          </section>
          <Curves keyNumber={shownKey} keys={each} />
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
                  return (
                    figure &&
                    figure.value !== null && (
                      <FigureSlider key={row.id} row={row} value={figure.value} saved={kept.answer?.measured[0]?.figures[row.id]?.value ?? undefined} keyNumber={shownKey} keys={each} />
                    )
                  );
                })}
            </div>
            {measured && <Feel figures={figures} measured={measured} keys={each} />}
            <dl class="figures">
              {others.map(([id, figure]) => (
                <FigureReading key={id} id={id} figure={figure} />
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
