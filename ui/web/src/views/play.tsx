import { useEffect, useRef, useState } from 'preact/hooks';
import { instrument, pedals, type Pedal as PedalName } from '../instrument';
import { keyShapes, whiteCount } from '../keys';
import { useStore } from '../store';
import { keyName, shown, text } from '../text';
import { useComputerKeyboard } from './computer_keyboard';
import { Keyboard, Overview } from './keyboard';

/** A tap puts it down, another lets it up; the bar is as deep as the instrument's pedal is, whoever holds it. */
function Pedal({ pedal }: { pedal: PedalName }) {
  const down = useStore(instrument.pedalsDown).includes(pedal);
  const bar = useRef<HTMLSpanElement>(null);
  const depth = useRef(0);
  useEffect(
    () =>
      instrument.onFrame((frame) => {
        const share = { soft: frame.unaCorda, sostenuto: frame.sostenuto, sustain: frame.sustain }[pedal];
        if (bar.current && share !== depth.current) bar.current.style.transform = `scaleY(${(depth.current = share)})`;
      }),
    [],
  );
  return (
    <button class="pedal" aria-pressed={down} onClick={() => instrument.pedal(pedal, !down)}>
      <span class="pedal-bar">
        <span ref={bar} />
      </span>
      {text.play[pedal]}
    </button>
  );
}

function LastStrike() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const before = new Uint8Array(instrument.frame.strikes);
    return instrument.onFrame((frame) => {
      for (let k = 0; k < before.length; ++k) {
        if (frame.strikes[k] === before[k]) continue;
        before[k] = frame.strikes[k]!;
        if (place.current) place.current.textContent = text.play.struck(keyName(k + 1), shown(frame.strikeMps[k]!));
      }
    });
  }, []);
  return (
    <p class="last-strike">
      {text.play.last}: <span ref={place}>{text.play.none}</span>
    </p>
  );
}

const narrowest = 26; // px of a white key that a finger finds

export function Play() {
  const place = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(whiteCount);
  const [first, setFirst] = useState(21);
  const [lowest, setLowest] = useState(28); // C3
  useEffect(() => {
    const size = new ResizeObserver(([entry]) => {
      const width = entry!.contentRect.width;
      setCount(width >= 900 ? whiteCount : Math.max(8, Math.floor(width / Math.max(narrowest, width / 22))));
    });
    size.observe(place.current!);
    return () => size.disconnect();
  }, []);
  const from = Math.max(0, Math.min(whiteCount - count, first));
  useComputerKeyboard(lowest, (key) => {
    setLowest(key);
    setFirst(Math.floor(keyShapes[key - 1]!.left));
  });
  return (
    <section class="play" aria-label={text.views.play}>
      <div class="piano" ref={place}>
        {count < whiteCount && <Overview first={from} count={count} move={setFirst} />}
        <Keyboard first={from} count={count} />
      </div>
      <div class="under">
        <div class="pedals">
          {pedals.map((pedal) => (
            <Pedal key={pedal} pedal={pedal} />
          ))}
        </div>
        <div class="words">
          <LastStrike />
          <p class="hint">
            {text.play.hint} <span class="wide-only">{text.play.hintComputer}</span>
          </p>
        </div>
      </div>
    </section>
  );
}
