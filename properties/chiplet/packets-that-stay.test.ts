import { expect, test } from 'vitest';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { givenOf, trial } from './trial.ts';

const packets = [
  [0, 0, 0, 1, 1, 2],
  [50, 0, 0, 1, 0, 2],
  [90, 0, 0, 0, 1, 1],
];

test.each([
  ['packets.due', 0],
  ['packets.take', 0],
  ['source.settled', 1],
])('a packet that never leaves its source since a %s is lost is found, and counted', (type, first) => {
  const given = givenOf({ A: 2, detail: 'channel' }, { packets });
  const { raised, result } = trial(given, { faults: [{ kind: 'drop', type, probability: 1, budget: 1 }] });

  expect(raised).toContainEqual(expect.stringMatching(/^every packet arrives once/));
  expect(networkMachine.figures(result)[0]!.value).toBe(`${first} of 3 arrived`);
});

test('a packet after the end, and one behind a source that stays full as that of the original, need not enter', () => {
  const after = [...packets, [101, 0, 0, 1, 1, 2], [102, 0, 0, 1, 1, 2]];
  expect(trial(givenOf({ A: 2, T: 100 }, { packets: after })).raised).toEqual([]);

  // What a router sends to itself passes no switch: its source never opens again (chiplet specification 5.3).
  const own = Array.from({ length: 12 }, () => [0, 0, 0, 0, 0, 60]);
  const { raised, result } = trial(givenOf({ A: 2, V: 1, T: 100_000 }, { packets: own }));
  expect(raised).toEqual([]);
  expect(result.injectedPackets).toBeLessThan(own.length);
});
