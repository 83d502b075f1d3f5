import { useEffect, useState } from 'preact/hooks';
import { chosenKeys } from '../chosen';
import { edits, instrument, type Figure, type Measured, type RowValue } from '../instrument';
import { allKeys } from '../keys';
import { Named, Term } from '../parts/term';
import { useAnswer, useValues } from '../parts/values';
import { groupOf, useTable, type Group } from '../rows';
import { useStore } from '../store';
import { keyName, rowName, shown, text } from '../text';
import { Action } from './action';
import { Curves } from './curves';
import { Feel } from './feel';
import { Graph } from './graph';
import { Readings } from './readings';
import { FigureSlider, RowSlider } from './row_sliders';
import { Strip } from './strip';

const groups: Group[] = ['weights', 'friction', 'springs', 'felt', 'other'];

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
function Numbers({ values, keys }: { values: Map<string, RowValue>; keys: readonly number[] }) {
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

export function Regulate() {
  const chosen = useStore(chosenKeys);
  const setChosen = (keys: readonly number[]) => chosenKeys.set(keys);
  const whole = chosen.length === allKeys.length;
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
        <button aria-pressed={whole} onClick={() => setChosen(whole ? [shownKey] : allKeys)}>
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
          <Curves keyNumber={shownKey} keys={chosen} />
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
                      <FigureSlider key={row.id} row={row} value={figure.value} saved={kept.answer?.measured[0]?.figures[row.id]?.value ?? undefined} keyNumber={shownKey} keys={chosen} />
                    )
                  );
                })}
            </div>
            {measured && <Feel figures={figures} measured={measured} keys={chosen} />}
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
