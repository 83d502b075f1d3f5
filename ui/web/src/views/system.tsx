import { useEffect, useState } from 'preact/hooks';
import { instrument } from '../instrument';
import { shown, text } from '../text';

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
  faults: Record<string, number>;
  messages: string[];
}

const time = (s: number) => `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, '0')}:${String(Math.floor(s) % 60).padStart(2, '0')}`;

function Figures({ rows }: { rows: [string, string, boolean?][] }) {
  return (
    <dl class="figures">
      {rows.map(([name, value, bad]) => (
        <div key={name} class={bad ? 'bad' : ''}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function System() {
  const [health, setHealth] = useState<Health | null>(null);
  useEffect(() => {
    let stopped = false;
    const look = async () => {
      const now = await instrument.call<Health>('health').catch(() => null);
      if (now && !stopped) setHealth(now);
    };
    void look();
    const timer = setInterval(() => void look(), 1000);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, []);
  if (!health) return null;
  const h = health;
  const share = (us: number) => `${Math.round((100 * us) / h.tick_us)} %`;
  const faults = Object.entries(h.faults);
  return (
    <section class="system" aria-label={text.views.system}>
      <div class="columns">
        <div class="column">
          <section class="card">
            <h2>{text.system.ticks}</h2>
            {([['p50', h.tick_p50_us], ['p99.9', h.tick_p999_us]] as const).map(([name, us]) => (
              <div class="meter-row" key={name}>
                <span>
                  {text.system.tickWork}, {name}
                </span>
                <meter min={0} max={h.tick_us} high={h.tick_us * 0.8} value={Math.min(us, h.tick_us)} aria-label={`${text.system.tickWork} ${name}`} />
                <span>
                  {shown(us, 'µs')} · {share(us)}
                </span>
              </div>
            ))}
            <Figures
              rows={[
                [`${text.system.late}, ${text.system.ours}`, String(h.late_ours), h.late_ours > 0],
                [`${text.system.late}, ${text.system.hosts}`, String(h.late_hosts)],
                [text.system.skipped, String(h.skipped_ticks), h.skipped_ticks > 0],
                [text.system.sleeping, String(h.sleeping_keys)],
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
                [text.system.delay, shown(h.delay_ms, 'ms')],
                [text.system.gaps, String(h.xruns), h.xruns > 0],
                [text.system.notes, String(h.notes)],
                [text.system.strikes, String(h.strikes)],
                [text.system.silent, String(h.silent)],
              ]}
            />
          </section>
        </div>
        <div class="column">
          <section class="card">
            <h2>{text.system.faults}</h2>
            {faults.length === 0 ? <p class="note">{text.system.noFaults}</p> : <Figures rows={faults.map(([name, count]) => [name, String(count), true])} />}
          </section>
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
