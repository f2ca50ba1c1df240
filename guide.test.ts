import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
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

/*
 * Takes half a minute: everything that the guide and the README show is carried out, page by page (build/guide/page.ts has the rule). In one file, so that a command that
 * stands on several pages is carried out once.
 */

/** Pages of which other tests carry out what they show. */
const elsewhere = new Set(['protocols.md', 'testing.md']);
const pages = guidePages()
  .filter((page) => !elsewhere.has(page))
  .map((page) => ({ page, steps: stepsOf(page, pageText(page)) }))
  .filter(({ steps }) => steps.length > 0);
const files = pages.flatMap(({ steps }) => steps.filter((step): step is PageFile => step.kind === 'file'));

const readme = readFileSync('README.md', 'utf8');
/** The code blocks of a language in the README, in order. */
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (match) => match[1]!,
  );
const readmeCommands = [
  ...blocks('sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx lockstep '))),
  ...[...readme.matchAll(/`(npx lockstep [^`]+)`/g)].map((match) => match[1]!),
];
/** Blocks that say in their first line which file they are. */
const readmeFiles = [...blocks('ts'), ...blocks('yaml')].map((text) => ({
  file: /out\/readme\/[\w.-]+\w/.exec(text.split('\n')[0]!)![0],
  text,
}));
/** Commands of the README that end with another code than 0, because they show something that goes wrong. */
const exitCodes: Readonly<Record<string, number>> = {
  'npx lockstep run scenarios/cell/planted-fault.yaml --json': 1,
  'npx lockstep check scenarios/protocols/peterson-swapped.yaml': 1,
  'npx lockstep check scenarios/protocols/forgotten-promise.yaml': 1,
  'npx lockstep replay out/Peterson-s-algorithm-with-its-writes-swapped.check.json': 1,
};

/** Folders that pages write into: nothing of an earlier run may be in them, such as the ledger of a campaign. */
const folders = new Set([
  'out/readme',
  'out/lock-server',
  ...pages.flatMap(({ page, steps }) => [
    ...(JSON.stringify(steps).match(/out\/[\w-]+(?=\/)/g) ?? []),
    `out/${page.replace(/\.md$/, '')}`,
  ]),
]);

beforeAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  for (const { file, text } of [...files, ...readmeFiles]) {
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

describe('the README', () => {
  test('begins with the two commands', () => {
    expect(blocks('sh')[0]).toMatch(/^npm ci && npm start .*\nnpm ci && npm test /);
  });

  test.each(readmeCommands)('%s', async (command) => {
    const { code, terminal } = await outcomeOf(command.split(' ').slice(2));

    expect(code, terminal.stderr).toBe(exitCodes[command] ?? 0);
  });

  test('shows an actor and a run that work', async () => {
    const stdout = await outputOf('out/readme/game.ts');

    expect(stdout.trim().split('\n').slice(-2)).toEqual(['10 Left ball.pass', 'ok 5']);
  });

  test('shows a sentence about what happens when', async () => {
    const stdout = await outputOf('out/readme/answered.ts');

    expect(stdout.trim().split('\n').at(-1)).toMatch(
      /^10: ball\.pass left=0 from Right to Left at tick 10 was not followed by ball\.pass to Right$/,
    );
  });

  test('shows a machine and a property, and a fuzzed test of it that passes', async () => {
    const { stdout } = await promisify(execFile)('npx', [
      'vitest',
      'run',
      '--root',
      'out/readme',
      '--config',
      resolve('docs/vitest.config.ts'),
    ]);

    expect(stdout).toContain('1 passed');
  });

  test('shows a machine of its own that a scenario names, and that comes to what the scenario expects', async () => {
    const { terminal } = await outcomeOf(['run', 'out/readme/tennis.yaml', '--json']);

    expect(JSON.parse(terminal.stdout)).toMatchObject({
      machine: 'tennis',
      verdict: 'violated',
      result: { hits: 12 },
    });
  });

  test('shows each kind of code in at most 20 lines, wiring and comments aside', () => {
    for (const { file, text } of readmeFiles)
      expect(
        text.split('\n').filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('import'))
          .length,
        file,
      ).toBeLessThanOrEqual(20);
  });
});

interface Outcome {
  readonly code: number;
  readonly terminal: KeptTerminal;
}

/** What commands came to that read nothing which another command writes: the same on every page. */
const outcomes = new Map<string, Outcome>();

async function outcomeOf(args: readonly string[]): Promise<Outcome> {
  const words = args.join(' ');
  const kept = outcomes.get(words);
  if (kept) return kept;
  const terminal = new KeptTerminal();
  const outcome = { code: await main(args, terminal), terminal };
  if (!/\bout\//.test(words)) outcomes.set(words, outcome);
  return outcome;
}

async function carryOut({ args, exitCode, output }: PageCommand): Promise<void> {
  const { code, terminal } = await outcomeOf(args);

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
