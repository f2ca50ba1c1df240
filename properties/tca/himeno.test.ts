import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompose } from '../../actors/tca/himeno/decomposition.ts';
import { exchangePhases } from '../../actors/tca/himeno/faces.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { drawnNodes, drawnSetting, withoutEdges, wrongWith } from './himeno-runs.ts';

const parameters = { numRuns: effort({ short: 1, long: 8 }), seed: 16 };

describe('the halo exchange on nodes', () => {
  test('gives p to the last bit, however the grid is cut, whatever the way of the faces, under any schedule (I16)', () => {
    const law = fc.property(drawnSetting, drawnNodes, fc.nat(999), (setting, nodes, seed) => {
      for (const choices of [undefined, new RandomChoices(seed), new PctChoices(seed)])
        expect(wrongWith(setting, nodes, choices && { choices })).toBeUndefined();
    });

    fc.assert(law, parameters);
  }, 60_000);

  test('is the same on both engines', () => {
    const [setting, nodes] = fc.sample(fc.tuple(drawnSetting, drawnNodes), { numRuns: 1, seed: 3 })[0]!;

    // XState takes ten times as long.
    if (effort({ short: false, long: true }))
      expect(wrongWith(setting, nodes, { engine: 'xstate' })).toBeUndefined();
    expect(wrongWith(setting, nodes, { state: 'immutable' })).toBeUndefined();
  }, 60_000);
});

/** Cut so that ranks have rows of different lengths, and edges that matter. */
const cut = { data: 'mixed', order: 'sequential', iterations: 3 } as const;
const uneven = { ...cut, decomposition: decompose({ imax: 7, jmax: 9, kmax: 8 }, 2, 4) };

describe('a wrong halo exchange is found:', () => {
  test('none', () => {
    expect(wrongWith(uneven, {})).toBeUndefined();
  });

  test('edges that are left out', () => {
    const phases: typeof exchangePhases = (decomposition, order) =>
      exchangePhases(decomposition, order).map((phase) =>
        phase.map((transfer) => withoutEdges(decomposition, transfer)),
      );

    expect(wrongWith(uneven, {}, {}, { phases })).toMatch(/^p\(\d, \d, \d\): found/);
  });

  test('a face that never goes', () => {
    const phases: typeof exchangePhases = (decomposition, order) =>
      exchangePhases(decomposition, order).map((phase) => phase.slice(1));

    expect(wrongWith(uneven, {}, {}, { phases })).toMatch(/^p\(\d, \d, \d\): found/);
  });

  test('the pitch of the source where the target has another one', () => {
    const phases: typeof exchangePhases = (decomposition, order) =>
      exchangePhases(decomposition, order).map((phase) =>
        phase.map(({ from, to, ...rest }) => ({
          ...rest,
          from,
          to: { ...to, pitchBytes: from.pitchBytes },
        })),
      );

    expect(wrongWith(uneven, {}, {}, { phases })).toMatch(/^p\(\d, \d, \d\): found/);
  });

  test('axes that do not wait for each other', () => {
    const phases: typeof exchangePhases = (decomposition, order) => {
      const [alongI, alongJ] = exchangePhases(decomposition, order);
      return [[...alongJ!, ...alongI!]];
    };

    expect(wrongWith(uneven, {}, {}, { phases })).toMatch(/^p\(\d, \d, \d\): found/);
  });
});
