import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from './cli/main.ts';
import { KeptTerminal } from './cli/terminal.ts';
import { outputOf } from './docs/output-of.ts';

const run = promisify(execFile);
const text = readFileSync('README.md', 'utf8');

/** The code blocks of a language, in order. */
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
const shown = blocks('sh').flatMap((block) =>
  block.split('\n').filter((line) => line.startsWith('npx lockstep ')),
);
const mentioned = [...text.matchAll(/`(npx lockstep [^`]+)`/g)].map((match) => match[1]!);
const commands = [...shown, ...mentioned];
/** Blocks that say in their first line which file they are. */
const files = [...blocks('ts'), ...blocks('yaml')].map((block) => ({
  name: /out\/readme\/[\w.-]+\w/.exec(block.split('\n')[0]!)![0],
  block,
}));

/** Commands of the README that end with another code than 0, because they show something that goes wrong. */
const exitCodes: Record<string, number> = {
  'npx lockstep run scenarios/cell/planted-fault.yaml --json': 1,
  'npx lockstep check scenarios/protocols/peterson-swapped.yaml': 1,
  'npx lockstep check scenarios/protocols/forgotten-promise.yaml': 1,
  'npx lockstep replay out/Peterson-s-algorithm-with-its-writes-swapped.check.json': 1,
};

describe('the README', () => {
  beforeAll(() => {
    for (const folder of ['out/readme', 'out/lock-server']) rmSync(folder, { recursive: true, force: true });
    mkdirSync('out/readme', { recursive: true });
    for (const { name, block } of files) writeFileSync(name, block);
  });

  test('begins with the two commands', () => {
    expect(blocks('sh')[0]).toMatch(/^npm ci && npm start .*\nnpm ci && npm test /);
  });

  test.each(commands)('%s', async (command) => {
    const terminal = new KeptTerminal();

    expect(await main(command.split(' ').slice(2), terminal), terminal.stderr).toBe(exitCodes[command] ?? 0);
  });

  test('shows an actor and a run that work', async () => {
    const stdout = await outputOf('out/readme/game.ts');

    expect(stdout.trim().split('\n').slice(-2)).toEqual(['10 Left ball.pass', 'ok 5']);
  });

  test('shows a sentence about what happens when', async () => {
    const stdout = await outputOf('out/readme/answered.ts');

    expect(stdout.trim().split('\n').at(-1)).toMatch(
      /^10: ball\.pass left=0 from Right to Left at tick 10 was not followed by ball\.pass$/,
    );
  });

  test('shows a machine and a property, and a fuzzed test of it that passes', async () => {
    const { stdout } = await run('npx', [
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
    const terminal = new KeptTerminal();
    await main(['run', 'out/readme/tennis.yaml', '--json'], terminal);

    expect(JSON.parse(terminal.stdout)).toMatchObject({
      machine: 'tennis',
      verdict: 'violated',
      result: { hits: 12 },
    });
  });

  test('shows each kind of code in at most 20 lines, wiring and comments aside', () => {
    for (const { name, block } of files)
      expect(
        block
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('import')).length,
        name,
      ).toBeLessThanOrEqual(20);
  });
});
