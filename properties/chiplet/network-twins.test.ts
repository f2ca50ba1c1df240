import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { router as fastRouter } from '../../actors/chiplet/network/fast/router.ts';
import { component } from '../../kernel/kit.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { soundNetwork } from '../../machines/chiplet/assembly.ts';
import { networkMutants } from '../../machines/chiplet/mutants.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { planted } from '../../machines/planting.ts';
import { planOfWritten, twinDifference } from './network-twins.ts';
import { chipletScenarios } from './scenarios.ts';
import { busy, givenOf } from './trial.ts';

const { act } = component<Record<string, never>, { type: string }>();
const planOf = (network: object) => networkMachine.assemble(givenOf(network, { ...busy, packets: 40 })).plan;

describe('a network of virtual channels and one of whole routers', () => {
  test('do the same in every tick of generated scenarios', () => {
    fc.assert(
      fc.property(chipletScenarios, (written) => {
        expect(twinDifference(planOfWritten(written))).toBeUndefined();
      }),
      { numRuns: effort({ short: 20, long: 100 }), seed: 1 },
    );
  });

  test.each([...networkMutants.keys()])('differ when channels have a planted fault: %s', (id) => {
    const plan = planOf(id === 'loss-untold' ? { loss: true, V: 1, B: 1 } : {});
    const channel = networkMutants.get(id)!.mutate(soundNetwork);

    expect(twinDifference(plan, { channel })).toMatch(/^tick/);
  });

  test('differ when a whole router forgets a credit', () => {
    const router = planted(fastRouter, { actions: { credit: act(() => {}) } });
    const fast = { ...soundNetwork.fast, router };

    expect(twinDifference(planOf({}), { router: { ...soundNetwork, fast } })).toMatch(/^tick/);
  });
});
