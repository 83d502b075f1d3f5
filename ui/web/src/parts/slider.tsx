// A value that can be turned: a slider with its limits, a step either way, and a mark where the saved profile has it.
import { useEffect, useId, useState } from 'preact/hooks';
import { stepOf } from '../step';
import { shown, text } from '../text';

interface Props {
  label: string;
  hint: string;
  unit: string;
  value: number;
  saved?: number;
  low: number;
  high: number;
  step?: number;
  busy?: boolean;
  /** While it is turned, and when it is let go; a slow one only tells the last. */
  turn: (value: number) => void;
  slow?: boolean;
  back?: (() => void) | undefined;
  note?: string | undefined;
  onOpen?: () => void;
}

export function Slider(p: Props) {
  const id = useId();
  const [held, setHeld] = useState<number | null>(null);
  const [used, setUsed] = useState(false);
  const step = p.step ?? stepOf(p.low, p.high);
  const value = held ?? p.value;
  const low = Math.min(p.low, p.value);
  const high = Math.max(p.high, p.value);
  const place = (v: number) => `${(100 * (v - low)) / (high - low || 1)}%`;
  const changed = p.saved !== undefined && Math.abs(p.saved - p.value) > step * 1e-3;
  useEffect(() => setHeld(null), [p.value]);
  const tell = (v: number) => {
    const kept = Math.min(p.high, Math.max(p.low, Number((Math.round(v / step) * step).toPrecision(10))));
    setHeld(kept);
    p.turn(kept);
  };
  return (
    <div class={`slider ${changed ? 'changed' : ''} ${p.busy ? 'busy' : ''}`}>
      <div class="slider-head">
        <label for={id} title={p.hint}>
          {p.label}
        </label>
        {p.back && (
          <button class="plain small" title={text.regulate.follow} aria-label={`${p.label}: ${text.regulate.follow}`} onClick={p.back}>
            ↺
          </button>
        )}
        <output for={id} title={changed ? text.regulate.savedMark(shown(p.saved!, p.unit)) : undefined}>
          {shown(value, p.unit)}
        </output>
      </div>
      <div class="slider-row">
        <button class="step" aria-label={`${p.label} −`} onClick={() => tell(value - step)}>
          −
        </button>
        <span class="track" style={{ '--at': place(value), '--saved': p.saved === undefined ? '-1em' : place(p.saved) }}>
          <input
            id={id}
            type="range"
            min={low}
            max={high}
            step={step}
            value={value}
            aria-valuetext={shown(value, p.unit)}
            aria-describedby={used && p.hint ? `${id}-says` : undefined}
            onPointerDown={p.onOpen}
            onFocus={() => {
              setUsed(true);
              p.onOpen?.();
            }}
            onBlur={() => setUsed(false)}
            onInput={(event) => {
              const v = event.currentTarget.valueAsNumber;
              setHeld(v);
              if (!p.slow) p.turn(v);
            }}
            onChange={(event) => tell(event.currentTarget.valueAsNumber)}
          />
        </span>
        <button class="step" aria-label={`${p.label} +`} onClick={() => tell(value + step)}>
          +
        </button>
      </div>
      {used && p.hint && (
        <p class="note" id={`${id}-says`}>
          {p.hint}
        </p>
      )}
      {p.note && <p class="note">{p.note}</p>}
    </div>
  );
}
