import { fileURLToPath } from 'node:url';

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The package by its own name, as users import it: the sources, built or not. */
export const aliases = [
  { find: /^lockstep$/, replacement: source('./index.ts') },
  { find: /^lockstep\/testing$/, replacement: source('./entries/testing.ts') },
  { find: /^lockstep\/testing\/vitest$/, replacement: source('./entries/testing-vitest.ts') },
  { find: /^lockstep\/machines\/(\w+)$/, replacement: source('./entries/$1.ts') },
];
