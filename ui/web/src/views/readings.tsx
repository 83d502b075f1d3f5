// What the watched key does now, in three numbers.
import { useEffect, useRef } from 'preact/hooks';
import { instrument } from '../instrument';
import { Term } from '../parts/term';
import { shown, text } from '../text';

const readingsApart_ms = 80; // faster than this nobody reads numbers

export function Readings() {
  const place = useRef<HTMLDListElement>(null);
  const told = useRef(0);
  useEffect(
    () =>
      instrument.onFrame((frame) => {
        const now = performance.now();
        if (now - told.current < readingsApart_ms) return;
        told.current = now;
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
