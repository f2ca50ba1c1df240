import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { aliases } from './vitest.aliases.ts';
import { LongestFirst } from './vitest.order.ts';
import { Totals } from './vitest.totals.ts';

const common = { testTimeout: 120_000 };
/** Tests that share what they import, which Node loads itself (vitest.sources.mjs): nothing here keeps anything in a module. */
const together = {
  ...common,
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Short-lived objects are most of what tests make.
  // Threads that tests begin in other folders are given the same arguments.
  execArgv: [
    '--import',
    new URL('vitest.sources.mjs', import.meta.url).href,
    '--enable-source-maps',
    '--max-semi-space-size=64',
  ],
};
/** Tests that replace a module by one with a planted fault, which others must not see. */
const replacesModules = '{kernel,properties}/**/*.faults.test.ts';
/** Tests of inputs that bring a process to its limits: each file begins with a new one. */
const reachesLimits = 'cli/hostile/**/*.test.ts';

export default defineConfig({
  test: {
    // Vitest leaves one core free, and some tests wait for processes of their own: one worker more than there are cores has all of them at work.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new Totals()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...together,
          name: 'model',
          include: ['{kernel,actors,machines,scenarios,properties,manifests}/**/*.test.ts'],
          exclude: [replacesModules],
        },
      },
      {
        test: {
          ...together,
          name: 'command',
          include: ['cli/**/*.test.ts'],
          exclude: [reachesLimits],
        },
      },
      {
        test: {
          ...together,
          name: 'program',
          include: [
            '{build,farm,viewer,bench,mutation,testing}/**/*.test.ts',
            'templates/**/*.test.{ts,js}',
            '*.test.ts',
          ],
        },
      },
      {
        resolve: { alias: aliases },
        test: { ...common, name: 'alone', include: [replacesModules, reachesLimits] },
      },
    ],
  },
});
