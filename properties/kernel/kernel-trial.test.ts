import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { kernelTrial } from './kernel-trial.ts';
import { PlainRun } from './plain-run.ts';
import { drawnWorld } from './walkers.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

test('the kernel does what a plain loop, XState and all tapes say, on random machines', {
  timeout: 120_000,
}, () => {
  const wrong = Array.from({ length: effort({ short: 25, long: 120 }) }, (_, number) =>
    kernelTrial(number, 7),
  ).filter((why) => why !== undefined);

  expect(wrong).toEqual([]);
});

// Tests run with the development build of XState, users with the other one.
test('so it does with the production build of the libraries', { timeout: 120_000 }, () => {
  const args = ['--import', 'tsx', 'properties/kernel/kernel.campaign.ts', '--trials', '20', '--seed', '1'];

  const { stdout, status } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });

  expect(stdout).toBe('20 trials from seed 1, 0 wrong\n');
  expect(status).toBe(0);
});

describe('random walkers', () => {
  const runs = Array.from({ length: 300 }, (_, seed) =>
    new PlainRun(drawnWorld(new RandomChoices(seed)), [3, 1, 4, 1, 5, 9, 2, 6]).carriedOut(),
  );

  test.each(['ok', 'deadlock', 'livelock', 'error', 'violated'])('come to the end "%s"', (end) => {
    expect(runs.filter((run) => run.end.startsWith(end)).length).toBeGreaterThan(5);
  });

  test('post far and near, show, complain, pick and use timers', () => {
    const all = (list: (run: (typeof runs)[number]) => readonly unknown[]) => runs.flatMap(list).length;

    expect(all(({ deliveries }) => deliveries.filter((one) => / ring | bell /.test(one)))).toBeGreaterThan(
      50,
    );
    expect(all(({ probes }) => probes)).toBeGreaterThan(200);
    expect(all(({ violations }) => violations)).toBeGreaterThan(20);
    expect(all(({ picks }) => picks)).toBeGreaterThan(200);
    expect(Math.max(...runs.flatMap(({ ticks }) => ticks))).toBeGreaterThan(40);
  });
});
