import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from './cli/main.ts';
import { KeptTerminal } from './cli/terminal.ts';
import { findingsOf } from './docs/findings-of.ts';

// Takes some seconds: the code of the page is checked by the compiler and run, and so is each of its commands.

const run = promisify(execFile);
const text = readFileSync('docs/properties.md', 'utf8');
const folder = 'out/properties-page';
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
const files = blocks('ts').map((block) => ({
  name: /out\/[\w./-]+\.ts/.exec(block.split('\n')[0]!)![0],
  block,
}));
const commands = [...text.matchAll(/^npx lockstep .*$/gm)].map(([command]) => command);
/** Commands that find something. */
const finding = ['token-ring.yaml', 'philosophers-starved.yaml'];

describe('the page on properties', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, block } of files) writeFileSync(name, block);
  });

  test('shows code that compiles, and that prints what the page says', async () => {
    const printed = async (name: string) =>
      (await run('node', ['--import', 'tsx', `${folder}/${name}.ts`])).stdout;

    expect(findingsOf(files.map(({ name }) => name))).toBe('');
    expect(await printed('check')).toBe(blocks('text')[0]);
    expect(await printed('own')).toBe('ok\n');
  });

  test.each(commands)('%s', async (command) => {
    const exitCode = await main(command.split(' ').slice(2), new KeptTerminal(false, 100));

    expect(exitCode).toBe(finding.some((file) => command.endsWith(`/${file}`)) ? 1 : 0);
  });

  test('names every scenario on fairness that it tells of', () => {
    for (const [, file] of text.matchAll(/`(?:scenarios\/fairness\/)?([\w-]+\.yaml)`/g))
      expect(readFileSync(`scenarios/fairness/${file}`, 'utf8')).toContain('machine: fairness');
  });
});
