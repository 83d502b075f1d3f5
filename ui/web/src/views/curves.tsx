// The force on the finger against the dip: as it is now, as it is saved, the reference, and a real key's that was
// measured; where the finger is at this moment is a dot.
import { useMemo, useRef, useState } from 'preact/hooks';
import { at, type Curve } from '../curve';
import { instrument } from '../instrument';
import { useDrop } from '../parts/drop';
import { Plot } from '../parts/plot';
import { useAnswer } from '../parts/values';
import { Store, useStore } from '../store';
import { keyName, text } from '../text';

interface Measured {
  file: string;
  csv: string;
  curve: Curve;
}
/** Of a real key; kept while one looks at other views. */
const measuredCurve = new Store<Measured | null>(null);

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  const csv = await file.text();
  const reply = await instrument.ask<{ curve: Curve }>('read_curve', { text: csv, file: file.name });
  if (reply) measuredCurve.set({ file: file.name, csv, curve: reply.curve });
}

export function Curves({ keyNumber, keys }: { keyNumber: number; keys: readonly number[] }) {
  const now = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'draft' });
  const saved = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'saved' });
  const reference = useAnswer<{ curve: Curve }>('force_curve', { key: keyNumber, of: 'factory' });
  const measured = useStore(measuredCurve);
  const [fitting, setFitting] = useState(false);
  const { dropping, events } = useDrop(take);
  const choose = useRef<HTMLInputElement>(null);
  const data = useMemo(() => {
    const x = now.answer?.curve.dip_mm ?? [];
    const of = (curve: Curve | undefined) => [at(curve, x, 'down_N'), at(curve, x, 'up_N')];
    return { x, lines: [...of(reference.answer?.curve), ...of(saved.answer?.curve), ...(measured ? of(measured.curve) : []), ...of(now.answer?.curve)] };
  }, [now.answer, saved.answer, reference.answer, measured]);
  const alike = async () => {
    setFitting(true);
    const reply = await instrument.change<{ sentence: string }>('make_alike', { keys, text: measured!.csv, file: measured!.file });
    if (reply) instrument.say(reply.sentence);
    setFitting(false);
  };
  return (
    <section class={`card ${dropping ? 'dropping' : ''}`} {...events}>
      <header>
        <h2>{text.regulate.curve}</h2>
        <p class="note wide">{text.regulate.curveSays}</p>
        {(now.busy || fitting) && <span class="note">{fitting ? text.regulate.fitting : text.regulate.measuring}</span>}
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
          ...(measured
            ? [
                { label: measured.file, colour: 'green', width: 2 },
                { label: '', colour: 'green', width: 2 },
              ]
            : []),
          { label: `${text.regulate.now}, ${text.regulate.down}`, colour: 'felt', width: 2.4 },
          { label: `${text.regulate.now}, ${text.regulate.up}`, colour: 'brass', width: 2.4 },
        ]}
        xLabel={text.regulate.curveDip}
        yLabel={text.regulate.curveForce}
        yRange={[0, 2]}
        height={260}
        spot={() => {
          const { frame } = instrument;
          return frame.watched !== keyNumber || frame.fingerN < 0.02 ? null : [frame.dipMm[keyNumber - 1]!, frame.fingerN];
        }}
      />
      <div class="tools">
        <button onClick={() => choose.current?.click()}>{text.regulate.curveChoose}</button>
        <input ref={choose} type="file" accept=".csv,text/csv" class="hidden" tabIndex={-1} aria-label={text.regulate.curveChoose} onChange={(event) => void take(event.currentTarget.files?.[0])} />
        {measured && (
          <>
            <button class="main" disabled={fitting} onClick={() => void alike()}>
              {text.regulate.alike(keys.length === 88 ? text.keys.whole : keys.length > 1 ? text.regulate.several(keys.length) : keyName(keyNumber))}
            </button>
            <button onClick={() => measuredCurve.set(null)}>{text.regulate.curveForget}</button>
          </>
        )}
        <p class="note">{text.regulate.curveHint}</p>
      </div>
    </section>
  );
}
