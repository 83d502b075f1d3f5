import { useEffect, useState } from 'preact/hooks';
import { chosenKeys } from '../chosen';
import { instrument, type Row } from '../instrument';
import { allKeys } from '../keys';
import { useValues } from '../parts/values';
import { useTable } from '../rows';
import { useStore } from '../store';
import { keyName, text } from '../text';
import { RowSlider } from './row_sliders';
import { Strip } from './strip';

function Group({ title, rows, values, keys, open }: { title: string; rows: Row[]; values: ReturnType<typeof useValues>; keys: readonly number[]; open?: boolean }) {
  const known = rows.filter((row) => values.has(row.id));
  if (known.length === 0) return null;
  return (
    <details class="card" open={open ?? true}>
      <summary>{title}</summary>
      <div class="sliders">
        {known.map((row) => (
          <RowSlider key={row.id} row={row} value={values.get(row.id)!} keys={keys} />
        ))}
      </div>
    </details>
  );
}

export function Sound() {
  const strings = useTable('strings');
  const sound = useTable('sound');
  const chosen = useStore(chosenKeys);
  const [all, setAll] = useState(true);
  const whole = useValues(0);
  const one = useValues(all ? 0 : (chosen[0] ?? 49));
  useEffect(() => {
    instrument.watch(chosen[0] ?? 49);
    return () => instrument.watch(0);
  }, [chosen]);
  // The notes' own rows stand last in their table: the first of them is known to the instrument for a single key too.
  const firstOfNotes = strings.findIndex((row) => row.id.startsWith('note_'));
  const temper = strings.filter((row) => row.id.startsWith('temper_'));
  const tuning = strings.slice(0, firstOfNotes).filter((row) => !temper.includes(row));
  const notes = strings.slice(firstOfNotes).filter((row) => row.id !== 'scale_cents');
  return (
    <section class="sound" aria-label={text.views.sound}>
      <p class="card info">{text.sound.atOnce}</p>
      <div class="columns">
        <div class="column">
          <Group title={text.sound.tuning} rows={tuning} values={whole} keys={[0]} />
          <Group title={text.sound.temper} rows={temper} values={whole} keys={[0]} open={false} />
        </div>
        <div class="column">
          <section class="card">
            <header>
              <h2>{text.sound.note}</h2>
              {!all && <strong>{chosen.length > 1 ? `${keyName(chosen[0]!)}–${keyName(chosen.at(-1)!)}` : keyName(chosen[0] ?? 49)}</strong>}
              <button aria-pressed={all} onClick={() => setAll(!all)}>
                {text.sound.forAll}
              </button>
            </header>
            <Strip
              keys={all ? allKeys : chosen}
              choose={(keys) => {
                chosenKeys.set(keys);
                setAll(false);
              }}
            />
            <div class="sliders">
              {notes
                .filter((row) => one.has(row.id))
                .map((row) => (
                  <RowSlider key={row.id} row={row} value={one.get(row.id)!} keys={all ? [0] : chosen} />
                ))}
            </div>
          </section>
          <Group title={text.sound.room} rows={sound} values={whole} keys={[0]} />
        </div>
      </div>
    </section>
  );
}
