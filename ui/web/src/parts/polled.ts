// What the instrument says of itself, asked again and again while somebody looks.
import { useEffect, useState } from 'preact/hooks';
import { instrument } from '../instrument';

/** The newest answer; `again` asks at once, `set` says what is known before the next. A call that fails leaves the last. */
export function usePolled<T>(name: string, every_ms: number): { answer: T | null; again: () => void; set: (answer: T) => void } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const now = await instrument.call<T>(name).catch(() => null);
      if (stopped) return;
      if (now) setAnswer(now);
      timer = setTimeout(() => void look(), every_ms);
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [name, every_ms, asked]);
  return { answer, again: () => setAsked((n) => n + 1), set: setAnswer };
}
