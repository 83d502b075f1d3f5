import { useEffect, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { Figures } from '../parts/figures';
import { usePolled } from '../parts/polled';
import { saveFile } from '../save_file';
import { rowName, shown, text } from '../text';
import { Devices } from './devices';

interface Health {
  played_s: number;
  late_ours: number;
  late_hosts: number;
  skipped_ticks: number;
  tick_us: number;
  tick_p50_us: number;
  tick_p999_us: number;
  tick_max_us: number;
  audio: string;
  audio_device: string;
  rate_hz: number;
  frames: number;
  xruns: number;
  delay_ms: number;
  notes: number;
  strikes: number;
  silent: number;
  sleeping_keys: number;
  tick_times: [from_us: number, to_us: number, count: number][];
  black_box: boolean;
  faults: Record<string, number>;
  fault_says?: Record<string, string>;
  messages: string[];
}
interface Finding {
  level: 'good' | 'advice' | 'fault';
  check: string;
  says: string;
  fix: string;
}

const time = (s: number) => `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, '0')}:${String(Math.floor(s) % 60).padStart(2, '0')}`;

/** How often a tick took how long: a bar for each quarter of a doubling, its height the logarithm of the count. */
function Times({ bins, limit_us }: { bins: Health['tick_times']; limit_us: number }) {
  if (bins.length === 0) return null;
  const most = Math.log10(1 + Math.max(...bins.map(([, , count]) => count)));
  const [low, high] = [bins[0]![0], bins[bins.length - 1]![1]];
  return (
    <figure class="times">
      <div class="bars" role="img" aria-label={text.system.times(shown(low, 'µs'), shown(high, 'µs'))}>
        {bins.map(([from, to, count]) => (
          <span key={from} class={from >= limit_us ? 'bad' : ''} title={`${shown(from)}–${shown(to, 'µs')}: ${count}`} style={{ height: `${count ? Math.max(3, (100 * Math.log10(1 + count)) / most) : 0}%` }} />
        ))}
      </div>
      <figcaption>
        <span>{shown(low, 'µs')}</span>
        <span>{text.system.timesCaption}</span>
        <span>{shown(high, 'µs')}</span>
      </figcaption>
    </figure>
  );
}

function Machine() {
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const look = async () => setFindings((await instrument.ask<{ findings: Finding[] }>('findings'))?.findings ?? []);
  useEffect(() => void look(), []);
  const order = { fault: 0, advice: 1, good: 2 };
  return (
    <section class="card">
      <h2>{text.system.machine}</h2>
      {!findings && <p class="note">{text.system.looking}</p>}
      <ul class="findings">
        {[...(findings ?? [])]
          .sort((a, b) => order[a.level] - order[b.level])
          .map((f) => (
            <li key={f.check} class={f.level}>
              <strong>{f.check}</strong> <span class="badge">{text.system.levels[f.level]}</span>
              <p>{f.says}</p>
              {f.fix && (
                <div class="fix">
                  <code>{f.fix}</code>
                  {navigator.clipboard && (
                    <button onClick={() => void navigator.clipboard.writeText(f.fix).then(() => instrument.say(text.system.copied))}>{text.system.copy}</button>
                  )}
                </div>
              )}
            </li>
          ))}
      </ul>
      <button onClick={() => void look()}>{text.system.lookAgain}</button>
    </section>
  );
}

async function fetchBlackBox() {
  const reply = await instrument.ask<{ text: string }>('black_box');
  if (reply) saveFile('letoff-late-ticks.csv', new Blob([reply.text], { type: 'text/csv' }));
}

export function System() {
  const { answer: h } = usePolled<Health>('health', 1000);
  if (!h) return null;
  const share = (us: number) => `${Math.round((100 * us) / h.tick_us)} %`;
  const faults = Object.entries(h.faults);
  return (
    <section class="system" aria-label={text.views.system}>
      <div class="columns">
        <div class="column">
          <section class="card">
            <h2>{text.system.ticks}</h2>
            <p class="note">{text.system.tickHint}</p>
            {([[text.system.usualTick, h.tick_p50_us], [text.system.longTick, h.tick_p999_us]] as const).map(([name, us]) => (
              <div class="meter-row" key={name}>
                <span>{name}</span>
                <meter min={0} max={h.tick_us} high={h.tick_us * 0.8} value={Math.min(us, h.tick_us)} aria-label={`${text.system.tickWork} ${name}`} />
                <span>
                  {shown(us, 'µs')} · {share(us)}
                </span>
              </div>
            ))}
            <Times bins={h.tick_times} limit_us={h.tick_us} />
            <Figures
              rows={[
                [text.system.late, String(h.late_ours), h.late_ours > 0, text.system.lateHint],
                [text.system.lateHosts, String(h.late_hosts), false, text.system.lateHostsHint],
                [text.system.skipped, String(h.skipped_ticks), h.skipped_ticks > 0, text.system.skippedHint],
                [text.system.sleeping, String(h.sleeping_keys), false, text.system.sleepingHint],
                [text.system.played, time(h.played_s)],
              ]}
            />
          </section>
          <section class="card">
            <h2>{text.system.audio}</h2>
            <p>
              {text.system.device(h.audio, h.audio_device)} · {text.system.block(h.rate_hz, h.frames)}
            </p>
            <Figures
              rows={[
                [text.system.delay, shown(h.delay_ms, 'ms'), false, text.system.delayHint],
                [text.system.gaps, String(h.xruns), h.xruns > 0, text.system.gapsHint],
                [text.system.notes, String(h.notes)],
                [text.system.strikes, String(h.strikes)],
                [text.system.silent, String(h.silent), false, text.system.silentHint],
              ]}
            />
          </section>
          <Devices />
        </div>
        <div class="column">
          <section class="card">
            <h2>{text.system.faults}</h2>
            {faults.length === 0 ? <p class="note">{text.system.noFaults}</p> : <Figures rows={faults.map(([name, count]) => [rowName(name, ''), String(count), true, h.fault_says?.[name] ?? ''])} />}
            {h.black_box && (
              <button title={text.system.blackBoxHint} onClick={() => void fetchBlackBox()}>
                {text.system.blackBox}
              </button>
            )}
          </section>
          <Machine />
          <section class="card">
            <h2>{text.system.messages}</h2>
            <ol class="messages" tabIndex={0} aria-label={text.system.messages}>
              {h.messages.map((message, i) => (
                <li key={i}>{message}</li>
              ))}
            </ol>
          </section>
        </div>
      </div>
    </section>
  );
}
