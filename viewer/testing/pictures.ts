import { mkdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { startBrowser } from './browser.ts';

/*
 * `npm run pictures:viewer`: makes the pictures of the guide from the real page.
 */

const folder = 'out/viewer-pictures';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const terminal = new KeptTerminal();
const browser = await startBrowser();

/** Opens the page of a file and takes its picture when `ready` is there. */
async function picture(
  name: string,
  file: string,
  hash: string,
  ready: string,
  {
    theme = 'light',
    before,
  }: { readonly theme?: 'light' | 'dark'; readonly before?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  const html = `${folder}/${name}.html`;
  await main(['view', file, '--html', html], terminal);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: theme });
  await page.goto(`${pathToFileURL(html).href}#${hash}`);
  await page.locator(ready).first().waitFor();
  await before?.(page);
  await page.screenshot({ path: `docs/${name}.png` });
  await page.close();
  console.log(`docs/${name}.png`);
}

const inner = '.chart rect.inner';
await picture(
  'viewer',
  'scenarios/protocols/paxos.yaml',
  'at=9&actor=Server[1]&panel=message&axis=order',
  inner,
);
await picture('viewer-deadlock', 'scenarios/chiplet/deadlock.yaml', '', inner);
/** The run is whole, and its moment is shown. */
const isShown = (at: number) => async (page: Page) => {
  await page.waitForFunction((shown) => document.documentElement.dataset['at'] === shown, String(at));
};
await picture(
  'viewer-sunway',
  'scenarios/sunway/reductions.yaml',
  'at=2200&actor=Cg[0].Cpe[0]&panel=machine&axis=order',
  inner,
  { before: isShown(2200) },
);
await picture(
  'viewer-mesh',
  'scenarios/chiplet/uniform.yaml',
  'at=9000&actor=Router[8]&panel=machine&axis=order',
  inner,
  { theme: 'dark', before: isShown(9000) },
);
await picture(
  'viewer-eib',
  'scenarios/cell/cellbe-four-pairs.yaml',
  'at=900&actor=Eib.DataArbiter&panel=machine&axis=order',
  inner,
  { before: isShown(900) },
);
await picture(
  'viewer-coordinator',
  'scenarios/chiplet/interchiplet-seed-matmul.yaml',
  'at=60&actor=Coordinator.Rounds&panel=machine',
  inner,
  { theme: 'dark', before: isShown(60) },
);
const found = `${folder}/peterson.json`;
await main(['check', 'scenarios/protocols/peterson-swapped.yaml', '--record', found], terminal);
await picture(
  'viewer-explanation',
  found,
  'at=38&actor=Process[0]&panel=explanation&axis=time',
  '.page button',
  {
    theme: 'dark',
  },
);
await picture(
  'viewer-explorer',
  'scenarios/protocols/peterson-swapped.yaml',
  'at=0&actor=Process[0]&panel=explorer',
  inner,
  {
    before: async (page) => {
      await page.getByText('Explore all schedules').click();
      await page.getByText('Shortest way, as a run').click();
      await page.getByText('changed run').first().waitFor();
      await page.getByText('after state').click();
    },
  },
);
await picture('viewer-comparison', 'scenarios/protocols/broken-promise.yaml', 'at=0&panel=choices', inner, {
  before: async (page) => {
    await page.locator('.picks li button').first().click();
    await page.locator('.picks li ul button:not([disabled])').first().click();
    await page.locator('.compare').waitFor();
  },
});
await main(
  [
    'fuzz',
    'scenarios/protocols/paxos-keeps-own-proposal.yaml',
    '--runs',
    '200',
    '--keep-going',
    '--out',
    `${folder}/fuzz`,
  ],
  terminal,
);
await picture('viewer-campaign', `${folder}/fuzz/ledger.json`, '', '.catalogue');
await browser.close();
