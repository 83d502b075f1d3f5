// What one does at the settings page, done in a real Chromium against the real program:
//
//   node jobs.mjs PROGRAM [SCREENSHOTS]
//
// The last line counts; the exit status is 0 only when every job was done.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ask, axe, check, ended, errors, folder, launch, leave, notesOf, patience, play, playing, tone, until, views, watch } from './stage.mjs';

const pictures = process.argv[3];
const silence_ms = 800; // recorded before a note that is then looked for in what was recorded
const figure = async (page, id, of = 'draft') => (await ask(page, 'measure', { keys: [49], of })).measured[0].figures[id].value;

const jobs = [];
const job = (name, work) => jobs.push([name, work]);
let browser, page, url, struckAt;

job('the page loads, from the instrument alone', async () => {
  url = await play(0, 'concert', 'first.wav');
  const began = Date.now();
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  watch(page);
  const foreign = [];
  let bytes = 0;
  page.on('request', (request) => request.url().startsWith(url) || request.url().startsWith('data:') || foreign.push(request.url()));
  page.on('response', async (response) => (bytes += Number(response.headers()['content-length'] ?? 0)));
  await page.goto(url);
  await page.getByRole('heading', { name: 'concert' }).waitFor();
  const ms = await page.evaluate(() => Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()));
  console.log(`    first paint after ${ms} ms, ${(bytes / 1000).toFixed(1)} kB, browser and all ${Date.now() - began} ms`);
  check(foreign.length === 0, `loads from elsewhere: ${foreign}`);
  check(bytes <= 150_000, `${bytes} bytes are loaded`);
});

job('a key played on the page strikes', async () => {
  const keys = page.getByRole('application');
  const box = await keys.boundingBox();
  // A4 is the 29th white key of 52.
  const x = box.x + (box.width * 28.5) / 52;
  struckAt = Date.now();
  await page.mouse.move(x, box.y + box.height - 30);
  await page.mouse.down();
  await page.getByText(/A4 at \d/).waitFor();
  await page.mouse.up();
  await page.keyboard.press('z'); // C3
  await page.getByText(/C3 at \d/).waitFor();
});

job('a pedal stays down whatever else the space bar presses, until all is let go', async () => {
  const pedal = (name) => page.getByRole('button', { name, exact: true });
  const isDown = async (name) => /scaleY\((0\.[5-9]|1)/.test((await pedal(name).locator('.pedal-bar span').getAttribute('style')) ?? '');
  for (const name of ['Sustain', 'Soft']) await pedal(name).press(' ');
  await until(() => isDown('Soft'), patience, 'the soft pedal is down');
  check(await isDown('Sustain'), 'the sustain pedal is up');
  await page.getByRole('button', { name: 'All off' }).click();
  await page.getByRole('button', { name: 'Sustain', pressed: false }).waitFor();
});

job('telemetry comes sixty times a second', async () => {
  const other = await browser.newPage();
  watch(other);
  // By the instrument's own ticks, which each frame tells: frames that a busy browser takes late come in a heap.
  let ticks = [];
  other.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => typeof payload !== 'string' && ticks.push(payload.readUInt32LE(4))));
  await other.goto(url);
  await other.getByRole('heading', { name: 'concert' }).waitFor();
  await other.keyboard.down('q');
  ticks = [];
  const drawn = await other.evaluate(() => new Promise((done) => {
    let n = 0;
    const end = performance.now() + 2000;
    const next = () => (performance.now() > end ? done(n / 2) : (++n, requestAnimationFrame(next)));
    requestAnimationFrame(next);
  }));
  const hz = (4000 * (ticks.length - 1)) / (ticks.at(-1) - ticks[0]);
  await other.keyboard.up('q');
  console.log(`    ${hz.toFixed(1)} frames a second of telemetry, ${drawn} drawn`);
  check(hz > 1, 'no telemetry comes');
  check(hz < 63, `more than sixty a second: ${hz}`);
  await other.close();
});

job('a regulated key measures as it was asked', async () => {
  const before = await figure(page, 'let_off_mm');
  await page.goto(`${url}#regulate`);
  const slider = page.getByRole('slider', { name: 'Let-off', exact: true });
  await slider.focus();
  await page.getByText(/works from/).waitFor();
  await page.getByRole('button', { name: 'Let-off −', exact: true }).click();
  await page.getByText('not saved').waitFor();
  await until(async () => Math.abs((await figure(page, 'let_off_mm')) - before) > 0.02, patience, 'let-off changes');
  const after = await figure(page, 'let_off_mm');
  check(Math.abs(after - (Math.round((before - 0.05) * 20) / 20)) < 0.011, `let-off was ${before}, is ${after}`);
  check(Math.abs((await figure(page, 'let_off_mm', 'saved')) - before) < 1e-6, 'what is saved has changed');
});

job('undo and redo', async () => {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('factory', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByText('not saved').waitFor();
});

job('leaving what is not saved asks', async () => {
  await page.goto(`${url}#touch`);
  await page.getByRole('listitem').filter({ hasText: /^worn/ }).getByRole('button', { name: 'Play this' }).click();
  await page.getByRole('dialog').getByText('Your changes are not saved').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('heading', { level: 1, name: 'concert' }).waitFor();
});

job('a touch is saved under a name', async () => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Name').fill('From the browser');
  await page.getByLabel(/Note/).fill('a little nearer');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'From the browser' }).waitFor();
  await page.getByText('revision 1').first().waitFor();
});

job('of two pages the slower is told', async () => {
  const other = await browser.newPage();
  watch(other);
  await other.goto(`${url}#regulate`);
  const { draft } = await ask(other, 'draft');
  const edit = (revision, value) => ({ revision, keys: [40], changes: [{ row: 'hammer_mass_g', kind: 'turn', value }] });
  check((await ask(page, 'edit', edit(draft.revision, 1))).status === 200, 'the first edit is refused');
  const late = await ask(other, 'edit', edit(draft.revision, 2));
  check(late.status === 409 && late.conflict, `the second edit is not refused: ${late.status}`);
  await other.getByText('not saved').waitFor(); // and sees what the first did
  await ask(page, 'undo', { revision: late.draft.revision });
  await other.close();
});

job('another device is chosen while it plays, and why one cannot be used is told', async () => {
  await page.goto(`${url}#system`);
  const sound = page.getByLabel('Sound goes to');
  await sound.waitFor();
  check((await ask(page, 'health')).audio === 'wav', 'it does not begin with the WAV file');
  await sound.selectOption('none');
  await until(async () => (await ask(page, 'health')).audio === 'none', patience, 'the sound goes nowhere');
  // No server runs: told, and the instrument plays on.
  const refused = await ask(page, 'use_device', { kind: 'sound', choice: 'jack' });
  check(refused.status === 422 && /JACK/.test(refused.error) && /no sound goes out now/.test(refused.error), JSON.stringify(refused));
  const file = await ask(page, 'use_device', { kind: 'sound', choice: 'wav:/tmp/of-a-page.wav' });
  check(file.status === 422 && /--audio wav/.test(file.error), `a page may write a file: ${JSON.stringify(file)}`);
  const { strikes } = await ask(page, 'health');
  await page.goto(`${url}#play`);
  await page.getByRole('application').waitFor();
  await page.keyboard.press('q');
  await until(async () => (await ask(page, 'health')).strikes > strikes, patience, 'the keys play on');
  await page.goto(`${url}#system`);
  await page.getByText('What cannot be used, and why').click();
  await page.getByText(/JACK cannot be used/).first().waitFor();
  check((await ask(page, 'rearm')).status === 422 || (await ask(page, 'rearm')).status === 200, 'arming again is not answered');
});

job('what is saved is there after kill -9, and the page finds the instrument again', async () => {
  const port = new URL(url).port;
  playing.process.kill('SIGKILL');
  await until(ended, patience, 'the program is killed');
  await page.getByText('does not answer').waitFor();
  await play(port, 'From the browser', 'second.wav');
  await page.getByText('does not answer').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'From the browser' }).waitFor();
  const measured = await figure(page, 'let_off_mm');
  check(Math.abs(measured - 1.85) < 0.011, `let-off is ${measured}`);
});

/** As the page offers it to the user. */
async function exported(form) {
  const coming = page.waitForEvent('download');
  await page.getByLabel('From the page: Export or delete').click();
  await page.getByRole('button', { name: form, exact: true }).click();
  const download = await coming;
  return [download.suggestedFilename(), readFileSync(await download.path())];
}
job('what is played is recorded, comes again, and goes out as MIDI and as sound', async () => {
  await page.goto(`${url}#record`);
  await page.getByLabel('Name of the recording').fill('From the page');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText(/Recording “From the page”/).waitFor();
  // Through the WebSocket that the keys of Play use.
  await page.goto(`${url}#play`);
  const keys = page.getByRole('application');
  const box = await keys.boundingBox();
  await page.waitForTimeout(silence_ms);
  const began = Date.now();
  for (const [white, name] of [[28.5, /A4 at/], [23.5, /C4 at/]]) {
    await page.mouse.move(box.x + (box.width * white) / 52, box.y + box.height - 30);
    await page.mouse.down();
    await page.getByText(name).waitFor();
    await page.waitForTimeout(200);
    await page.mouse.up();
  }
  const took = (Date.now() - began) / 1000;
  await page.goto(`${url}#record`);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'From the page' }).getByText(/2 strikes/).waitFor();

  const [midiName, midi] = await exported('MIDI, controller 88');
  check(midiName === 'From the page.mid', `the file is ${midiName}`);
  const notes = notesOf(midi);
  check(notes.map(([note]) => note).join() === '69,60', `its notes are ${notes}`);
  check(notes[1][1] - notes[0][1] > 0.2 && notes[1][1] - notes[0][1] < took, `they are ${notes[1][1] - notes[0][1]} s apart`);
  const [, sound] = await exported('Sound, WAV');
  const heard = tone(sound, 440.8, notes[0][1] + 0.1, notes[0][1] + 0.3);
  check(heard > 1e-3, `A4 is not in the exported sound: ${heard}`);
  check(tone(sound, 440.8, 0, 0.15) < heard / 50, 'A4 sounds before it is played');
  const [flacName, flac] = await exported('Sound, FLAC');
  check(flacName.endsWith('.flac') && flac.toString('latin1', 0, 4) === 'fLaC', `no FLAC: ${flacName}`);

  const { strikes } = await ask(page, 'health');
  await page.getByRole('button', { name: 'Replay: From the page' }).click();
  await until(async () => (await ask(page, 'health')).strikes === strikes + 2, patience, 'the replay strikes twice');
  await until(async () => (await ask(page, 'recordings')).replaying === '', patience, 'the replay ends');

  await page.getByLabel('From the page: Export or delete').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('None yet.').waitFor();
});

job('what nobody recorded was captured, and is kept under a name', async () => {
  const captured = page.getByRole('region', { name: 'Captured' });
  const newest = captured.getByRole('listitem').first();
  await newest.getByText(/strike/).waitFor();
  const { captured: before } = await ask(page, 'recordings');
  check(before.length === 2 && before[1].strikes >= 4, `captured: ${JSON.stringify(before)}`);
  await newest.getByRole('button', { name: /^Keep/ }).click();
  await page.getByLabel('Its name from now on').fill('Evening');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('heading', { name: 'Evening' }).waitFor();
  const after = await ask(page, 'recordings');
  check(after.captured.length === 1 && after.recordings.map(({ name }) => name).join() === 'Evening', `kept: ${JSON.stringify(after)}`);
});

job('the scope catches a strike at every tick', async () => {
  await page.goto(`${url}#scope`);
  await page.getByRole('button', { name: 'Catch a strike' }).click();
  await page.getByText('Waiting for a strike of A4').waitFor();
  // Armed for A4: another key's strike is not the trigger.
  await page.evaluate(() => new Promise((go) => setTimeout(go, 400)));
  const other = await browser.newPage();
  watch(other);
  await other.goto(`${url}#play`);
  await other.getByRole('img', { name: 'connected', exact: true }).waitFor();
  await other.keyboard.press('z');
  await other.getByText(/C3 at \d/).waitFor();
  check(await page.getByText('Waiting for a strike of A4').isVisible(), 'another key has triggered the scope');
  const keys = other.getByRole('application');
  const box = await keys.boundingBox();
  await other.mouse.move(box.x + (box.width * 28.5) / 52, box.y + box.height - 30);
  await other.mouse.down();
  await other.getByText(/A4 at \d/).waitFor();
  await other.mouse.up();
  await other.close();
  await page.getByText('One strike of A4').waitFor();
  const crown = await ask(page, 'captured', { trace: 'crown' });
  const steps = crown.t_s.slice(1).map((t, i) => t - crown.t_s[i]);
  const after = crown.t_s.findIndex((t) => t >= 0);
  // Ticks of 1/4000 s, before and after the strike; the crown is nearest to the strings at it.
  check(steps.slice(after).every((dt) => Math.abs(dt - 1 / 4000) < 2e-5), 'ticks are missing');
  check(crown.t_s[0] < -0.02 && crown.t_s.at(-1) > 0.39, `it reaches from ${crown.t_s[0]} to ${crown.t_s.at(-1)} s`);
  const nearest = crown.t_s[crown.value.indexOf(Math.min(...crown.value))];
  check(Math.abs(nearest) < 0.004, `the crown is nearest ${nearest} s from the strike`);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const csv = readFileSync(await (await coming).path(), 'utf8').trim().split('\n');
  check(csv[0].startsWith('time_ms,Key dip (mm),Crown below strings (mm)'), `its columns are ${csv[0]}`);
  check(csv.length === crown.t_s.length + 1, `${csv.length} lines for ${crown.t_s.length} ticks`);
});

job('a key is made like a real one whose curve is dropped on the page', async () => {
  await page.goto(`${url}#regulate`);
  const curve = async (of) => (await ask(page, 'force_curve', { key: 49, of })).curve;
  const before = await curve('draft');
  // A real key, heavier by 6 g on both ways.
  const heavier = 0.006 * 9.81;
  const csv = ['dip_mm,force_N,branch', ...before.dip_mm.flatMap((dip, i) => [`${dip},${before.down_N[i] + heavier},down`, `${dip},${before.up_N[i] + heavier},up`])].join('\n');
  const place = page.locator('section.card', { has: page.getByRole('heading', { name: 'Force against dip' }) });
  const files = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'my_a4.csv', { type: 'text/csv' }));
    return data;
  }, csv);
  await place.dispatchEvent('drop', { dataTransfer: files });
  await place.getByText('my_a4.csv').waitFor();
  await page.getByRole('button', { name: 'Make A4 like it' }).click();
  await page.getByText('not saved').waitFor();
  const after = await curve('draft');
  const middle = (c) => c.dip_mm.map((dip, i) => [dip, c.down_N[i]]).filter(([dip]) => dip > 2 && dip < 6).reduce((sum, [, n], _, all) => sum + n / all.length, 0);
  const gained = middle(after) - middle(before);
  check(Math.abs(gained - heavier) < 0.01, `the key is heavier by ${gained} N, not ${heavier}`);
  // What is chosen here is chosen in the scope.
  await page.getByRole('button', { name: 'Key above' }).click();
  await page.goto(`${url}#scope`);
  await page.locator('.scope .chooser').getByText('Bb4').waitFor();
  await page.goto(`${url}#regulate`);
  await page.getByRole('button', { name: 'Key below' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('not saved').waitFor({ state: 'detached' });
});

job('every view fits a phone, can be met by a finger, and axe finds nothing serious', async () => {
  if (pictures) {
    // Something to look at.
    await ask(page, 'record', { name: 'Evening study' });
    await page.goto(`${url}#play`);
    await page.getByRole('application').waitFor();
    for (const key of ['q', 'e', 't', 'i']) await page.keyboard.press(key, { delay: 250 });
    await ask(page, 'record_stop');
  }
  const sizes = pictures ? { '390x844': [390, 844], '820x1180': [820, 1180], '1440x900': [1440, 900] } : { '390x844': [390, 844] };
  for (const scheme of pictures ? ['light', 'dark'] : ['light']) {
    for (const [name, [width, height]] of Object.entries(sizes)) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
      const phone = await context.newPage();
      watch(phone);
      await phone.goto(url);
      for (const view of views) {
        await phone.goto(`${url}#${view}`);
        await phone.getByRole('region', { name: new RegExp(view, 'i') }).first().waitFor();
        if (view === 'regulate') await phone.getByText('Wippen balance weight').waitFor();
        const wide = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(wide <= 0, `${view} is ${wide} px too wide for ${name}`);
        const small = await phone.evaluate(() =>
          [...document.querySelectorAll('button, select, a, input:not(.hidden), summary')]
            .map((one) => [one.textContent || one.getAttribute('aria-label') || one.id, one.getBoundingClientRect()])
            .filter(([, box]) => box.width && box.height && (box.height < 43.5 || box.width < 43.5))
            .map(([label, box]) => `${label} ${box.width.toFixed(0)}x${box.height.toFixed(0)}`),
        );
        check(small.length === 0, `${view}: too small for a finger: ${small.slice(0, 5)}`);
        if (width === 390) {
          await phone.evaluate(axe);
          const found = await phone.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
          const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
          check(serious.length === 0, `${view}, ${scheme}: ${serious.map((one) => `${one.id} (${one.nodes[0]?.html.slice(0, 120)})`)}`);
        }
        if (pictures) {
          if (view === 'regulate') {
            await phone.getByText(/^measuring/).waitFor({ state: 'detached' });
            await phone.getByRole('button', { name: 'Strike it' }).click();
            await until(async () => parseFloat(await phone.locator('.readings dd').nth(1).textContent()) < 15, patience, 'the hammer is caught'); // caught by its check
          }
          if (view === 'scope') {
            await phone.getByLabel('Show').selectOption({ label: 'Crown below strings, mm' });
            await phone.getByRole('button', { name: 'Catch a strike' }).click();
            await phone.getByText(/Waiting for a strike/).waitFor();
            await phone.waitForTimeout(300);
            await phone.getByRole('button', { name: 'Strike it' }).click();
            await phone.getByText(/One strike of/).waitFor();
            await phone.waitForTimeout(300);
          }
          if (view === 'sound') await phone.getByText('Tuning', { exact: true }).waitFor();
          if (view === 'system') {
            await phone.getByRole('heading', { name: 'Devices' }).waitFor();
            await phone.getByText('looking …').waitFor({ state: 'detached' });
          }
          if (view === 'play') {
            for (const code of ['c', 'b', 'q', 'e']) await phone.keyboard.down(code);
            await phone.waitForTimeout(250);
          }
          await phone.screenshot({ path: join(pictures, `${view}-${name}-${scheme}.png`) });
          for (const code of ['c', 'b', 'q', 'e']) await phone.keyboard.up(code);
        }
      }
      await context.close();
    }
  }
});

job('no error was told on the console', async () => {
  check(errors.length === 0, errors.slice(0, 5).join('\n'));
});

job('the program ends, and the key is in the recorded sound', async () => {
  await page.goto(`${url}#play`);
  await page.waitForTimeout(silence_ms);
  const keys = page.getByRole('application');
  const box = await keys.boundingBox();
  const began = Date.now();
  await page.mouse.move(box.x + (box.width * 28.5) / 52, box.y + box.height - 30);
  await page.mouse.down();
  await page.getByText(/A4 at \d/).waitFor();
  await page.waitForTimeout(1000);
  await page.mouse.up();
  const since = (Date.now() - began) / 1000;
  await browser.close();
  playing.process.kill('SIGTERM');
  await until(ended, patience, 'the program ends');
  check(playing.process.exitCode === 0, `it ended with ${playing.process.exitCode}: ${playing.said}`);
  const wav = readFileSync(join(folder, 'second.wav'));
  const seconds = (wav.length - wav.indexOf('data') - 8) / (wav.readUInt32LE(28) || 1);
  let [loud, silent] = [0, 1];
  for (let at = Math.max(0, seconds - since - 6); at + 0.2 < seconds; at += 0.1) {
    const a4 = tone(wav, 440.8, at, at + 0.2);
    loud = Math.max(loud, a4);
    silent = Math.min(silent, a4);
  }
  console.log(`    440 Hz: ${loud.toExponential(1)} of full scale, before ${silent.toExponential(1)}`);
  check(loud > 1e-3 && loud > 50 * silent, `A4 is not in the sound: ${loud} against ${silent}`);
});

job('a key played on the page, and the pitch that is set there, are in what a JACK client records', async () => {
  const server = `letoff-page-${process.pid}`;
  const wav = join(folder, 'jack.wav');
  const env = { ...process.env, JACK_DEFAULT_SERVER: server };
  const jackd = spawn('jackd', ['-n', server, '-S', '-t', '5000', '-d', 'dummy', '-r', '48000', '-p', '256'], { stdio: 'ignore' });
  try {
    const lsp = () => spawnSync('jack_lsp', [], { env, encoding: 'utf8' }).stdout.split('\n');
    await until(() => lsp().some((port) => port.startsWith('system:')), patience, 'JACK is up');
    url = await play(0, 'concert', 'none', env);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    watch(page);
    // JACK is chosen on the page, while the instrument plays.
    await page.goto(`${url}#system`);
    await page.getByLabel('Sound goes to').locator('option[value="jack"]').waitFor({ state: 'attached' });
    await page.getByLabel('Sound goes to').selectOption('jack');
    await page.getByText(/^JACK: in use, 48000 Hz/).waitFor();
    await until(() => lsp().some((port) => /letoff.*out/i.test(port) && !/midi/i.test(port)), patience, 'the program has its ports');
    const port = lsp().find((one) => /letoff.*out/i.test(one) && !/midi/i.test(one));
    const recorder = spawn('jack_rec', ['-f', wav, '-d', '60', '-b', '16', port], { env, stdio: 'ignore' });
    await until(() => lsp().some((one) => one.startsWith('jackrec:')), patience, 'the recorder is there');
    await page.goto(`${url}#play`);
    await page.getByRole('application').waitFor();
    const box = await page.getByRole('application').boundingBox();
    await page.waitForTimeout(silence_ms);
    await page.mouse.move(box.x + (box.width * 28.5) / 52, box.y + box.height - 30);
    await page.mouse.down();
    await page.getByText(/A4 at \d/).waitFor();
    await page.waitForTimeout(1000);
    await page.mouse.up();
    await page.goto(`${url}#sound`);
    await page.getByRole('slider', { name: 'Pitch of A4' }).fill('415');
    await until(async () => (await ask(page, 'health')).messages.includes('the new sound is there'), patience, 'the strings are tuned');
    await page.goto(`${url}#play`);
    await page.mouse.move(box.x + (box.width * 28.5) / 52, box.y + box.height - 30);
    await page.mouse.down();
    await page.getByText(/A4 at \d/).waitFor();
    await page.waitForTimeout(1500); // what rang has rung out by then
    await page.mouse.up();
    await browser.close();
    recorder.kill('SIGINT');
    await until(() => recorder.exitCode !== null || recorder.signalCode !== null, patience, 'the recorder ends');
    playing.process.kill('SIGTERM');
    await until(ended, patience, 'the program ends');
    const sound = readFileSync(wav);
    const seconds = (sound.length - sound.indexOf('data') - 8) / sound.readUInt32LE(28);
    let [loud, silent, low, lowBefore] = [0, 1, 0, 0];
    for (let at = 0; at + 0.2 < seconds; at += 0.1) {
      const a4 = tone(sound, 440.8, at, at + 0.2);
      if (a4 > loud) [loud, lowBefore] = [a4, tone(sound, 415, at, at + 0.2)];
      silent = Math.min(silent, a4);
      low = Math.max(low, tone(sound, 415, at, at + 0.2));
    }
    console.log(`    through JACK (${port}), 440 Hz: ${loud.toExponential(1)}, before ${silent.toExponential(1)}`);
    check(loud > 1e-3 && loud > 50 * silent, `A4 is not in what JACK had: ${loud} against ${silent}`);
    check(low > 1e-3 && low > 5 * lowBefore, `A4 at 415 Hz is not in what JACK had: ${low}, ${lowBefore} before`);
  } finally {
    jackd.kill('SIGTERM');
  }
});

job('--http off opens no socket of the network', async () => {
  await play('off', 'concert', 'third.wav');
  const inodes = readdirSync(`/proc/${playing.process.pid}/fd`).flatMap((fd) => {
    try {
      return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${playing.process.pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  for (const kind of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const lines = readFileSync(`/proc/${playing.process.pid}/net/${kind}`, 'utf8').split('\n').slice(1);
    const ours = lines.filter((line) => inodes.includes(line.trim().split(/\s+/)[9]));
    check(ours.length === 0, `it holds a ${kind} socket: ${ours}`);
  }
});

let failed = 0;
for (const [name, work] of jobs) {
  const began = Date.now();
  try {
    await work();
    console.log(`  done: ${name} (${Date.now() - began} ms)`);
  } catch (why) {
    ++failed;
    console.log(`FAILED: ${name} (${Date.now() - began} ms): ${why.message}`);
    if (pictures && page) await page.screenshot({ path: join(pictures, `failed-${failed}.png`) }).catch(() => {});
    if (!browser) break;
  }
}
await browser?.close().catch(() => {});
leave();
console.log(`${jobs.length - failed} jobs done, ${failed} failed`);
process.exit(failed ? 1 : 0);
