// One recording in the list, and how one that was only captured is kept.
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { NameField } from '../parts/name_field';
import { day, text } from '../text';

export interface Recording {
  name: string;
  profile: string;
  profile_revision: number;
  created_unix_s: number;
  length_s: number;
  strikes: number;
  lost: number;
  ended: boolean;
}
export interface State {
  recordings: Recording[];
  captured: Recording[];
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
export type Form = keyof typeof text.record.forms;

export const time = (s: number) => `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, '0')}`;
type Ask = (call: string, args?: { [name: string]: unknown }) => Promise<boolean>;

interface Props {
  recording: Recording;
  state: State;
  captured: boolean;
  ask: Ask;
  write: (recording: string, form: Form) => Promise<void>;
  remove: (name: string) => void;
  keep: (name: string) => void;
}

export function Entry({ recording: r, state, captured, ask, write, remove, keep }: Props) {
  const plays = r.name === state.replaying;
  const goesOn = r.name === state.recording;
  const marks = [time(r.length_s), text.record.strikes(r.strikes), r.profile + (r.profile_revision ? `@${r.profile_revision}` : ''), day(r.created_unix_s)];
  if (!r.ended && !goesOn && !captured) marks.push(text.record.cut);
  if (r.lost) marks.push(text.record.lost(r.lost));
  const chosen = (event: Event) => (event.currentTarget as HTMLElement).closest('details')?.removeAttribute('open');
  return (
    <li class={`card profile ${plays ? 'plays' : ''}`}>
      <div class="profile-words">
        <h3>{r.name}</h3>
        <small>{marks.join(' · ')}</small>
        {plays && <progress max={Math.max(0.1, state.replay_length_s)} value={state.replayed_s} aria-label={text.record.progress(r.name)} />}
        {state.exporting === r.name && <p class="note" role="status">{text.record.writing(r.name, Math.round(100 * state.export_share))}</p>}
      </div>
      {!goesOn && (
        <div class="profile-deeds">
          {captured && (
            <button class="main" aria-label={`${text.record.keep}: ${r.name}`} onClick={() => keep(r.name)}>
              {text.record.keep}
            </button>
          )}
          <button class={plays || captured ? '' : 'main'} aria-label={`${plays ? text.record.stopReplay : text.record.replay}: ${r.name}`} onClick={() => void (plays ? ask('replay_stop') : ask('replay', { name: r.name }))}>
            {plays ? text.record.stopReplay : text.record.replay}
          </button>
          <details class="menu">
            <summary aria-label={`${r.name}: ${text.record.more}`}>⋯</summary>
            <div>
              {(Object.keys(text.record.forms) as Form[]).map((form) => (
                <button
                  key={form}
                  disabled={state.exporting !== ''}
                  onClick={(event) => {
                    chosen(event);
                    void write(r.name, form);
                  }}
                >
                  {text.record.forms[form]}
                </button>
              ))}
              <button
                onClick={(event) => {
                  chosen(event);
                  remove(r.name);
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
}

export function Keep({ captured, ask, close }: { captured: string; ask: Ask; close: () => void }) {
  const [name, setName] = useState('');
  return (
    <Dialog title={text.record.keepTitle} close={close}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await ask('record_keep', { name: captured, new_name: name.trim() })) close();
        }}
      >
        <NameField label={text.record.keepName} name={name} set={setName} />
        <footer>
          <button type="button" onClick={close}>
            {text.draft.cancel}
          </button>
          <button class="main">{text.record.keep}</button>
        </footer>
      </form>
    </Dialog>
  );
}
