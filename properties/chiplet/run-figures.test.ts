import { describe, expect, test } from 'vitest';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { figuresOfFile } from '../testing/figures-of-file.ts';

describe('what is told of a run', () => {
  test('of a network: packets, delay, end, hops, power', async () => {
    expect(await figuresOfFile(networkMachine, 'chiplet/two-packets.yaml')).toEqual([
      'packets: 2 of 2 arrived',
      'average delay: 10.500 cycles',
      'end: cycle 101',
      'flit hops: 6',
      'power: 0.0215724 W at 1 GHz',
    ]);
  });

  test('of a network that stands still: also where, and the circle', async () => {
    const figures = await figuresOfFile(networkMachine, 'chiplet/deadlock.yaml');

    expect(figures.map((line) => line.split(':')[0])).toEqual([
      ...['packets', 'average delay', 'end', 'flit hops', 'power'],
      ...Array.from({ length: 10 }, () => 'buffer'),
      'circle',
    ]);
  });

  test('of a system: cycles, messages, network, power, each chiplet, who is blocked', async () => {
    expect(await figuresOfFile(systemMachine, 'chiplet/system-deadlock.yaml')).toEqual([
      'total cycles: 92 (coupled)',
      'messages: 3 sent, 3 delivered, 0 unread',
      'network: 3 packets, average delay 18.333 cycles',
      'power: GPU 20.0000 W + CPU 35.0000 W + network 0.542334 W = 55.5423 W',
      'cpu (0, 0): 3 cycles, 3 sent, 0 received',
      'gpu (1, 1): 92 cycles, 0 sent, 3 received',
      'blocked: Chip[1][1]: a warp wants a value of (0, 0) since cycle 85: its program has ended after sending 3',
    ]);
  });

  test('of processes: the cycles of each round', async () => {
    expect(await figuresOfFile(interchipletMachine, 'chiplet/interchiplet-lock-order.yaml')).toEqual([
      'cycles: 5504 after 3 rounds, converged',
      'round 1: 5808 cycles, 4 transactions',
      'round 2: 5504 cycles, 4 transactions',
      'round 3: 5504 cycles, 4 transactions',
    ]);
  });
});
