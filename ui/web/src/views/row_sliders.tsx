// A slider for a row of numbers, and for a figure that the bench measures.
import { useEffect, useState } from 'preact/hooks';
import { edits, type Row, type RowValue } from '../instrument';
import { Slider } from '../parts/slider';
import { useAnswer } from '../parts/values';
import { useStore } from '../store';
import { rowName, shown, text } from '../text';

interface Range {
  low: number;
  high: number;
  below: string;
  above: string;
}
/** A figure that the bench measures and a screw is turned for; the range that works is found when one goes to it. */
export function FigureSlider({ row, value, saved, keyNumber, keys }: { row: Row; value: number; saved: number | undefined; keyNumber: number; keys: readonly number[] }) {
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

export function RowSlider({ row, value, keys }: { row: Row; value: RowValue; keys: readonly number[] }) {
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
    <Slider label={rowName(row.id, row.unit)} hint={row.sentence} unit={row.unit} value={value.value} saved={value.saved} low={row.minimum} high={row.maximum} back={back} turn={set} />
  );
}
