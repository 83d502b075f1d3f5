// The values of a place as they are now, asked anew whenever the draft has changed.
import { useEffect, useState } from 'preact/hooks';
import { instrument, type RowValue } from '../instrument';
import { useStore } from '../store';

/** Asks again when the draft or `what` changes; of several answers the newest counts. */
export function useAnswer<T>(name: string, args: Record<string, unknown> | null, alsoOn: unknown = 0): { answer: T | null; busy: boolean } {
  const draft = useStore(instrument.draft);
  const connected = useStore(instrument.connected);
  const [answer, setAnswer] = useState<T | null>(null);
  const [busy, setBusy] = useState(false);
  const what = JSON.stringify(args);
  useEffect(() => {
    if (!args || !connected) return;
    let current = true;
    setBusy(true);
    const abort = new AbortController();
    void instrument.ask<T>(name, args, abort.signal).then((reply) => {
      if (!current) return;
      if (reply) setAnswer(reply);
      setBusy(false);
    });
    return () => {
      current = false;
      abort.abort();
    };
  }, [name, what, draft?.revision, connected, alsoOn]);
  return { answer, busy };
}

export function useValues(key: number): Map<string, RowValue> {
  const { answer } = useAnswer<{ values: RowValue[] }>('values', { key });
  return new Map((answer?.values ?? []).map((value) => [value.row, value]));
}
