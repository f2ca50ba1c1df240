import { expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { fastTbox } from '../../../actors/sunway/engine/fast/tbox.ts';
import { fastMemoryCtrl } from '../../../actors/sunway/memory/fast/memory-ctrl.ts';
import { fastSyncNet } from '../../../actors/sunway/sync/fast/sync-net.ts';
import { Run } from '../../../kernel/run.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { plantingIn } from '../../../machines/planting.ts';
import { sunwayConfig } from '../../../machines/sunway/config.ts';
import { sunwayMachine } from '../../../machines/sunway.ts';
import { stridedTile } from '../../../scenarios/sunway/strided-tile.ts';
import { compareGenerated } from './generated-twins.ts';

test('explicit parts and their fast twins say the same in the same order, in every tick of generated scenarios', () => {
  const compared = Array.from({ length: effort({ short: 5, long: 300 }) }, (_, index) =>
    compareGenerated(18, index),
  );

  expect(compared.flatMap(({ difference }) => difference ?? [])).toEqual([]);
  expect(compared.reduce((sum, { messages }) => sum + messages, 0)).toBeGreaterThan(20_000);
});

test('barriers and locks that a stopped job or a halted array leaves behind are no deadlock', () => {
  for (const index of [207, 221]) expect(compareGenerated(18, index).difference).toBeUndefined();
});

test.each([
  ['S-03', 0],
  ['S-33', 0],
  ['S-03', 2],
] as const)('a fault planted in an explicit part is a difference: %s from scenario %i on', (mutant, from) => {
  const isFound = (index: number): boolean =>
    compareGenerated(18, from + 8 * Math.floor(index / 2) + (index % 2), [mutant]).difference !== undefined;

  expect(Array.from({ length: 6 }, (_, index) => index).some(isFound)).toBe(true);
});

const { saying } = plantingIn<{ part: AnyStateMachine }>();

test.each([
  ['engine', fastTbox, 'takeResponse'],
  ['barrier wires', fastSyncNet, 'arrive'],
  ['memory controller', fastMemoryCtrl, 'goOn'],
])(
  'a fault planted in a fast twin is a difference: the %s says everything a cycle later',
  (_name, sound, action) => {
    const late = saying('part', action, (message) => ({ ...message, delay: (message.delay ?? 0) + 1 }));
    const isFound = (index: number): boolean =>
      compareGenerated(18, index, [], (machine) => (machine === sound ? late({ part: sound }).part : machine))
        .difference !== undefined;

    expect([4, 5, 12, 13, 0, 1].some(isFound)).toBe(true);
  },
);

test('an explicit node does the same on XState itself', () => {
  const config = sunwayConfig.parse({ cpesPerCg: 4, detail: 'explicit' });
  const programs = { module: 'trial', program: stridedTile };
  const given = { name: 'twins', config, programs, mutants: [], scheduled: false };
  const [tables, interpreted] = (['compiled', 'xstate'] as const).map((engine) => {
    const run = new Run(sunwayMachine.assemble(given).wiring, { engine });
    run.toEnd();
    return run;
  }) as [Run, Run];

  expect(tables.outcome.verdict).toBe('ok');
  expect(interpreted.fingerprint).toBe(tables.fingerprint);
});
