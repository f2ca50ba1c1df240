import { expect, test } from 'vitest';
import { grapeConfig } from './config.ts';

test('what a chip is where its configuration says nothing (GRAPE specification 2, 6.5)', () => {
  expect(grapeConfig.parse({})).toEqual({
    nBB: 2,
    nPE: 2,
    mode: 'pipelined',
    lmShort: 512,
    grfShort: 64,
    bmShort: 2048,
    emLong: 33554432,
    grfReadPorts: 2,
    clockHz: 500000000,
    slotMin: 4,
    idpHeader: 1,
    idpLatency: 4,
    levelCycles: 2,
    outCycles: 2,
    emLatency: 8,
    hostCall: 2000,
    hostWord: 4,
    jPolicy: 'overlap',
    portPolicy: 'fault',
    engine: 'wasm',
    detail: 'slot',
    peActors: false,
    schedule: false,
    strictHazards: false,
    compat: {
      legacy: false,
      ilUpperBug: false,
      narrowMode: 'nearest',
      autoRegister: false,
      emClobber: false,
      roundPolicy: 'anyShort',
    },
  });
});
