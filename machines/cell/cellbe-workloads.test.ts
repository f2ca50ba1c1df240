import { expect, test } from 'vitest';
import type { CellbePrograms, TimedDma } from './cellbe-config.ts';
import {
  adjacentPairs,
  allToMemory,
  fourPairs,
  fourPairsRows,
  hotSpot,
  onePair,
  shifted,
} from './cellbe-workloads.ts';

const commandsOf = (programs: CellbePrograms, name: string): readonly TimedDma[] =>
  programs[name] as readonly TimedDma[];

/** By element: what it does, in commands of which size, and how many of them. */
const told = (programs: CellbePrograms): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(programs).map((name) => {
      const commands = commandsOf(programs, name);
      const each = commands.map(({ kind, element, size }) => `${commands.length} ${kind} ${element} ${size}`);
      return [name, [...new Set(each)].join(', ')];
    }),
  );

test('who moves how much where (Cell specification 19.1, 19.3, 19.4)', () => {
  expect(told(fourPairs([[1, 3]]))).toEqual({ SPE1: '16 put SPE3 16384', SPE3: '16 put SPE1 16384' });
  expect(told(onePair(128))).toEqual({ SPE1: '1024 put SPE3 128', SPE3: '1024 put SPE1 128' });
  expect(told(hotSpot())).toEqual(
    Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((spe) => [`SPE${spe}`, '2 get SPE0 16384'])),
  );
  expect(told(allToMemory())).toMatchObject({ SPE0: '2 get MIC 16384', SPE7: '2 put MIC 16384' });
  expect(told(shifted(['A', 'B', 'C'], 2))).toEqual({
    ...{ A: '4 put C 16384', B: '4 put A 16384', C: '4 put B 16384' },
  });
  // The last one of an odd number has no partner.
  expect(told(adjacentPairs(['A', 'B', 'C']))).toEqual({ A: '4 put B 16384', B: '4 put A 16384' });
});

test('every row of the table of pairs has each SPE once', () => {
  for (const row of fourPairsRows) expect(row.flat().sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('commands follow each other through the windows of both stores', () => {
  const commands = commandsOf(onePair(16384), 'SPE1');

  expect(commands.map(({ local, address, cycle }) => [local, address, cycle])).toEqual(
    [0, 1, 2, 3, 0, 1, 2, 3].map((at) => [at * 16384, 131072 + at * 16384, 0]),
  );
});
