import { expect, test } from 'vitest';
import type { NetworkMessage } from '../../actors/chiplet/network/protocol.ts';
import { Run } from '../../kernel/run.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { type ChipletGiven, givenOf, trial } from './trial.ts';

/** The ports through which the heads of packets leave routers, in the order of time. */
function portsTaken(given: ChipletGiven): readonly number[] {
  const { wiring, wired } = networkMachine.assemble(given);
  const links = new Map(wired.links.map((link) => [link.address as number, link.port]));
  const run = new Run(wiring);
  const ports: number[] = [];
  run.messages$.subscribe(({ message: { to, event } }) => {
    if (event.type === 'link.carry' && ((event as NetworkMessage<'link.carry'>).flit & 2) !== 0)
      ports.push(links.get(to)!);
  });
  run.toEnd();
  return ports;
}

const cube = (packet: readonly number[], network: object = {}) =>
  givenOf({ A: 4, c: 3, B: 12, O: 12, ...network }, { packets: [packet] });

test('in three dimensions a packet goes in z, then in y, then in x (chiplet specification 5.1)', () => {
  // Ports 5 and 6 lead to z - 1 and z + 1, 3 and 4 to y - 1 and y + 1, 1 and 2 to x - 1 and x + 1.
  expect(portsTaken(cube([1, 0, 3, 1, 2, 1, 3, 2]))).toEqual([6, 6, 3, 3, 2, 2]);
  expect(portsTaken(cube([1, 3, 0, 3, 1, 1, 0, 1]))).toEqual([5, 5, 5, 4, 1, 1]);
});

test('a torus of three dimensions goes the short way, first coordinate first', () => {
  expect(portsTaken(cube([1, 0, 0, 0, 3, 2, 3, 1], { R: 1, V: 2 }))).toEqual([1, 4, 4, 5]);
});

test('delay without other traffic is five cycles a hop in three dimensions, too', () => {
  const { result, raised } = trial(cube([1, 0, 0, 0, 3, 2, 1, 7]));

  expect(raised).toEqual([]);
  expect(result.avgDelay).toBe(5 * 6 + 6);
});

test('on a mesh of chiplets the wire at port 5 is slow as in the original, or as all others of a chiplet', () => {
  const delay = (correctWires: boolean): number => {
    const network = { A: 2, c: 4, R: 2, V: 2, B: 12, O: 12, correctWires };
    return trial(givenOf(network, { packets: [[1, 0, 0, 1, 0, 0, 0, 0, 0, 1]] })).result.avgDelay;
  };

  // From core (1, 0) to core (0, 0): four turns, the wire, and the first turn after the arrival (chiplet specification 5.7).
  expect(delay(false)).toBe(4 + Math.ceil(153.16));
  expect(delay(true)).toBe(4 + Math.ceil(9.57));
});
