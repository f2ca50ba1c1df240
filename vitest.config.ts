import { defineConfig } from 'vitest/config';
import { Totals } from './vitest.totals.ts';

export default defineConfig({
  test: {
    include: ['{kernel,actors,machines,scenarios,properties,cli,bench}/**/*.test.ts', '*.test.ts'],
    testTimeout: 120_000,
    // Vitest leaves one core free, which on two of them is half of the time of the gate.
    maxWorkers: '100%',
    reporters: ['default', new Totals()],
  },
});
