// The instrument behind the page: its calls, its telemetry and the draft, with reconnection.
import { Store } from './store';
import { emptyFrame, readFrame, type Frame } from './telemetry';
import { text } from './text';

export interface Row {
  id: string;
  unit: string;
  default: number;
  minimum: number;
  maximum: number;
  live: 'start' | 'technician' | 'player';
  sentence: string;
  choices?: string[];
}
export interface Draft {
  profile: string;
  saved_revision: number;
  revision: number;
  unsaved: boolean;
  plays_saved: boolean;
  undoable: number;
  redoable: number;
  last: string;
  elsewhere: boolean;
}
export interface RowValue {
  row: string;
  value: number;
  saved: number;
  factory: number;
  own: boolean;
}
export interface Change {
  row: string;
  kind: 'set' | 'turn' | 'base';
  value?: number;
}
export interface Figure {
  value: number | null; // null: there is none, and `why`
  unit: string;
  why?: string;
}
export interface Measured {
  key: number;
  figures: Record<string, Figure>;
  fault?: string;
}

export const pedals = ['soft', 'sostenuto', 'sustain'] as const;
export type Pedal = (typeof pedals)[number];

export class CallError extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

const tokenPlace = 'letoff-token';

class Instrument {
  readonly connected = new Store(false);
  readonly mustPair = new Store(false);
  readonly draft = new Store<Draft | null>(null);
  readonly tables = new Store<Row[][] | null>(null);
  readonly notice = new Store<{ sentence: string; bad: boolean } | null>(null);
  /** Those that this page holds down. */
  readonly pedalsDown = new Store<readonly Pedal[]>([]);
  /** The newest; its arrays stay the same. */
  readonly frame: Frame = emptyFrame();
  /** Of the keybed. */
  tick_s = 1 / 4000;
  private readonly frameWatchers = new Set<(frame: Frame) => void>();
  private socket: WebSocket | null = null;
  private wait = 250;
  private watched = 0;
  private known = false; // the draft is this run's of the instrument
  private token = sessionStorage.getItem(tokenPlace) ?? '';

  onFrame(watcher: (frame: Frame) => void): () => void {
    this.frameWatchers.add(watcher);
    return () => this.frameWatchers.delete(watcher);
  }

  send(message: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
  keyDown(key: number, velocity: number): void {
    this.send({ t: 'on', k: key, v: Math.max(1, Math.min(127, Math.round(velocity))) });
  }
  keyUp(key: number): void {
    this.send({ t: 'off', k: key });
  }
  /** A stroke of medium strength, held for a while. */
  strike(key: number): void {
    this.keyDown(key, 80);
    setTimeout(() => this.keyUp(key), 1200);
  }
  pedal(pedal: Pedal, down: boolean): void {
    if (this.pedalsDown.value.includes(pedal) === down) return;
    this.pedalsDown.set(pedals.filter((one) => (one === pedal ? down : this.pedalsDown.value.includes(one))));
    this.send({ t: 'pedal', p: pedal, v: down ? 127 : 0 });
  }
  panic(): void {
    this.pedalsDown.set([]);
    this.send({ t: 'panic' });
  }
  watch(key: number): void {
    this.watched = key;
    this.send({ t: 'watch', k: key });
  }

  say(sentence: string, bad = false): void {
    this.notice.set({ sentence, bad });
  }

  async call<T>(name: string, args: Record<string, unknown> = {}, signal: AbortSignal | null = null): Promise<T> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.token) headers['authorization'] = `Bearer ${this.token}`;
    const reply = await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(args), signal }).catch(() => {
      throw new CallError(0, text.connection.again);
    });
    const json = (await reply.json().catch(() => ({}))) as { error?: string; draft?: Draft; sentence?: string };
    if (json.draft) this.takeDraft(json.draft);
    if (reply.status === 401) this.mustPair.set(true);
    if (!reply.ok) throw new CallError(reply.status, json.error ?? json.sentence ?? reply.statusText);
    return json as T;
  }

  /** As call; what goes wrong is shown and gives null. */
  async ask<T>(name: string, args: Record<string, unknown> = {}, signal: AbortSignal | null = null): Promise<T | null> {
    try {
      return await this.call<T>(name, args, signal);
    } catch (why) {
      const told = signal?.aborted || !(why instanceof CallError) || why.status === 401 || why.status === 0;
      if (!told) this.say((why as Error).message, true);
      return null;
    }
  }

  /** A call that changes the draft as it is known here. */
  change<T>(name: string, args: Record<string, unknown> = {}): Promise<T | null> {
    return this.ask<T>(name, { revision: this.draft.value?.revision ?? 0, ...args });
  }

  async pair(code: string): Promise<void> {
    const reply = await this.ask<{ token: string }>('pair', { code });
    if (!reply) return;
    this.token = reply.token;
    sessionStorage.setItem(tokenPlace, reply.token);
    this.mustPair.set(false);
    this.open();
  }

  /** An answer that was under way for long does not undo what is known by now. */
  private takeDraft(draft: Draft): void {
    if (this.known && this.draft.value && draft.revision < this.draft.value.revision) return;
    this.known = true;
    this.draft.set(draft);
  }

  private async greet(): Promise<void> {
    // All at once: what is played comes up with the first answer.
    const [, rows, health] = await Promise.all([this.ask('draft'), this.ask<{ tables: Row[][] }>('rows'), this.ask<{ tick_us: number }>('health')]);
    if (rows) this.tables.set(rows.tables);
    if (health) this.tick_s = 1e-6 * health.tick_us;
  }

  open(): void {
    this.socket?.close();
    const protocols = this.token ? ['letoff.v1', `token.${this.token}`] : ['letoff.v1'];
    const socket = new WebSocket(`ws://${location.host}/live`, protocols);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.connected.set(true);
      this.known = false;
      this.pedalsDown.set([]); // the instrument let go of them when the line was cut
      if (this.watched) this.watch(this.watched);
      void this.greet();
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === 'string') {
        this.takeDraft((JSON.parse(event.data) as { draft: Draft }).draft);
      } else if (readFrame(event.data, this.frame)) {
        for (const watcher of this.frameWatchers) watcher(this.frame);
      }
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.connected.set(false);
      // A server that wants a token closes at once; the call tells which it is.
      void this.call('draft').catch(() => undefined);
      setTimeout(() => {
        if (!this.mustPair.value && this.socket === socket) this.open();
      }, this.wait);
      this.wait = Math.min(4000, this.wait * 1.7);
    };
  }
}

export const instrument = new Instrument();

/** Changes of values one after the other, the newest of each slider alone. */
class Edits {
  private readonly waiting = new Map<string, { keys: readonly number[]; change: Change }>();
  readonly busy = new Store<string>('');

  set(keys: readonly number[], change: Change): void {
    this.waiting.set(`${keys.join()} ${change.row}`, { keys, change });
    if (!this.busy.value) void this.run();
  }
  private async run(): Promise<void> {
    for (;;) {
      const next = this.waiting.entries().next();
      if (next.done) break;
      const [name, { keys, change }] = next.value;
      this.waiting.delete(name);
      this.busy.set(change.row);
      await instrument.change('edit', { keys, changes: [change] });
    }
    this.busy.set('');
  }
}
export const edits = new Edits();
