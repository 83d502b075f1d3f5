import { useEffect, useRef, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { keyShapes, whiteCount } from '../keys';
import { keyName, shown, text } from '../text';
import { useComputerKeyboard } from './computer_keyboard';
import { Keyboard, Overview } from './keyboard';

const pedals = ['soft', 'sostenuto', 'sustain'] as const;

/** A pedal: held while it is pressed; a tap on its lock keeps it down. */
function Pedal({ pedal }: { pedal: (typeof pedals)[number] }) {
  const [down, setDown] = useState(false);
  const bar = useRef<HTMLSpanElement>(null);
  const shown = useRef(0);
  useEffect(
    () =>
      instrument.onFrame((frame) => {
        const share = { soft: frame.unaCorda, sostenuto: frame.sostenuto, sustain: frame.sustain }[pedal];
        if (bar.current && share !== shown.current) bar.current.style.transform = `scaleY(${(shown.current = share)})`;
      }),
    [],
  );
  const press = (wanted: boolean) => {
    setDown(wanted);
    instrument.pedal(pedal, wanted ? 1 : 0);
  };
  return (
    <button class="pedal" aria-pressed={down} onClick={() => press(!down)}>
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
