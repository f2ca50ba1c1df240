import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{kernel,actors,machines,scenarios,properties,cli,bench}/**/*.test.ts', '*.test.ts'],
    testTimeout: 60_000,
  },
});
