import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { instrument } from './instrument';
import { Dialog } from './parts/dialog';
import { NameField } from './parts/name_field';
import { Store, useStore } from './store';
import { text } from './text';
import { Play } from './views/play';
import { Record as RecordView } from './views/record';
import { Regulate } from './views/regulate';
import { Scope } from './views/scope';
import { Sound } from './views/sound';
import { System } from './views/system';
import { Touch } from './views/touch';

type View = keyof typeof text.views;
const views: Record<View, FunctionComponent> = { play: Play, touch: Touch, regulate: Regulate, sound: Sound, scope: Scope, system: System, record: RecordView };
const icons: Record<View, string> = {
  play: 'M3 5h18v14H3zM8 5v8m4-8v8m4-8v8M8 13v6m4-6v6m4-6v6',
  touch: 'M4 7h16M4 12h10M4 17h13M18 12h2',
  regulate: 'M6 3v9m0 4v5M12 3v3m0 4v11M18 3v12m0 4v2M4 14h4M10 8h4M16 17h4',
  sound: 'M4 10v4M8 6v12M12 3v18M16 7v10M20 10v4',
  scope: 'M3 12h4l2-7 4 14 3-9 1 2h4',
  record: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  system: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10 2 2m0-14-2 2M7 17l-2 2',
};
const isView = (name: string): name is View => name in views;
const viewOf = (): View => (isView(location.hash.slice(1)) ? (location.hash.slice(1) as View) : 'play');

/** Before something that forgets the draft: asks where it is not saved. */
class Leaving {
  readonly then = new Store<(() => void) | null>(null);
  ask(then: () => void): void {
    if (instrument.draft.value?.unsaved) this.then.set(then);
    else then();
  }
}
export const leaving = new Leaving();
const saving = new Store<{ then?: () => void } | null>(null);

function Save({ close, then }: { close: () => void; then?: (() => void) | undefined }) {
  const draft = useStore(instrument.draft);
  const factory = draft?.saved_revision === 0;
  const [name, setName] = useState(factory ? '' : (draft?.profile ?? ''));
  const [note, setNote] = useState('');
  return (
    <Dialog title={text.draft.saveTitle} close={close}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const reply = await instrument.change<{ sentence: string }>('save', { name: name.trim(), note });
          if (!reply) return;
          instrument.say(reply.sentence);
          close();
          then?.();
        }}
      >
        <NameField name={name} set={setName} />
        <label>
          {text.draft.saveNote}
          <input maxLength={200} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        <p class="note">{draft?.elsewhere ? text.draft.elsewhere : text.draft.saveKept}</p>
        <footer>
          <button type="button" onClick={close}>
            {text.draft.cancel}
          </button>
          <button class="main">{text.draft.save}</button>
        </footer>
      </form>
    </Dialog>
  );
}

function Leave() {
  const then = useStore(leaving.then);
  const draft = useStore(instrument.draft);
  if (!then) return null;
  const close = () => leaving.then.set(null);
  return (
    <Dialog title={text.draft.leaveTitle} close={close}>
      <p>{text.draft.leaveText(draft?.profile ?? '')}</p>
      <footer>
        <button onClick={close}>{text.draft.stay}</button>
        <button
          onClick={() => {
            close();
            then();
          }}
        >
          {text.draft.discard}
        </button>
        <button
          class="main"
          onClick={() => {
            close();
            saving.set({ then });
          }}
        >
          {text.draft.save}
        </button>
      </footer>
    </Dialog>
  );
}

function Pair() {
  const [code, setCode] = useState('');
  return (
    <main class="pair">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void instrument.pair(code.trim());
        }}
      >
        <h1>{text.pair.title}</h1>
        <p>{text.pair.text}</p>
        <label>
          {text.pair.code}
          <input inputMode="numeric" autoComplete="off" required value={code} onInput={(event) => setCode(event.currentTarget.value)} />
        </label>
        <button class="main">{text.pair.go}</button>
      </form>
    </main>
  );
}

function Level() {
  const bar = useRef<HTMLSpanElement>(null);
  const shown = useRef(0);
  useEffect(
    () =>
      instrument.onFrame((frame) => {
        // -50 dB to full scale.
        const share = Math.round(120 * Math.max(0, Math.min(1, 1 + (20 * Math.log10(Math.max(1e-4, frame.meter))) / 50))) / 120;
        if (bar.current && share !== shown.current) bar.current.style.transform = `scaleX(${(shown.current = share)})`;
      }),
    [],
  );
  return (
    <span class="level" role="img" aria-label={text.draft.level}>
      <span ref={bar} />
    </span>
  );
}

function Top() {
  const draft = useStore(instrument.draft);
  const connected = useStore(instrument.connected);
  const state = !draft ? '' : draft.unsaved ? text.draft.unsaved : draft.saved_revision ? text.draft.revision(draft.saved_revision) : text.draft.factory;
  return (
    <header class="top">
      <div class="who">
        <span class={`dot ${connected ? 'on' : ''}`} role="img" aria-label={connected ? text.connection.on : text.connection.off} />
        <div>
          <h1>{draft?.profile ?? text.name}</h1>
          <small class={draft?.unsaved ? 'unsaved' : ''}>{state}</small>
        </div>
      </div>
      <Level />
      <div class="deeds">
        <button class="icon" aria-label={text.draft.undo} title={draft?.undoable ? `${text.draft.undo}: ${draft.last}` : text.draft.undo} disabled={!draft?.undoable} onClick={() => void instrument.change('undo')}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3" />
          </svg>
        </button>
        <button class="icon redo" aria-label={text.draft.redo} title={text.draft.redo} disabled={!draft?.redoable} onClick={() => void instrument.change('redo')}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3" />
          </svg>
        </button>
        <button aria-pressed={draft?.plays_saved ?? false} title={text.draft.compareHint} disabled={!draft?.unsaved} onClick={() => void instrument.ask('play_saved', { saved: !draft?.plays_saved }).then((reply) => reply && instrument.say(draft?.plays_saved ? text.draft.playsDraft : text.draft.playsSaved))}>
          {text.draft.compare}
        </button>
        <button class="main" disabled={!draft} onClick={() => saving.set({})}>
          {text.draft.save}
        </button>
        <button class="panic" title={text.draft.panicHint} onClick={() => instrument.panic()}>
          {text.draft.panic}
        </button>
      </div>
    </header>
  );
}

function Notice() {
  const notice = useStore(instrument.notice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => instrument.notice.set(null), notice.bad ? 9000 : 3500);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-place" aria-live="polite">
      {notice && (
        <button class={`notice ${notice.bad ? 'bad' : ''}`} onClick={() => instrument.notice.set(null)}>
          {notice.sentence}
        </button>
      )}
    </div>
  );
}

export function App() {
  const [view, setView] = useState<View>(viewOf());
  const mustPair = useStore(instrument.mustPair);
  const connected = useStore(instrument.connected);
  const asked = useStore(saving);
  useEffect(() => {
    const hash = () => setView(viewOf());
    const unload = (event: BeforeUnloadEvent) => {
      if (instrument.draft.value?.unsaved) event.preventDefault();
    };
    addEventListener('hashchange', hash);
    addEventListener('beforeunload', unload);
    return () => {
      removeEventListener('hashchange', hash);
      removeEventListener('beforeunload', unload);
    };
  }, []);
  if (mustPair) return <Pair />;
  const Current = views[view];
  return (
    <>
      <nav aria-label={text.name}>
        {(Object.keys(views) as View[]).map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === view ? 'page' : undefined}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={icons[name]} />
            </svg>
            {text.views[name]}
          </a>
        ))}
      </nav>
      <div class="body">
        <Top />
        <main>
          <Current />
        </main>
      </div>
      {!connected && <p class="offline" role="status">{text.connection.again}</p>}
      <Notice />
      <Leave />
      {asked && <Save close={() => saving.set(null)} then={asked.then} />}
    </>
  );
}
