import { defineConfig } from 'vitest/config';
import { aliases } from './vitest.aliases.ts';
import { LongestFirst } from './vitest.order.ts';
import { Totals } from './vitest.totals.ts';

const common = { testTimeout: 120_000 };
/** Tests that replace a module by one with a planted fault, which others must not see. */
const replacesModules = '{kernel,properties}/**/*.faults.test.ts';
/** Tests of inputs that bring a process to its limits: each file begins with a new one. */
const reachesLimits = 'cli/hostile/**/*.test.ts';

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    // Vitest leaves one core free, which on two of them is half of the time of the gate.
    maxWorkers: '100%',
    reporters: ['default', new Totals()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias: aliases },
        test: {
          ...common,
          name: 'model',
          include: ['{kernel,actors,machines,scenarios,properties,manifests}/**/*.test.ts'],
          exclude: [replacesModules],
          // Nothing here keeps anything in a module, so that files share what they import: a quarter of the time of the gate.
          isolate: false,
        },
      },
      {
        resolve: { alias: aliases },
        test: {
          ...common,
          name: 'command',
          include: ['cli/**/*.test.ts'],
          exclude: [reachesLimits],
          // The command and all machines take a second to load, a hundred times in all.
          isolate: false,
        },
      },
      {
        resolve: { alias: aliases },
        test: {
          ...common,
          name: 'program',
          include: [
            '{build,farm,viewer,bench,mutation,testing}/**/*.test.ts',
            'templates/**/*.test.{ts,js}',
            '*.test.ts',
            replacesModules,
            reachesLimits,
          ],
        },
      },
    ],
  },
});
