import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectOf } from '../cli/known-machines.ts';
import { main } from '../cli/main.ts';
import { KeptTerminal } from '../cli/terminal.ts';
import { effort } from '../kernel/testing/effort.ts';
import { machines } from '../manifests/machines.ts';
import { pageInOne } from './open/page-text.ts';
import { foundAt, servedOf } from './open/served.ts';
import { type RunningServer, serve } from './open/server.ts';
import { chromiumHere, startBrowser } from './testing/browser.ts';
import { everyScenario } from './testing/same-as-command-line.ts';

const folder = 'out/viewer-test';
const paxos = 'scenarios/protocols/paxos.yaml';

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function served(file: string): Promise<RunningServer> {
  return serve(await servedOf(await foundAt(file, {}), { machines }), 0);
}

const statusOf = (address: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    get(address, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });

test('the server hands out the page to who knows its address, and nothing else', async () => {
  const { address, server } = await served(paxos);
  const { origin } = new URL(address);
  const asked = {
    page: await statusOf(address),
    opening: await statusOf(`${address}opening.json`),
    chart: await statusOf(`${address}chart?machine=paxosServer`),
    without: await statusOf(`${origin}/`),
    guessed: await statusOf(`${origin}/${'0'.repeat(32)}/opening.json`),
    file: await statusOf(`${address}../../package.json`),
    otherHost: await statusOf(address, { host: 'example.com' }),
  };
  server.closeAllConnections();
  server.close();

  expect(asked).toEqual({
    page: 200,
    opening: 200,
    chart: 200,
    without: 404,
    guessed: 404,
    file: 404,
    otherHost: 403,
  });
});

test('what is no scenario and no recording is refused with its place', async () => {
  const terminal = new KeptTerminal();

  const exitCode = await main(['view', `${folder}/nothing.yaml`], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.stderr).toContain('found no such file');
});

async function writtenPage(file: string, name: string): Promise<string> {
  const page = `${folder}/${name}.html`;
  const terminal = new KeptTerminal();
  expect(await main(['view', file, '--html', page], terminal)).toBe(0);
  return page;
}

/** The smallest scenario of a machine. */
const firstOf = (machine: string): string | undefined =>
  everyScenario
    .filter(
      (file) =>
        new RegExp(`^machine: ${machine}$`, 'm').test(readFileSync(file, 'utf8')) &&
        // A page has no parser of macros, which the sources of these have.
        !/broken|grape\/(leapfrog|matrix|power|stride)/.test(file),
    )
    .sort((one, other) => statSync(one).size - statSync(other).size)[0];

const panels = ['message', 'choices', 'findings', 'waits', 'explanation', 'wiring'] as const;

/** Opens a page from disk, with the network cut. Returns it with what its console told. */
async function opened(browser: Browser, file: string): Promise<{ page: Page; told: readonly string[] }> {
  const context = await browser.newContext({
    offline: true,
    viewport: { width: 1280, height: 720 },
  });
  const page = await context.newPage();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  page.on('pageerror', ({ message }) => told.push(message));
  await page.goto(pathToFileURL(file).href);
  await page
    .locator('html[data-at]:not([data-at=""]), .failure, .catalogue')
    .first()
    .waitFor({ timeout: 100_000 });
  return { page, told };
}

describe.skipIf(chromiumHere === undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('a page of one file opens from disk without a network, shows the run and steps through it', async () => {
    const file = await writtenPage(paxos, 'paxos');
    const { page, told } = await opened(browser, file);

    expect(await page.textContent('header .verdict')).toBe('ok');
    expect(await page.textContent('.panel h2')).toContain('Server[0]');
    await page.locator('.chart rect.inner').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('html[data-at="1"]').waitFor();
    expect(await page.textContent('[role="tabpanel"]')).toContain('delivery 1');
    await page.keyboard.press('End');
    await page.locator('html[data-at="14"]').waitFor();
    expect(new URL(page.url()).hash === '' || page.url().includes('at=')).toBe(true);
    expect(told).toEqual([]);
  });

  test.each(
    machines.flatMap(({ name, kind }) => {
      const file = firstOf(name);
      return file === undefined || !effort({ short: name === 'cell' || name === 'chiplet', long: true })
        ? []
        : [[name, file, kind === 'protocol' ? 2_500_000 : 4_000_000] as const];
    }),
  )(
    'a page of one file of %s opens without a network, and is no larger than it may be',
    async (_, scenario, bytesMax) => {
      const file = await writtenPage(scenario, 'sized');
      const { page, told } = await opened(browser, file);

      expect(await page.locator('.failure').allTextContents()).toEqual([]);
      expect(statSync(file).size).toBeLessThan(bytesMax);
      expect(told).toEqual([]);
      await page.close();
    },
  );

  test("a machine of a user's project opens as one of ours", async () => {
    const project = `${folder}/project`;
    expect(await main(['init', project], new KeptTerminal())).toBe(0);
    const own = await projectOf(resolve(project));
    const found = await foundAt(`${project}/scenarios/three-clients.yaml`, own);
    writeFileSync(`${folder}/own.html`, await pageInOne(found, own));
    const { page, told } = await opened(browser, `${folder}/own.html`);

    expect(await page.textContent('header h1')).toContain('lock-server');
    expect(await page.textContent('header .verdict')).toBe('ok');
    await page.locator('.chart rect.inner').waitFor();
    expect(told).toEqual([]);
  });

  test('a deadlock opens at who waits; each waiting actor can be looked into', async () => {
    const file = await writtenPage('scenarios/cell/fault-dropped-grant.yaml', 'deadlock');
    const { page, told } = await opened(browser, file);

    expect(await page.textContent('header .verdict')).toBe('deadlock');
    expect(await page.textContent('[role="tab"][aria-selected="true"]')).toContain('waits');
    const first = page.locator('[role="tabpanel"] tbody tr td button').first();
    const name = await first.textContent();
    await first.click();
    await expect.poll(() => page.textContent('.panel h2')).toContain(name!);
    expect(told).toEqual([]);
  });

  test('a changed pick runs beside the recorded run', async () => {
    const file = await writtenPage('scenarios/protocols/broken-promise.yaml', 'picks');
    const { page, told } = await opened(browser, file);

    await page.keyboard.press('2');
    await page.locator('.picks li button').nth(0).click();
    await page.locator('.picks li ul button:not([disabled])').first().click();
    await page.locator('.compare').waitFor();

    expect(await page.textContent('.compare')).toMatch(/Pick 0 answered with 1 instead of 0/);
    expect(await page.locator('canvas.timeline').count()).toBe(2);
    const saving = page.waitForEvent('download');
    await page.getByText('Save as a recording').click();
    await (await saving).saveAs(`${folder}/saved/changed.json`);
    const terminal = new KeptTerminal();
    expect(await main(['replay', `${folder}/saved/changed.json`, '--json'], terminal)).toBe(0);
    const { verdict, deliveries } = JSON.parse(terminal.stdout);
    const words = await page.textContent('.compare');
    expect(words).toContain(`the other one ${verdict} after ${deliveries}.`);
    expect(told).toEqual([]);
  });

  test('an explanation leads to the moments that it tells of', async () => {
    const recording = `${folder}/peterson.json`;
    await main(
      ['check', 'scenarios/protocols/peterson-swapped.yaml', '--record', recording],
      new KeptTerminal(),
    );
    const { page, told } = await opened(browser, await writtenPage(recording, 'peterson'));

    expect(await page.textContent('html')).toContain('of 0..40');
    await page.locator('html[data-at="38"]').waitFor();
    await page.keyboard.press('5');
    await page.locator('.page button', { hasText: 'register.write value=0' }).click();
    await page.locator('html[data-at="24"]').waitFor();
    expect(await page.textContent('.panel h2')).toContain('Flag[1]');
    expect(told).toEqual([]);
  });

  test('keys step through what the network does, and the address tells where', async () => {
    const file = `${folder}/crash.yaml`;
    writeFileSync(
      file,
      'name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: { crashes: { max: 1, recover: true } }\n',
    );
    await main(['check', file, '--record', `${folder}/crash.json`], new KeptTerminal());
    const { page, told } = await opened(browser, await writtenPage(`${folder}/crash.json`, 'crash'));
    const at = (value: string | number) => page.locator(`html[data-at="${value}"]`).waitFor();

    // It opens at its finding, which a restart brought about.
    await at(1 + 2 / 3);
    await page.keyboard.press('1');
    expect(await page.textContent('[role="tabpanel"]')).toContain('tick 3, no delivery');
    await page.keyboard.press('ArrowLeft');
    await at(1.5);
    expect(await page.textContent('[role="tabpanel"]')).toContain('Ponger crashes');
    await page.keyboard.press('ArrowLeft');
    await at(1);
    expect(await page.textContent('[role="tabpanel"]')).toContain('delivery 1, tick 1');
    await page.keyboard.press('End');
    await at(1 + 2 / 3);
    await page.evaluate(() => {
      location.hash = 'at=1.5&actor=Ponger&panel=explanation';
    });
    await at(1.5);
    expect(await page.textContent('.state')).toBe('crashed');
    await page.locator('.page button', { hasText: 'tick 3' }).first().click();
    await at(1 + 2 / 3);
    expect(told).toEqual([]);
  });

  test('the wiring has an arrow for messages that are under way and never delivered', async () => {
    const file = `${folder}/silent.yaml`;
    writeFileSync(file, 'name: a\nmachine: ping-pong\nconfig: { limit: 3 }\nnetwork: {}\nuntil: 0\n');
    const { page, told } = await opened(browser, await writtenPage(file, 'silent'));
    await page.locator('html[data-at="0"]').waitFor();
    await page.keyboard.press('6');

    // The only delivery is the ping; the pong is on its way.
    const arrows = page.locator('[role="tabpanel"] svg g.busy');
    await arrows.first().waitFor();
    expect(await arrows.count()).toBe(1);
    expect(await page.textContent('[role="tabpanel"] svg')).toContain('under way: Pong');
    expect(told).toEqual([]);
  });

  test('a graph shows whole arrows, also those that go around its boxes', async () => {
    const file = await writtenPage('scenarios/library/raft-old-votes.yaml', 'raft');
    const { page } = await opened(browser, file);
    await page.keyboard.press('6');
    await page.locator('svg.graph g.edge').first().waitFor();

    const outside = await page.locator('svg.graph g.edge path').evaluateAll((paths) =>
      paths.map((path) => {
        const { x, width } = (path as SVGPathElement).getBBox();
        const { viewBox } = (path as SVGPathElement).ownerSVGElement!;
        return x < viewBox.baseVal.x || x + width > viewBox.baseVal.x + viewBox.baseVal.width;
      }),
    );

    expect(outside).toEqual(Array.from(outside, () => false));
    expect(outside.length).toBe(6);
  });

  describe('axe finds nothing serious, light or dark', () => {
    /** What is serious in a page as it stands. */
    async function audited(page: Page, view: string): Promise<readonly string[]> {
      if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe.source);
      const serious: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // In other colours nothing but colours can be wrong.
        const runOnly = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
        const options = JSON.stringify({ resultTypes: ['violations'], runOnly });
        const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
        for (const { id, impact, nodes } of violations)
          if (impact === 'serious' || impact === 'critical')
            serious.push(`${view}, ${colorScheme}: ${id}: ${nodes[0]!.html.slice(0, 120)}`);
      }
      return serious;
    }

    test('in a run beside a changed one, whatever is shown of it', async () => {
      const { page, told } = await opened(
        browser,
        await writtenPage('scenarios/protocols/broken-promise.yaml', 'axe'),
      );
      await page.locator('.chart svg').waitFor();
      await page.keyboard.press('2');
      await page.locator('.picks li button').nth(0).click();
      await page.locator('.picks li ul button:not([disabled])').first().click();
      await page.locator('.compare').waitFor();
      const serious: string[] = [];
      for (const [index, view] of panels.entries()) {
        await page.keyboard.press(String(index + 1));
        if (view === 'explanation') await page.locator('.page').waitFor();
        serious.push(...(await audited(page, view)));
      }
      await page.keyboard.press('?');
      serious.push(...(await audited(page, 'keys')));

      expect([serious, told]).toEqual([[], []]);
    });

    // Each page takes seconds.
    const inLong = test.runIf(effort({ short: false, long: true }));

    inLong('in a machine that draws itself, and in a deadlock', async () => {
      const { page: cell } = await opened(
        browser,
        await writtenPage('scenarios/cell/worked-trace.yaml', 'axe-cell'),
      );
      await cell.locator('svg.scene text').first().waitFor();
      const { page: stuck } = await opened(
        browser,
        await writtenPage('scenarios/cell/fault-dropped-grant.yaml', 'axe-deadlock'),
      );
      await stuck.locator('.chart svg').waitFor();

      expect(await audited(cell, 'machine')).toEqual([]);
      expect(await audited(stuck, 'deadlock')).toEqual([]);
    });

    test('in the states of all schedules', async () => {
      const { page, told } = await opened(
        browser,
        await writtenPage('scenarios/protocols/peterson-swapped.yaml', 'axe-peterson'),
      );
      await page.keyboard.press('8');
      await page.getByText('Explore all schedules').click();
      await page.getByText('56 states').waitFor();
      await page.getByText('Shortest way, as a run').click();
      await page.getByText('changed run').first().waitFor();

      expect([await audited(page, 'explorer'), told]).toEqual([[], []]);
    });

    inLong('in a list, a ledger, a folder of findings, and what is said of a wrong file', async () => {
      const fuzz = [
        'fuzz',
        'scenarios/protocols/paxos-keeps-own-proposal.yaml',
        '--runs',
        '60',
        '--keep-going',
      ];
      await main([...fuzz, '--out', `${folder}/fuzz`], new KeptTerminal());
      for (const [view, file] of [
        ['list', 'scenarios/library'],
        ['ledger', `${folder}/fuzz/ledger.json`],
        ['folder', `${folder}/fuzz`],
      ] as const) {
        writeFileSync(`${folder}/${view}.html`, await pageInOne(await foundAt(file, {}), { machines }));
        const { page } = await opened(browser, `${folder}/${view}.html`);
        if (view === 'ledger') {
          expect(await page.textContent('.catalogue')).toContain('Coverage of each state machine');
          await page.locator('details summary').first().click();
        }
        expect(await audited(page, view)).toEqual([]);
      }
      const { address, server } = await served('scenarios/broken/cell/09-misspelt-key.yaml');
      // Its policy lets no script in but its own; the audit is none of them.
      const refused = await browser.newPage({ bypassCSP: true });
      await refused.goto(address);
      await refused.locator('.failure').waitFor();
      expect(await audited(refused, 'refused')).toEqual([]);
      await refused.close();
      server.closeAllConnections();
      server.close();
    });
  });

  test('names and texts are shown as text, whatever is in them', async () => {
    const name = '</script><script>document.title="taken"</script><img src=x onerror=alert(1)>\u202eabc';
    const text = readFileSync(paxos, 'utf8').replace(/^name:.*$/m, `name: ${JSON.stringify(name)}`);
    writeFileSync(`${folder}/hostile.yaml`, text);
    const { page, told } = await opened(browser, await writtenPage(`${folder}/hostile.yaml`, 'hostile'));

    expect(await page.textContent('h1')).toContain(name);
    expect(await page.title()).toContain(name);
    expect(await page.locator('h1 img, h1 script').count()).toBe(0);
    expect(told).toEqual([]);
  });
});
