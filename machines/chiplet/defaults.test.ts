import { expect, test } from 'vitest';
import { networkConfig } from './config.ts';
import { interchipletConfig } from './interchiplet-config.ts';

test('what a network is where its configuration says nothing (chiplet specification 5.1)', () => {
  expect(networkConfig.parse({})).toEqual({
    A: 8,
    c: 2,
    V: 2,
    B: 64,
    O: 4,
    F: 4,
    L: 1000,
    T: 1000000000,
    R: 0,
    seed: 1,
    ties: 'fifo',
    random: 'shared',
    strict: true,
    loss: false,
    correctWires: false,
    detail: 'auto',
  });
});

test('what a coordinator is where its configuration says nothing (chiplet specification 9.1)', () => {
  expect(interchipletConfig.parse({})).toEqual({
    flitBytes: 64,
    rounds: 5,
    error: 0.005,
    networkRate: 1,
    delay: [],
  });
});
