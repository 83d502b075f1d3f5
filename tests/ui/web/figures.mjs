// The figures that the settings page is held to, measured on the real program in real Chromium while the demo plays:
//
//   node figures.mjs PROGRAM [--json]
//
// First load, size of what is loaded, frames of telemetry and frames drawn in every view with what they cost, console
// errors, what axe finds. It judges size, errors and axe; times are this machine's, so they are told against what is asked.
// Costs are processor time, which a busy machine does not change: only how many frames are drawn in the end.
import { axe, check, errors, launch, leave, play, views, watch } from './stage.mjs';

const json = process.argv.includes('--json');
const seconds = 4;
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

async function load(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  watch(page);
  let bytes = 0;
  page.on('response', (response) => (bytes += Number(response.headers()['content-length'] ?? 0)));
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'concert' }).waitFor();
  const ms = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(), performance.now()]);
  await context.close();
  return { painted_ms: Math.round(ms[0]), usable_ms: Math.round(ms[1]), bytes };
}

/** Processor seconds of Chromium's processes by their kind. */
async function cpu(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const all = { renderer: 0, GPU: 0 };
  for (const { type, cpuTime } of processInfo) if (type in all) all[type] += cpuTime;
  return all;
}

async function frames(browser, whole, url, view, [width, height], scale) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
  const page = await context.newPage();
  watch(page);
  let ticks = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => typeof payload !== 'string' && ticks.push(payload.readUInt32LE(4))));
  await page.goto(`${url}#${view}`);
  await page.getByRole('region', { name: new RegExp(view, 'i') }).first().waitFor();
  await page.waitForTimeout(view === 'regulate' ? 3000 : 1000); // what is asked for at the start is there
  const session = await context.newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  const metrics = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  const [before, cpuBefore, began] = [await metrics(), await cpu(whole), Date.now()];
  ticks = [];
  const drawn = await page.evaluate((s) => new Promise((done) => {
    let n = 0;
    const end = performance.now() + 1000 * s;
    const next = () => (performance.now() > end ? done(n / s) : (++n, requestAnimationFrame(next)));
    requestAnimationFrame(next);
  }), seconds);
  const [after, cpuAfter, took] = [await metrics(), await cpu(whole), (Date.now() - began) / 1000];
  const n = drawn * seconds;
  const each = (name) => (1000 * (after[name] - before[name])) / n;
  await context.close();
  return {
    view,
    size: `${width}x${height}@${scale}`,
    telemetry_hz: ticks.length > 1 ? (4000 * (ticks.length - 1)) / (ticks.at(-1) - ticks[0]) : 0,
    drawn_hz: drawn,
    script_ms: each('ScriptDuration'),
    layout_ms: each('LayoutDuration') + each('RecalcStyleDuration'),
    main_ms: each('TaskDuration'),
    page_cpu: (cpuAfter.renderer - cpuBefore.renderer) / took,
    compositor_cpu: (cpuAfter.GPU - cpuBefore.GPU) / took,
  };
}

async function judge(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  watch(page);
  const found = {};
  for (const view of views) {
    await page.goto(`${url}#${view}`);
    await page.getByRole('region', { name: new RegExp(view, 'i') }).first().waitFor();
    if (view === 'regulate') await page.getByText('Wippen balance weight').waitFor();
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
    for (const { id, impact } of violations) found[`${impact}: ${id}`] = (found[`${impact}: ${id}`] ?? 0) + 1;
  }
  await context.close();
  return found;
}

let failed = false;
try {
  const url = await play(0, 'concert', 'none', undefined, ['--demo']);
  const browser = await launch();
  const whole = await browser.newBrowserCDPSession();
  const loads = [];
  for (let i = 0; i < 5; ++i) loads.push(await load(browser, url));
  const first = { painted_ms: median(loads.map((l) => l.painted_ms)), usable_ms: median(loads.map((l) => l.usable_ms)), bytes: loads[0].bytes };
  const rows = [];
  for (const view of views) rows.push(await frames(browser, whole, url, view, [1440, 900], 1));
  for (const view of ['play', 'regulate']) rows.push(await frames(browser, whole, url, view, [390, 844], 2));
  const axes = await judge(browser, url);
  const report = { first_load: first, frames: rows, console_errors: errors, axe: axes };
  await browser.close();
  if (json) {
    console.log(JSON.stringify(report, null, 1));
  } else {
    console.log(`first load (median of 5, cold cache): painted after ${first.painted_ms} ms, usable after ${first.usable_ms} ms${first.usable_ms > 1000 ? ' (asked: 1000 ms)' : ''}; ${(first.bytes / 1000).toFixed(1)} kB (gzip)`);
    console.log('view       size            telemetry/s  drawn/s  script  layout  main thread  page   compositor');
    for (const r of rows)
      console.log(`${r.view.padEnd(10)} ${r.size.padEnd(15)} ${r.telemetry_hz.toFixed(1).padStart(11)} ${r.drawn_hz.toFixed(1).padStart(8)} ${r.script_ms.toFixed(2).padStart(7)} ${r.layout_ms.toFixed(2).padStart(7)} ${r.main_ms.toFixed(2).padStart(12)} ${r.page_cpu.toFixed(2).padStart(6)} ${r.compositor_cpu.toFixed(2).padStart(12)}`);
    console.log('(script, layout, main thread: processor ms a drawn frame, of the 16.7 that there are at 60; page, compositor: processor seconds a second)');
    console.log(`console errors: ${errors.length ? errors.join('; ') : 'none'}; axe: ${Object.keys(axes).length ? JSON.stringify(axes) : 'nothing'}`);
  }
  check(first.bytes <= 150_000, `${first.bytes} bytes are loaded`);
  check(errors.length === 0, errors.join('\n'));
  check(!Object.keys(axes).some((one) => /^(serious|critical)/.test(one)), JSON.stringify(axes));
} catch (why) {
  failed = true;
  console.log(`FAILED: ${why.message}`);
}
leave();
process.exit(failed ? 1 : 0);
