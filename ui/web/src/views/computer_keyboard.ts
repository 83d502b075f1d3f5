// The computer's keyboard as a piano's.
import { useEffect, useRef } from 'preact/hooks';
import { instrument } from '../instrument';
import { semitonesOf } from '../keys';
import { keyCount } from '../telemetry';

const typing = (target: EventTarget | null) => target instanceof HTMLElement && /INPUT|TEXTAREA|SELECT/.test(target.tagName) && (target as HTMLInputElement).type !== 'range';

/** Plays while the view is open; what it holds down goes with the view, and with the window's focus. */
export function useComputerKeyboard(lowest: number, setLowest: (key: number) => void): void {
  const now = useRef(lowest);
  now.current = lowest;
  useEffect(() => {
    const down = new Map<string, number>();
    let spaceDown = false; // as the pedal, not on a button
    const liftSpace = () => {
      if (spaceDown) instrument.pedal('sustain', false);
      spaceDown = false;
    };
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      const canvas = (event.target as HTMLElement).tagName === 'CANVAS';
      if (canvas && (event.code === 'ArrowLeft' || event.code === 'ArrowRight')) {
        setLowest(Math.max(4, Math.min(64, now.current + (event.code === 'ArrowLeft' ? -12 : 12))));
        event.preventDefault();
        return;
      }
      if (event.code === 'Space' && (canvas || event.target === document.body)) {
        spaceDown = true;
        instrument.pedal('sustain', true);
        event.preventDefault();
        return;
      }
      const semitones = semitonesOf(event.code);
      if (semitones === null) return;
      const key = now.current + semitones;
      if (key < 1 || key > keyCount || down.has(event.code)) return;
      down.set(event.code, key);
      instrument.keyDown(key, event.shiftKey ? 110 : 72);
    };
    const release = (event: KeyboardEvent) => {
      if (event.code === 'Space') liftSpace();
      const key = down.get(event.code);
      if (key === undefined) return;
      down.delete(event.code);
      instrument.keyUp(key);
    };
    const all = () => {
      for (const key of down.values()) instrument.keyUp(key);
      down.clear();
      liftSpace();
    };
    addEventListener('keydown', press);
    addEventListener('keyup', release);
    addEventListener('blur', all);
    return () => {
      all();
      removeEventListener('keydown', press);
      removeEventListener('keyup', release);
      removeEventListener('blur', all);
    };
  }, []);
}
