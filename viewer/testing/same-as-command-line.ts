import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { openingOf } from '../open/opening.ts';
import type { Ending } from '../protocol.ts';
import { Session } from '../simulator/session.ts';

/** The scenarios of the repository, also those that are wrong on purpose. */
export const everyScenario: readonly string[] = (readdirSync('scenarios', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `scenarios/${file}`)
  .sort();

/** What a run comes to. */
export interface Came {
  readonly verdict: string;
  readonly deliveries: number;
  readonly fingerprint: string;
  /** Figures for people: those of the page, and of them those that the command line tells. */
  readonly figures: readonly string[];
}

/** What a page tells of the end of its run. */
type Told = Pick<Ending, 'verdict' | 'deliveries' | 'fingerprint' | 'figures'>;

/** Both tell the same of a scenario when these are equal. For one that is wrong they are what is said of it. */
export interface BothWays {
  readonly page: Came | string;
  readonly command: Came | string;
}

/** Carries a scenario out by `lockstep run` and where `told` does. */
export async function bothWays(file: string, told = toldBySession): Promise<BothWays> {
  const terminal = new KeptTerminal();
  await main(['run', file, '--json', '--no-record'], terminal);
  const { error, verdict, deliveries, fingerprint } = JSON.parse(terminal.stdout);
  const page = await told(file).catch((refused: unknown) => String((refused as Error).message));
  // A page knows a file by its whole name.
  if (typeof page === 'string')
    return { page: page.replaceAll(`${process.cwd()}/`, ''), command: error?.message ?? 'ran' };
  if (error) return { page: 'opened', command: error.message };
  const lines = page.figures.map(({ label, value }) => `${label}: ${value}`);
  const written = terminal.stderr.split('\n');
  return {
    page: { ...page, figures: lines },
    command: {
      verdict,
      deliveries,
      fingerprint,
      figures: lines.filter((_, index) => {
        const { label, value } = page.figures[index]!;
        const isWritten = (line: string) => written.some((one) => one.includes(line.trim()));
        return isWritten(label) && value.split('\n').every(isWritten);
      }),
    },
  };
}

/** In a session of the page, without a browser; any moment of its end can be looked at. */
async function toldBySession(file: string): Promise<Told> {
  const session = new Session();
  const { run } = await session.open(openingOf(file).opening);
  if (run.columns.count > 0) session.moment({ at: run.columns.count - 1 });
  const { verdict, deliveries, fingerprint, figures } = run.ending;
  return { verdict, deliveries, fingerprint, figures };
}

/** In a page of a browser at an address, which is played to its end. Errors: what the page says of a scenario that is wrong, or on its console. */
export async function toldByPage(page: Page, address: string): Promise<Told> {
  const wrong: string[] = [];
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', ({ message }) => wrong.push(message));
  await page.goto(address);
  await page.locator('html[data-at]:not([data-at=""]), .failure').first().waitFor({ timeout: 1_800_000 });
  const refused = page.locator('.failure pre');
  if (await refused.count()) throw new Error((await refused.textContent())!);
  await page.keyboard.press('End');
  // "delivery 0 of 0..63"; a run without any says so in words.
  const last = /of 0\.\.([\d,]+)/.exec((await page.textContent('.at'))!)?.[1];
  const deliveries = last === undefined ? 0 : Number(last.replaceAll(',', '')) + 1;
  await page.locator(`html[data-at="${deliveries - 1}"]`).waitFor({ timeout: 60_000 });
  await page.keyboard.press('3');
  const rows = await page.locator('[role="tabpanel"] tr').all();
  const figures = await Promise.all(
    rows.map(async (row) => {
      const [label, value] = await row.locator('td').allTextContents();
      return { label: label!, value: value! };
    }),
  );
  if (await refused.count()) wrong.push((await refused.textContent())!);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return {
    verdict: (await page.textContent('header .verdict'))!.replace(' so far', '') as Told['verdict'],
    deliveries,
    fingerprint: figures.pop()!.value,
    figures,
  };
}
