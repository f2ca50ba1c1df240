import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishedPoints } from '../../machines/sunway/calibration/published-points.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

const readme = readFileSync('machines/sunway/README.md', 'utf8');
const jobs = readFileSync('cli/sunway/README.md', 'utf8');

/** The code blocks of a language, in order. */
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
const commandsOf = (text: string): readonly string[] =>
  blocks(text, 'sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx lockstep ')));

test('the README of the Sunway machine names every scenario', () => {
  const files = readdirSync('scenarios/sunway').filter((file) => file.endsWith('.yaml'));

  for (const file of files) expect(readme).toContain(`\`${file.replace('.yaml', '')}\``);
});

test('it tells how many published points the calibration has', () => {
  expect(readme).toContain(`${publishedPoints.length} points, all within the tolerance`);
});

describe('the tour', () => {
  /** Commands that show something that goes wrong. */
  const exitCodes: Readonly<Record<string, number>> = {
    'npx lockstep run out/sunway-tour/hasty.yaml': 1,
    'npx lockstep run out/sunway-tour/uneven.yaml': 1,
  };
  /** Too long for this test; the README of the project has it, and its test carries it out. */
  const elsewhere = 'npx lockstep sunway calibrate';
  const told = new Map<string, string>();

  beforeAll(() => {
    rmSync('out/sunway-tour', { recursive: true, force: true });
    rmSync('out/farm', { recursive: true, force: true });
    mkdirSync('out/sunway-tour', { recursive: true });
    for (const block of [...blocks(readme, 'ts'), ...blocks(readme, 'yaml')]) {
      const name = /out\/sunway-tour\/[\w.-]+\w/.exec(block.split('\n')[0]!)![0];
      writeFileSync(name, block);
    }
  });

  test('leaves nothing to the test of the project README that this one does not carry out', () => {
    expect(commandsOf(readme)).toContain(elsewhere);
    expect(commandsOf(readFileSync('README.md', 'utf8'))).toContain(elsewhere);
  });

  test.each(commandsOf(readme).filter((command) => command !== elsewhere))('%s', async (command) => {
    const terminal = new KeptTerminal();
    const exitCode = await main(command.split(' ').slice(2), terminal);
    told.set(command, terminal.stderr);

    expect(exitCode).toBe(exitCodes[command] ?? 0);
  });

  test('shows reports that the runs do tell', () => {
    const reports = blocks(readme, 'text');

    expect(reports).toHaveLength(2);
    for (const report of reports) expect([...told.values()].some((text) => text.includes(report))).toBe(true);
  });
});

describe('the README of jobs', () => {
  // Signals of the commands that follow need a job that runs; job.test.ts has them.
  test.each(commandsOf(jobs).filter((command) => !command.includes(' bsignal ')))('%s', async (command) => {
    expect(await main(command.split(' ').slice(2), new KeptTerminal())).toBe(0);
  });
});
