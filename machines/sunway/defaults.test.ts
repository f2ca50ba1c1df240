import { expect, test } from 'vitest';
import { sunwayConfig } from './config.ts';

test('what a node is where its configuration says nothing (Sunway specification 2.4)', () => {
  expect(sunwayConfig.parse({})).toEqual({
    cgs: 1,
    cpesPerCg: 64,
    memoryMiB: 16,
    crossMiB: 1,
    cacheKiB: 0,
    ldm: { preset: 'none' },
    sldm: { mode: 4, sizeKiB: 0, interleaveBytes: 0 },
    stackInLdm: false,
    fidelity: 'tlm',
    detail: 'auto',
    timing: {},
    fuzz: { maxJitter: 0, reorder: false },
    clockSkew: 0,
    skipAhead: true,
    race: { policy: 'lenient' },
    advise: false,
    onError: 'trap',
    sync: { colLeftRight: 'manual' },
    task: { reassignLost: false, quitMarksDone: true },
    files: {},
    job: { bsignal: [], kill: [] },
  });
});
