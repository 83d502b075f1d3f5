import { useEffect, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { Confirm } from '../parts/confirm';
import { saveFile } from '../save_file';
import { text } from '../text';

interface Recording {
  name: string;
  profile: string;
  profile_revision: number;
  created_unix_s: number;
  length_s: number;
  strikes: number;
  lost: number;
  ended: boolean;
}
interface State {
  recordings: Recording[];
  recording: string;
  recorded_s: number;
  replaying: string;
  replayed_s: number;
  replay_length_s: number;
  exporting: string;
  export_share: number;
  export_file: string;
  export_bytes: number;
  export_error: string;
}
type Form = keyof typeof text.record.forms;

const day = (unix_s: number) => new Date(unix_s * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = (s: number) => `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, '0')}`;
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
  const [state, setState] = useState<State | null>(null);
  const [name, setName] = useState(usual);
  const [removing, setRemoving] = useState('');
  const [again, setAgain] = useState(0);
  const [awaited, setAwaited] = useState(false); // this page has asked for a file
  useEffect(() => {
    let stopped = false;
    const look = async () => {
      const now = await instrument.call<State>('recordings').catch(() => null);
      if (now && !stopped) setState(now);
    };
    void look();
    const timer = setInterval(() => void look(), 500);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [again]);
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
    setAgain((n) => n + 1);
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
  return (
    <section class="record" aria-label={text.views.record}>
      <form class="card recorder" onSubmit={(event) => void toggle(event)}>
        {state.recording ? (
          <p class="going" role="status">
            <span class="lamp" aria-hidden="true" />
            {text.record.going(state.recording, time(state.recorded_s))}
          </p>
        ) : (
          <label>
            {text.record.name}
            <input required maxLength={80} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        )}
        <button class={state.recording ? 'panic' : 'main'}>{state.recording ? text.record.stop : text.record.start}</button>
        {!state.recording && <p class="note">{text.record.waiting}</p>}
      </form>
      <section>
        <h2>{text.record.title}</h2>
        <p class="note">{state.recordings.length ? text.record.replayHint : text.record.none}</p>
        <ul class="profiles">
          {[...state.recordings].reverse().map((r) => {
            const plays = r.name === state.replaying;
            const marks = [time(r.length_s), text.record.strikes(r.strikes), r.profile + (r.profile_revision ? `@${r.profile_revision}` : ''), day(r.created_unix_s)];
            if (!r.ended && r.name !== state.recording) marks.push(text.record.cut);
            if (r.lost) marks.push(text.record.lost(r.lost));
            return (
              <li key={r.name} class={`card profile ${plays ? 'plays' : ''}`}>
                <div class="profile-words">
                  <h3>{r.name}</h3>
                  <small>{marks.join(' · ')}</small>
                  {plays && <progress max={Math.max(0.1, state.replay_length_s)} value={state.replayed_s} aria-label={text.record.progress(r.name)} />}
                  {state.exporting === r.name && <p class="note" role="status">{text.record.writing(r.name, Math.round(100 * state.export_share))}</p>}
                </div>
                {r.name !== state.recording && (
                  <div class="profile-deeds">
                    <button class={plays ? '' : 'main'} onClick={() => void (plays ? ask('replay_stop') : ask('replay', { name: r.name }))}>
                      {plays ? text.record.stopReplay : text.record.replay}
                    </button>
                    <details class="menu">
                      <summary aria-label={`${r.name}: ${text.record.more}`}>⋯</summary>
                      <div>
                        {(Object.keys(text.record.forms) as Form[]).map((form) => (
                          <button key={form} disabled={state.exporting !== ''} onClick={(event) => {
                              event.currentTarget.closest('details')?.removeAttribute('open');
                              void write(r.name, form);
                            }}>
                            {text.record.forms[form]}
                          </button>
                        ))}
                        <button
                          onClick={(event) => {
                            event.currentTarget.closest('details')?.removeAttribute('open');
                            setRemoving(r.name);
                          }}
                        >
                          {text.record.remove}
                        </button>
                      </div>
                    </details>
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      </section>
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
