import { useState } from 'preact/hooks';
import { leaving } from '../app';
import { instrument } from '../instrument';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { useDrop } from '../parts/drop';
import { NameField } from '../parts/name_field';
import { useAnswer } from '../parts/values';
import { saveFile } from '../save_file';
import { useStore } from '../store';
import { day, keyName, rowName, text } from '../text';

interface Profile {
  name: string;
  action: string;
  notes: string;
  revision: number;
  saved_unix_s: number;
  factory: boolean;
}
interface Revision {
  number: number;
  saved_unix_s: number;
  how: string;
  note: string;
  changed_values: number;
}
interface Difference {
  key: number;
  row: string;
  before: string;
  after: string;
}
type Open = { what: 'history' | 'compare' | 'blend' | 'remove'; name: string } | null;

/** As people write it; what is turned on top of another value keeps its sign. */
function value(told: string): string {
  if (told === '') return text.touch.base;
  const number = Number(told);
  return told.trim() === '' || !Number.isFinite(number) ? told : `${told.startsWith('+') ? '+' : ''}${Number(number.toPrecision(4))}`;
}

function Differences({ a, b }: { a: string; b: string }) {
  const known = new Map((useStore(instrument.tables) ?? []).flat().map((row) => [row.id, row]));
  const { answer } = useAnswer<{ differences: Difference[] }>('differences', { a, b });
  const rows = answer?.differences ?? [];
  if (answer && rows.length === 0) return <p>{text.touch.nothingDiffers}</p>;
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>{text.touch.row}</th>
            <th>{text.touch.before}</th>
            <th>{text.touch.after}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((d) => (
            <tr key={`${d.key} ${d.row}`}>
              <td>
                {d.key ? `${keyName(d.key)}: ` : ''}
                {rowName(d.row, known.get(d.row)?.unit ?? '')}
                {known.get(d.row)?.unit && `, ${known.get(d.row)!.unit}`}
                <small class="says">{known.get(d.row)?.sentence}</small>
              </td>
              <td>{value(d.before)}</td>
              <td>{value(d.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function History({ name, done }: { name: string; done: () => void }) {
  const { answer } = useAnswer<{ history: Revision[] }>('history', { profile: name });
  return (
    <ol class="history" reversed>
      {[...(answer?.history ?? [])].reverse().map((r, i) => (
        <li key={r.number}>
          <div>
            <strong>{r.number}</strong> {r.note || r.how}
            <small>
              {day(r.saved_unix_s)} · {text.touch.changes(r.changed_values)}
            </small>
          </div>
          {i > 0 && (
            <button
              onClick={async () => {
                const reply = await instrument.ask<{ sentence: string }>('restore', { profile: name, revision: r.number });
                if (reply) instrument.say(reply.sentence);
                done();
              }}
            >
              {text.touch.restore}
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

function Blend({ a, b, done }: { a: string; b: string; done: () => void }) {
  const [share, setShare] = useState(50);
  const [name, setName] = useState(`${a} ${b} 50`);
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        const reply = await instrument.ask<{ name: string }>('blend', { a, b, share: share / 100, name });
        if (reply) done();
      }}
    >
      <label>
        {text.touch.blendShare}: {share} %
        <input type="range" min={0} max={100} value={share} onInput={(event) => setShare(event.currentTarget.valueAsNumber)} />
      </label>
      <NameField name={name} set={setName} />
      <footer>
        <button class="main">{text.touch.blendMake}</button>
      </footer>
    </form>
  );
}

export function Touch() {
  const draft = useStore(instrument.draft);
  const [search, setSearch] = useState('');
  const [again, setAgain] = useState(0);
  const [open, setOpen] = useState<Open>(null);
  const { answer } = useAnswer<{ profiles: Profile[] }>('profiles', {}, again);
  const profiles = (answer?.profiles ?? []).filter((p) => `${p.name} ${p.notes}`.toLowerCase().includes(search.toLowerCase()));
  const renew = () => {
    setOpen(null);
    setAgain((n) => n + 1);
  };
  const take = (name: string) =>
    leaving.ask(async () => {
      const reply = await instrument.change<{ sentence: string }>('choose', { profile: name });
      if (reply) instrument.say(reply.sentence);
    });
  const importFile = async (file: File | undefined) => {
    if (!file) return;
    const reply = await instrument.ask<{ name: string }>('import', { text: await file.text() });
    if (reply) instrument.say(text.touch.imported(reply.name));
    renew();
  };
  const { dropping, events } = useDrop(importFile);
  const exportFile = async (name: string) => {
    const reply = await instrument.ask<{ text: string }>('export', { profile: name });
    if (!reply) return;
    saveFile(`${name}.json`, new Blob([reply.text], { type: 'application/json' }));
  };
  const list = (title: string, some: Profile[], none: string) => (
    <section>
      <h2>{title}</h2>
      {some.length === 0 && <p class="note">{none}</p>}
      <ul class="profiles">
        {some.map((p) => {
          const plays = p.name === draft?.profile;
          return (
            <li key={p.name} class={`card profile ${plays ? 'plays' : ''}`}>
              <div class="profile-words">
                <h3>
                  {p.name}
                  {plays && <span class="badge">{text.touch.plays}</span>}
                </h3>
                <p>{p.notes}</p>
                {!p.factory && (
                  <small>
                    {text.draft.revision(p.revision)} · {day(p.saved_unix_s)}
                  </small>
                )}
              </div>
              <div class="profile-deeds">
                {!plays && (
                  <button class="main" onClick={() => take(p.name)}>
                    {text.touch.take}
                  </button>
                )}
                <details class="menu">
                  <summary aria-label={`${p.name}: ${text.touch.more}`}>⋯</summary>
                  <div>
                    {!p.factory && <button onClick={() => setOpen({ what: 'history', name: p.name })}>{text.touch.history}</button>}
                    <button onClick={() => setOpen({ what: 'compare', name: p.name })}>{text.touch.compare}</button>
                    {!plays && <button onClick={() => setOpen({ what: 'blend', name: p.name })}>{text.touch.blend}</button>}
                    <button onClick={() => void exportFile(p.name)}>{text.touch.export}</button>
                    {!p.factory && !plays && <button onClick={() => setOpen({ what: 'remove', name: p.name })}>{text.touch.remove}</button>}
                  </div>
                </details>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
  const playing = draft?.profile ?? '';
  return (
    <section
      class={`touch ${dropping ? 'dropping' : ''}`}
      aria-label={text.views.touch}
      {...events}
    >
      <div class="tools">
        <input type="search" placeholder={text.touch.search} aria-label={text.touch.search} value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        <label class="button">
          {text.touch.import}
          <input type="file" accept=".json,application/json" class="hidden" onChange={(event) => void importFile(event.currentTarget.files?.[0])} />
        </label>
        <span class="note">{text.touch.importHint}</span>
      </div>
      {list(text.touch.yours, profiles.filter((p) => !p.factory), search ? text.touch.noneFound : text.touch.noneOfYours)}
      {list(text.touch.factory, profiles.filter((p) => p.factory), text.touch.noneFound)}
      {open?.what === 'history' && (
        <Dialog title={`${text.touch.history}: ${open.name}`} close={() => setOpen(null)}>
          <History name={open.name} done={renew} />
        </Dialog>
      )}
      {open?.what === 'compare' && (
        <Dialog title={text.touch.differences(open.name, playing)} close={() => setOpen(null)}>
          <Differences a={open.name} b="" />
        </Dialog>
      )}
      {open?.what === 'blend' && (
        <Dialog title={text.touch.blendTitle(playing, open.name)} close={() => setOpen(null)}>
          <Blend a={playing} b={open.name} done={renew} />
        </Dialog>
      )}
      {open?.what === 'remove' && (
        <Confirm
          deed={text.touch.remove}
          question={text.touch.removeAsk(open.name)}
          close={() => setOpen(null)}
          go={async () => {
            const reply = await instrument.ask<{ sentence: string }>('remove', { profile: open.name });
            if (reply) instrument.say(reply.sentence);
            renew();
          }}
        />
      )}
    </section>
  );
}
