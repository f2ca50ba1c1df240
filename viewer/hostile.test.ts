import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { machines } from '../manifests/machines.ts';
import { foundAt, servedOf } from './open/served.ts';
import { serve } from './open/server.ts';
import { chromiumHere, startBrowser } from './testing/browser.ts';
import { hostileTexts } from './testing/hostile-texts.ts';

/*
 * Names and texts are shown as text, whatever is in them: 50 of them as names of actors, in messages and contexts, in what is waited for, in a list.
 */

const folder = 'out/viewer-hostile';
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A machine each of whose actors has a hostile name, gets and keeps a hostile text, and then waits for ever for the next one. */
const machine = `import { component, defineMachine, waitsFor, Wiring } from 'lockstep';
import { setup } from 'xstate';
import { z } from 'zod';
const texts = ${JSON.stringify(hostileTexts)};
const { act } = component();
const listener = setup({
  types: {},
  actions: { keep: act((me, { text }) => { me.heard = { [text]: text }; }) },
}).createMachine({
  id: '<b>listener</b>',
  context: ({ input }) => ({ ...input, heard: {} }),
  initial: 'silent',
  states: {
    silent: { on: { '<i>say</i>': { target: 'waiting for <more>', actions: 'keep' } } },
    'waiting for <more>': { tags: ['waiting'], on: { '<i>say</i>': 'silent' }, ...waitsFor('<img src=x onerror=globalThis.taken=1>', ({ next }) => [next]) },
  },
});
export const hostile = defineMachine({
  name: 'hostile',
  summary: 'actors with hostile names',
  config: z.strictObject({}).default({}),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring();
    const addresses = texts.map((text) => wiring.reserve(text));
    addresses.forEach((at, index) => {
      wiring.place(at, listener, { next: addresses[(index + 1) % addresses.length] });
      wiring.begin({ to: at, type: '<i>say</i>', text: texts[index] });
    });
    return { wiring, result: () => ({}) };
  },
  figures: () => texts.map((text) => ({ label: text, value: text })),
});
`;

describe.skipIf(chromiumHere === undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** Opens what is served, below a policy that lets nothing run but what came with the page. */
  async function opened(path: string) {
    const { server, address } = await serve(await servedOf(await foundAt(path, {}), { machines }), 0);
    const page = await browser.newPage();
    const told: string[] = [];
    page.on('console', (line) => line.type() === 'error' && told.push(line.text()));
    page.on('pageerror', ({ message }) => told.push(message));
    page.on('dialog', (dialog) => {
      told.push(dialog.message());
      void dialog.dismiss();
    });
    const answer = await page.goto(address);
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { page, told, close, policy: (await answer!.allHeaders())['content-security-policy'] };
  }

  test('names of actors, messages, contexts, waits and figures', async () => {
    writeFileSync(`${folder}/hostile.ts`, machine);
    writeFileSync(
      `${folder}/hostile.yaml`,
      `name: ${JSON.stringify(hostileTexts[1])}\nmachine: ./hostile.ts#hostile\n`,
    );
    const { page, told, close, policy } = await opened(`${folder}/hostile.yaml`);
    await page.locator('html[data-at]:not([data-at=""])').waitFor();

    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(await page.textContent('header .verdict')).toBe('deadlock');
    expect(await page.textContent('h1')).toContain(hostileTexts[1]);
    const rows = await page.locator('[role="tabpanel"] tbody tr td:first-child').allTextContents();
    expect(rows).toEqual(hostileTexts);
    await page.keyboard.press('1');
    for (const [index, text] of hostileTexts.entries()) {
      await page.keyboard.press(index === 0 ? 'Home' : 'ArrowRight');
      if (index === 0) await page.keyboard.press('ArrowRight');
      await page.locator(`html[data-at="${index}"]`).waitFor();
      expect(await page.textContent('[role="tabpanel"] .tree')).toContain(JSON.stringify(text));
    }
    for (const key of ['2', '3', '4', '5']) await page.keyboard.press(key);
    await page.locator('.page').waitFor();
    // Nothing of a text has become a part of the page.
    expect(
      await page
        .locator('#app :is(script, img, iframe, style, link, meta, base, form, object, embed, math)')
        .count(),
    ).toBe(0);
    expect(await page.evaluate(() => (globalThis as { taken?: unknown }).taken)).toBeUndefined();
    expect(told).toEqual([]);
    close();
  });

  test('names in a list', async () => {
    mkdirSync(`${folder}/list`);
    for (const [index, text] of hostileTexts.entries())
      writeFileSync(
        `${folder}/list/${index}.yaml`,
        `name: ${JSON.stringify(text)}\nmachine: ${JSON.stringify(text)}\nabout: ${JSON.stringify(text)}\n`,
      );
    const { page, told, close } = await opened(`${folder}/list`);
    await page.locator('.entries a').first().waitFor();

    const names = await page.locator('.entries a').allTextContents();
    expect([...names].sort()).toEqual([...hostileTexts].sort());
    expect(await page.evaluate(() => (globalThis as { taken?: unknown }).taken)).toBeUndefined();
    expect(told).toEqual([]);
    close();
  });
});
