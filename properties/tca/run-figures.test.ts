import { expect, test } from 'vitest';
import { tcaMachine } from '../../machines/tca.ts';
import { figuresOfFile } from '../testing/figures-of-file.ts';

test('what is told of a run: the time in microseconds, chains by channel, the traffic of each link', async () => {
  expect(await figuresOfFile(tcaMachine, 'tca/block-stride.yaml')).toEqual([
    'time: 3.056 us',
    'node 0: chains 1 0 0 0; up 384 bytes in 16 packets, down 2368 in 16',
    'node 1: chains 0 0 0 0; up 2464 bytes in 17 packets, down 0 in 0',
  ]);
});

test('a tick is 4 ns long', () => {
  expect(tcaMachine.tickFemtoseconds?.(tcaMachine.config.parse({}))).toBe(4_000_000);
});
