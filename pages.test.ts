import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from './cli/main.ts';
import { KeptTerminal } from './cli/terminal.ts';
import { findingsOf } from './docs/findings-of.ts';

// Takes some seconds: the code of the pages is checked by the compiler and run, and so is each of their commands.

const run = promisify(execFile);

/** A page of the guide: the folder of its code, what its scripts print, and the scenarios in which its commands find something. */
const pages = [
  {
    page: 'docs/properties.md',
    folder: 'out/properties-page',
    prints: (text: string) => ({ check: text, own: 'ok\n' }),
    finding: ['token-ring.yaml', 'philosophers-starved.yaml'],
  },
  {
    page: 'docs/networks.md',
    folder: 'out/networks',
    prints: (text: string) => ({ check: text }),
    finding: ['single-copy-two-servers.yaml'],
  },
  {
    page: 'docs/refinement.md',
    folder: 'out/refinement',
    prints: (text: string) => ({ check: text, log: '' }),
    finding: ['broken-promise.yaml', 'stale.jsonl'],
  },
].map((one) => ({ ...one, text: readFileSync(one.page, 'utf8') }));

describe.each(pages)('$page', ({ folder, prints, finding, text }) => {
  const blocks = (language: string): string[] =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      (match) => match[1]!,
    );
  const files = blocks('ts').map((block) => ({
    name: /out\/[\w./-]+\.ts/.exec(block.split('\n')[0]!)![0],
    block,
  }));
  const commands = [...text.matchAll(/^npx lockstep .*$/gm)].map(([command]) => command);

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, block } of files) writeFileSync(name, block);
  });

  test('shows code that compiles, and that prints what the page says', async () => {
    expect(findingsOf(files.map(({ name }) => name))).toBe('');
    for (const [name, printed] of Object.entries(prints(blocks('text')[0]!)))
      expect((await run('node', ['--import', 'tsx', `${folder}/${name}.ts`])).stdout).toBe(printed);
  });

  test.each(commands)('%s', async (command) => {
    const terminal = new KeptTerminal(false, 100);

    const exitCode = await main(command.split(' ').slice(2), terminal);

    expect(exitCode).toBe(finding.some((file) => command.includes(`/${file}`)) ? 1 : 0);
    // A page may show what a command tells of a log.
    for (const block of blocks('text').filter((one) => command.includes(one.split(':')[0]!)))
      expect(terminal.stdout).toContain(block);
  });

  test('names scenarios that there are', () => {
    for (const [file] of text.matchAll(/scenarios\/[\w/-]+\.yaml/g))
      expect(readFileSync(file, 'utf8')).toContain('machine: ');
    for (const [, file] of text.matchAll(/`([\w-]+\.yaml)`/g))
      expect(readFileSync(`scenarios/fairness/${file}`, 'utf8')).toContain('machine: fairness');
  });
});
