// Solve for feel: what is wished for, and the bench finds the screws.
import { useState } from 'preact/hooks';
import { instrument, type Measured, type Row } from '../instrument';
import { rowName, shown, text } from '../text';

const feel = ['down_weight_g', 'up_weight_g', 'key_dip_mm', 'let_off_mm'];

/** Several figures at once: all their screws are turned together, on every key that is chosen. */
export function Feel({ figures, measured, keys }: { figures: Row[]; measured: Measured; keys: readonly number[] }) {
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
