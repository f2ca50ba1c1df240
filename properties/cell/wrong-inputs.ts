import type { Inputs } from '../refused-inputs.ts';

const saturate = (change: object): Readonly<Record<string, unknown>> => ({
  programs: { saturate: { outstanding: 2, perSpu: 4, sizeMin: 1, sizeMax: 64, seed: 1, ...change } },
});
const lists = (...programs: readonly unknown[]): Readonly<Record<string, unknown>> => ({ programs });
const put = (cycle: number) => [cycle, 'put', 1, 0, 0, 8];

/** What several keys of a scenario decide together (Cell specification 2, 8, 18.1). */
export const cellInputs: Inputs = {
  right: { config: { N: 2 }, programs: [] },
  wrong: [
    [lists([], []), ''],
    [lists([], [], []), 'program number 2', 'programs.2'],
    [lists([put(3), put(3)]), ''],
    [lists([], [put(0), put(4), put(3)]), 'cycle 3 after cycle 4', 'programs.1.2.0'],
    [{ 'config.detail': 'burst' }, ''],
    [
      { 'config.detail': 'burst', 'config.interleaving': 'free' },
      'free interleaving with detail: burst',
      'config.interleaving',
    ],
    [{ 'config.interleaving': 'free' }, ''],
  ],
};

/** Closed loops (Cell specification 18.1): sources lie in the lower half of a memory, destinations in the upper one. */
export const saturatingInputs: Inputs = {
  right: { config: { N: 2, memSize: 512 }, programs: [] },
  wrong: [
    [saturate({ sizeMin: 64 }), ''],
    [saturate({ sizeMin: 65 }), 'sizeMin 65', 'programs.saturate.sizeMin'],
    [{ 'config.N': 1, ...saturate({}) }, 'N = 1', 'programs.saturate'],
    [saturate({}), ''],
    [{ 'config.memSize': 510, ...saturate({}) }, 'memSize 510', 'programs.saturate'],
    [{ 'config.memSize': 513, ...saturate({}) }, 'memSize 513', 'programs.saturate'],
    // Room for the sources: 64 bytes more than the largest request.
    [{ 'config.memSize': 256, ...saturate({ outstanding: 1 }) }, ''],
    [{ 'config.memSize': 254, ...saturate({ outstanding: 1 }) }, 'memSize 254', 'programs.saturate'],
  ],
};
