import { existsSync, mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { main } from '../../cli/main.ts';
import { ProcessTerminal } from '../../cli/terminal.ts';
import { pageItself } from '../open/bundle.ts';
import { startBrowser } from './browser.ts';

/*
 * Usage: npm run bench:viewer -- [scenario or recording] [--moments 100]
 *
 * Times a page in the browser of this computer: to its first picture, to random moments, frames while it is panned and zoomed. Without a file it takes the recording of a ring of
 * Cell transfers of more than a million deliveries, which it makes where there is none yet; before, how soon the page of a small run takes keys.
 */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { moments: { type: 'string', default: '100' } },
});
const folder = 'out/viewer-speed';
mkdirSync(folder, { recursive: true });
const recording = `${folder}/million.json`;
const [opened = recording] = positionals;
if (opened === recording && !existsSync(recording))
  await main(['run', 'viewer/testing/million.yaml', '--record', recording], new ProcessTerminal());
const file = `${folder}/page.html`;
await main(['view', opened, '--html', file], new ProcessTerminal());
const built = await pageItself();
const packed = [...built.values()].reduce((sum, one) => sum + gzipSync(one).length, 0);
console.log(`the page itself, packed: ${(packed / 1000).toFixed(1)} kB`);

const browser = await startBrowser();

/** An empty page that notes when it first shows a moment, and with it takes keys. */
async function newPage(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  // The loader of this file gives functions their names by a function that a page does not have.
  await page.addInitScript(`globalThis.__name = (one) => one;
    new MutationObserver(() => {
      if (document.documentElement.dataset.shown) globalThis.shownAfter ??= performance.now();
    }).observe(document, { subtree: true, attributeFilter: ['data-shown'] });`);
  return page;
}
const small = `${folder}/small.html`;
await main(['view', 'scenarios/protocols/two-phase-commit.yaml', '--html', small], new ProcessTerminal());
for (let round = 0; round < 3; round++) {
  const page = await newPage();
  await page.goto(pathToFileURL(small).href);
  await page.waitForFunction('globalThis.shownAfter');
  console.log(
    `a small run takes keys after ${((await page.evaluate<number>('shownAfter')) / 1000).toFixed(2)} s`,
  );
  await page.close();
}
const page = await newPage();
const begun = performance.now();
await page.goto(pathToFileURL(file).href);
await page.locator('html[data-shown]:not([data-shown=""])').waitFor({ timeout: 300_000 });
await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
console.log(`to the first picture: ${((performance.now() - begun) / 1000).toFixed(2)} s`);
await page.locator('html[data-at]:not([data-at=""])').waitFor({ timeout: 300_000 });
console.log(`to the whole run, judged: ${((performance.now() - begun) / 1000).toFixed(2)} s`);
console.log(`deliveries: ${await page.textContent('.at .quiet')}`);

/** Goes to places all over the run and waits for each, in the page. */
const times = await page.evaluate(async (count) => {
  const element = document.documentElement;
  const total = Number(document.querySelector('.at .quiet')!.textContent!.replace(/\D/g, ''));
  const taken: number[] = [];
  let seed = 7;
  for (let index = 0; index < count; index++) {
    seed = (seed * 48271) % 2147483647;
    const at = Math.floor((seed / 2147483647) * total);
    const start = performance.now();
    location.hash = `at=${at}`;
    while (element.dataset['at'] !== String(at)) await new Promise((next) => setTimeout(next, 1));
    taken.push(performance.now() - start);
  }
  return taken.sort((one, other) => one - other);
}, Number(values.moments));
const at = (share: number): string =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
console.log(`to a random moment: median ${at(0.5)} ms, 9 of 10 in ${at(0.9)} ms, worst 1 % ${at(0.99)} ms`);

/** Frames of two seconds in which the view is moved with every frame. */
async function frames(what: string, change: string): Promise<void> {
  const rate = await page.evaluate(
    ([how]) =>
      new Promise<number>((told) => {
        const canvas = document.querySelector('canvas.timeline')!;
        const { width, height } = canvas.getBoundingClientRect();
        const start = performance.now();
        let count = 0;
        const next = () => {
          const turn = count++ % 60 < 30 ? 1 : -1;
          canvas.dispatchEvent(
            new WheelEvent('wheel', {
              bubbles: true,
              cancelable: true,
              clientX: width / 2,
              clientY: height / 2,
              ...(how === 'pan' ? { deltaX: 12 * turn } : { deltaY: 30 * turn }),
            }),
          );
          const gone = performance.now() - start;
          if (gone < 2000) requestAnimationFrame(next);
          else told((count / gone) * 1000);
        };
        requestAnimationFrame(next);
      }),
    [change],
  );
  console.log(`${what}: ${rate.toFixed(0)} frames a second`);
}
await page.keyboard.press('0');
await frames('zooming, all of it in view', 'zoom');
for (let press = 0; press < 8; press++) await page.keyboard.press('+');
await frames('panning over a hundredth of it', 'pan');
await browser.close();
