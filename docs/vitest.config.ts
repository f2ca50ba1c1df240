import { defineConfig } from 'vitest/config';
import { aliases } from '../vitest.aliases.ts';

/** For tests that the documents show. */
export default defineConfig({
  resolve: { alias: aliases },
  test: { testTimeout: 60_000, isolate: false, maxWorkers: 1 },
});
