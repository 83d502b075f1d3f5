import { useEffect, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { Confirm } from '../parts/confirm';
import { NameField } from '../parts/name_field';
import { usePolled } from '../parts/polled';
import { saveFile } from '../save_file';
import { text } from '../text';
import { Entry, Keep, time, type Form, type Recording, type State } from './recording';

const usual = () => text.record.usual(new Date().toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' }));

/** The file that is ready, part by part, as the browser's own download. */
async function fetchExport(state: State): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0; offset < state.export_bytes; ) {
    const part = await instrument.ask<{ base64: string; bytes: number }>('record_part', { offset });
    if (!part || part.bytes === 0) return;
    parts.push(Uint8Array.from(atob(part.base64), (c) => c.charCodeAt(0)));
    offset += part.bytes;
  }
  saveFile(state.export_file.replace(/[\\/:*?"<>|]/g, '-'), new Blob(parts));
  instrument.say(text.record.written(state.export_file));
}

export function Record() {
  const { answer: state, again, set: setState } = usePolled<State>('recordings', 500);
  const [name, setName] = useState(usual);
  const [removing, setRemoving] = useState('');
  const [keeping, setKeeping] = useState('');
  const [awaited, setAwaited] = useState(false); // this page has asked for a file
  useEffect(() => {
    if (!awaited || !state || state.exporting) return;
    if (state.export_error) {
      setAwaited(false);
      instrument.say(state.export_error, true);
    } else if (state.export_file) {
      setAwaited(false);
      void fetchExport(state);
    }
  }, [awaited, state]);
  if (!state) return <section class="record" aria-label={text.views.record} />;

  const ask = async (call: string, args: { [name: string]: unknown } = {}) => {
    const reply = await instrument.ask<{ sentence: string }>(call, args);
    if (reply?.sentence) instrument.say(reply.sentence);
    again();
    return reply !== null;
  };
  const write = async (recording: string, form: Form) => {
    if (!(await ask('record_export', { name: recording, form }))) return;
    setState({ ...state, exporting: recording, export_share: 0 });
    setAwaited(true);
  };
  const toggle = async (event: Event) => {
    event.preventDefault();
    if (state.recording) await ask('record_stop');
    else if (await ask('record', { name: name.trim() })) setName(usual());
  };
  const entry = (r: Recording) => (
    <Entry key={r.name} recording={r} state={state} captured={state.captured.includes(r)} ask={ask} write={write} remove={setRemoving} keep={setKeeping} />
  );
  return (
    <section class="record" aria-label={text.views.record}>
      <form class="card recorder" onSubmit={(event) => void toggle(event)}>
        {state.recording ? (
          <p class="going" role="status">
            <span class="lamp" aria-hidden="true" />
            {text.record.going(state.recording, time(state.recorded_s))}
          </p>
        ) : (
          <NameField label={text.record.name} name={name} set={setName} />
        )}
        <button class={state.recording ? 'panic' : 'main'}>{state.recording ? text.record.stop : text.record.start}</button>
        {!state.recording && <p class="note">{text.record.waiting}</p>}
      </form>
      <section>
        <h2>{text.record.title}</h2>
        <p class="note">{state.recordings.length ? text.record.replayHint : text.record.none}</p>
        <ul class="profiles">
          {[...state.recordings].reverse().map(entry)}
        </ul>
      </section>
      {state.captured.length > 0 && (
        <section aria-label={text.record.captured}>
          <h2>{text.record.captured}</h2>
          <p class="note">{text.record.capturedHint}</p>
          <ul class="profiles">{[...state.captured].reverse().map(entry)}</ul>
        </section>
      )}
      {keeping && <Keep captured={keeping} ask={ask} close={() => setKeeping('')} />}
      {removing && (
        <Confirm
          deed={text.record.remove}
          question={text.record.removeAsk(removing)}
          close={() => setRemoving('')}
          go={() => {
            setRemoving('');
            void ask('record_delete', { name: removing });
          }}
        />
      )}
    </section>
  );
}
