// What stands round a browser that does something at the settings page: the real program, playing into a WAV file or
// through JACK, with profiles in a folder of its own and the finger tables that all tests of a build share.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const web = new URL('../../../ui/web/', import.meta.url);
const require = createRequire(new URL('package.json', web));
const { chromium } = require('playwright-core');
export const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const program = resolve(process.argv[2]);
export const folder = mkdtempSync(join(tmpdir(), 'letoff-page-'));
const db = join(folder, 'profiles.db');
const cache = process.env.LETOFF_TEST_CACHE ?? join(dirname(program), 'test_cache');
mkdirSync(cache, { recursive: true });
export const views = ['play', 'touch', 'regulate', 'sound', 'scope', 'system', 'record'];
export const patience = 60_000;

/** The program that plays now. */
export const playing = { process: null, said: '' };
export async function play(port, profile, audio, env = { ...process.env, JACK_NO_START_SERVER: '1' }, more = []) {
  playing.said = '';
  const sound = audio.endsWith('.wav') ? `wav:${join(folder, audio)}` : audio;
  playing.process = spawn(program, ['play', '--audio', sound, '--midi-in', 'none', '--midi-out', 'none', '--db', db, '--recordings', join(folder, 'recordings.db'), '--profile', profile, '--http', port === 'off' ? 'off' : `127.0.0.1:${port}`, '--json', ...more], {
    cwd: folder,
    env: { ...env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  playing.process.stderr.on('data', (part) => (playing.said += part));
  await until(() => playing.said.includes('Ctrl-C ends') || ended(), 300_000, 'the program plays');
  if (port === 'off') return '';
  const url = /http:\/\/\S+/.exec(playing.said)?.[0];
  if (!url) throw new Error(`no page: ${playing.said}`);
  return url;
}
export const ended = () => playing.process.exitCode !== null || playing.process.signalCode !== null;
export function leave() {
  if (playing.process && !ended()) playing.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--disable-gpu'] });

export async function until(condition, ms, what) {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((go) => setTimeout(go, 20));
  }
}
export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export const errors = [];
export function watch(page) {
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The line that is down while the program starts anew is no fault of the page.
    if (message.type() === 'error' && !/ERR_CONNECTION|WebSocket|409|Failed to load resource/.test(message.text())) errors.push(message.text());
  });
}
export const ask = (page, name, args = {}) =>
  page.evaluate(
    async ([call, body]) => {
      const reply = await fetch(`/api/${call}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      return { status: reply.status, ...(await reply.json()) };
    },
    [name, args],
  );

/** How much of a frequency there is from `from` to `to` seconds (Goertzel). */
export function tone(wav, hz, from, to) {
  const data = wav.indexOf('data') + 8;
  const channels = wav.readUInt16LE(22);
  const rate = wav.readUInt32LE(24);
  const bytes = wav.readUInt16LE(34) / 8;
  const w = (2 * Math.PI * hz) / rate;
  let [s1, s2, n] = [0, 0, 0];
  for (let i = Math.floor(from * rate); i < Math.floor(to * rate); ++i, ++n) {
    const at = data + i * channels * bytes;
    if (at + bytes > wav.length) break;
    const x = wav.readIntLE(at, bytes) / 2 ** (8 * bytes - 1);
    [s1, s2] = [x + 2 * Math.cos(w) * s1 - s2, s1];
  }
  return n ? (2 * Math.sqrt(Math.max(0, s1 * s1 + s2 * s2 - 2 * Math.cos(w) * s1 * s2))) / n : 0;
}

/** Notes (number, s) of a format-1 file with 0.1 ms ticks. */
export function notesOf(midi) {
  const notes = [];
  let tempo = 500_000;
  const division = midi.readUInt16BE(12);
  for (let at = 14; at < midi.length; ) {
    const end = at + 8 + midi.readUInt32BE(at + 4);
    let [tick, status, i] = [0, 0, at + 8];
    const length = () => {
      let n = 0;
      for (;;) {
        const byte = midi[i++];
        n = n * 128 + (byte & 127);
        if (byte < 128) return n;
      }
    };
    while (i < end) {
      tick += length();
      if (midi[i] >= 128) status = midi[i++];
      if (status === 0xff) {
        const kind = midi[i++];
        const bytes = length();
        if (kind === 0x51) tempo = midi.readUIntBE(i, 3);
        i += bytes;
      } else {
        if (status >> 4 === 9 && midi[i + 1] > 0) notes.push([midi[i], (tick * tempo) / division / 1e6]);
        i += status >> 4 === 12 || status >> 4 === 13 ? 1 : 2;
      }
    }
    at = end;
  }
  return notes;
}
