// Sound, MIDI and motorised keys: what there is, how it is, and another one chosen while the instrument plays.
import { useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { Confirm } from '../parts/confirm';
import { Figures } from '../parts/figures';
import { usePolled } from '../parts/polled';
import { keyName, shown, text } from '../text';

type Kind = 'sound' | 'midi_in' | 'midi_out';
interface Entry {
  kind: Kind;
  choice: string;
  name: string;
  says: string;
  why_not: string;
  used: boolean;
}
interface Motors {
  serial: string;
  state: string;
  why: string;
  calibrated: string;
  fallen: boolean;
  first_key: number;
  keys: number;
  keys_out: string[];
  drifting: string[];
  round_trip_ms: number;
  frames: number;
  missing: number;
  corrupt: number;
  late: number;
  falls: number;
  warmest_C: number;
}
interface State {
  entries: Entry[];
  sound: string;
  midi_in: string;
  midi_out: string;
  motors: Motors[];
  motors_say: string;
}
const kinds: [Kind, string][] = [
  ['sound', text.system.sound],
  ['midi_in', text.system.midiIn],
  ['midi_out', text.system.midiOut],
];

function Choice({ kind, label, state, done }: { kind: Kind; label: string; state: State; done: () => void }) {
  const [busy, setBusy] = useState(false);
  const all = state.entries.filter((entry) => entry.kind === kind);
  const offered = all.filter((entry) => entry.choice !== '' && (!entry.why_not || entry.used || entry.choice === state[kind]));
  const now = offered.some((entry) => entry.choice === state[kind]) ? state[kind] : '';
  const used = all.filter((entry) => entry.used && entry.choice !== 'none');
  const use = async (choice: string) => {
    setBusy(true);
    const reply = await instrument.ask<{ sentence: string }>('use_device', { kind, choice });
    if (reply) instrument.say(reply.sentence);
    setBusy(false);
    done();
  };
  return (
    <div class="device">
      <label>
        <span>{label}</span>
        <select value={now} disabled={busy} onChange={(event) => void use(event.currentTarget.value)}>
          {now === '' && <option value="">{text.system.chosenElsewhere}</option>}
          {offered.map((entry) => (
            <option key={entry.choice} value={entry.choice}>
              {entry.name}
            </option>
          ))}
        </select>
      </label>
      {busy && <p class="note" role="status">{text.system.changing}</p>}
      {used.map((entry) => (
        <p key={entry.name} class={`note ${entry.why_not ? 'bad' : ''}`}>
          {entry.name}: {entry.why_not || [text.system.inUse, entry.says].filter(Boolean).join(', ')}
        </p>
      ))}
    </div>
  );
}

function MotorKeys({ motors, done }: { motors: Motors; done: () => void }) {
  const [asks, setAsks] = useState(false);
  const lost = motors.missing + motors.corrupt;
  return (
    <div class="device">
      <p>
        <strong>{motors.serial}</strong>, {text.system.motorKeys(keyName(motors.first_key), keyName(motors.first_key + motors.keys - 1))}:{' '}
        <span class={motors.fallen ? 'bad' : ''}>{motors.state}</span>
      </p>
      {motors.why && <p class="bad">{motors.why}</p>}
      <p class="note">{motors.calibrated}</p>
      <Figures
        rows={[
          [text.system.roundTrip, motors.round_trip_ms ? shown(motors.round_trip_ms, 'ms') : '–', false, text.system.roundTripHint],
          [text.system.lostFrames, `${lost} / ${motors.frames}`, lost > 0],
          [text.system.lateFrames, String(motors.late), motors.late > 0],
          [text.system.falls, String(motors.falls), motors.falls > 0, text.system.fallsHint],
          ...(motors.warmest_C ? [[text.system.warmest, shown(motors.warmest_C, '°C')] as [string, string]] : []),
          ...(motors.keys_out.length ? [[text.system.keysOut, motors.keys_out.join(' '), true] as [string, string, boolean]] : []),
          ...(motors.drifting.length ? [[text.system.drifting, motors.drifting.join(' '), true] as [string, string, boolean]] : []),
        ]}
      />
      {(motors.fallen || motors.keys_out.length > 0) && (
        <button title={text.system.rearmHint} onClick={() => setAsks(true)}>
          {text.system.rearm}
        </button>
      )}
      {asks && (
        <Confirm
          deed={text.system.rearm}
          question={text.system.rearmAsk}
          close={() => setAsks(false)}
          go={async () => {
            setAsks(false);
            const reply = await instrument.ask<{ sentence: string }>('rearm');
            if (reply) instrument.say(reply.sentence);
            done();
          }}
        />
      )}
    </div>
  );
}

export function Devices() {
  const { answer: state, again: done } = usePolled<State>('devices', 3000);
  if (!state) return null;
  const cannot = state.entries.filter((entry) => entry.why_not && !entry.used);
  return (
    <section class="card devices">
      <h2>{text.system.devices}</h2>
      {kinds.map(([kind, label]) => (
        <Choice key={kind} kind={kind} label={label} state={state} done={done} />
      ))}
      {cannot.length > 0 && (
        <details>
          <summary>{text.system.cannot}</summary>
          <ul class="cannot">
            {[...new Map(cannot.map((entry) => [entry.why_not, entry])).values()].map((entry) => (
              <li key={entry.why_not}>
                <strong>{entry.name}</strong> {entry.why_not}
              </li>
            ))}
          </ul>
        </details>
      )}
      <h3>{text.system.motors}</h3>
      {state.motors.map((motors) => (
        <MotorKeys key={motors.serial} motors={motors} done={done} />
      ))}
      {state.motors_say && <p class="note">{state.motors_say}</p>}
      <p class="note">
        {text.system.calibrate} <code>{text.system.calibrateCommand}</code>
      </p>
    </section>
  );
}
