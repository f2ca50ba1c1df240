import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  guidePages,
  isShown,
  type PageCommand,
  type PageFile,
  pageText,
  stepsOf,
} from './build/guide/page.ts';
import { main } from './cli/main.ts';
import { KeptTerminal } from './cli/terminal.ts';
import { outputOf } from './docs/output-of.ts';
import { machines } from './manifests/machines.ts';
import { loadScenario } from './scenarios/load.ts';

// Takes a minute: everything that the guide shows is carried out, page by page (build/guide/page.ts has the rule).

/** Pages of which other tests carry out what they show. */
const elsewhere = new Set(['protocols.md', 'testing.md']);
const pages = guidePages()
  .filter((page) => !elsewhere.has(page))
  .map((page) => ({ page, steps: stepsOf(page, pageText(page)) }))
  .filter(({ steps }) => steps.length > 0);
const files = pages.flatMap(({ steps }) => steps.filter((step): step is PageFile => step.kind === 'file'));

/** Folders that pages write into: nothing of an earlier run may be in them, such as the ledger of a campaign. */
const folders = new Set(
  pages.flatMap(({ page, steps }) => [
    ...(JSON.stringify(steps).match(/out\/[\w-]+(?=\/)/g) ?? []),
    `out/${page.replace(/\.md$/, '')}`,
  ]),
);

beforeAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});

test('no two blocks are the same file', () => {
  const names = files.map(({ file }) => file);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(pages)('$page', ({ steps }) => {
  for (const step of steps)
    switch (step.kind) {
      case 'command':
        test(step.command, () => carryOut(step));
        break;
      case 'file':
        if (step.script) test(`${step.file} runs`, () => runs(step));
        else if (
          /^machine: /m.test(step.text) &&
          !steps.some((one) => one.kind === 'command' && one.args.includes(step.file))
        )
          test(`${step.file} is a scenario`, () => loadScenario(step.file, machines));
        break;
      case 'excerpt':
        test(`lines of ${step.file}`, () => {
          const text = readFileSync(step.file, 'utf8');
          for (const line of step.lines) expect(text).toContain(line);
        });
    }
});

async function carryOut({ args, exitCode, output }: PageCommand): Promise<void> {
  const terminal = new KeptTerminal(false, 100);

  const code = await main(args, terminal);

  expect(code, terminal.stderr).toBe(exitCode);
  // Results for people stand where there is no data.
  if (output !== undefined) expectShown(output, terminal.stdout || terminal.stderr);
}

async function runs({ file, output }: PageFile): Promise<void> {
  const printed = await outputOf(file);
  if (output !== undefined) expectShown(output, printed);
}

/** Fails with both texts, so that a page can be mended from the message. */
function expectShown(shown: string, printed: string): void {
  if (!isShown(shown, printed)) expect(printed).toBe(shown);
}
