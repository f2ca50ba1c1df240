import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { wireNetwork } from '../../machines/chiplet/assembly.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { networkResult } from '../../machines/chiplet/result.ts';
import { busy, givenOf, trial } from './trial.ts';

const networks = [
  ['mesh', {}],
  ['torus', { R: 1 }],
  ['mesh with one place a buffer', { B: 1, O: 1 }],
  ['mesh in the order of a heap', { ties: 'heap' }],
  ['mesh in the order of the LegoSim edition', { ties: 'legosim' }],
  ['mesh with a random stream a router', { random: 'perRouter' }],
  ['mesh that is cut off', { T: 150.5 }],
] as const;

describe.each(networks)('%s', (_, network) => {
  const traffic = { ...busy, packets: 60 };

  test('any order of deliveries within a tick gives the same numbers', () => {
    const { result, run } = trial(givenOf(network, traffic));

    for (const seed of effort({ short: [1], long: [1, 2, 3] })) {
      const other = trial(givenOf(network, traffic), { choices: new RandomChoices(seed) });

      expect(other.raised).toEqual([]);
      expect(other.result).toEqual(result);
      // Messages under way bear the same numbers in another order; what the actors hold must be equal.
      expect(other.run.fingerprints).toEqual(run.fingerprints);
    }
  });

  test('interpreted by XState it does the same as from tables', () => {
    const few = givenOf(network, { ...busy, packets: effort({ short: 6, long: 12 }) });

    expect(trial(few, { engine: 'xstate' }).run.fingerprints).toEqual(trial(few).run.fingerprints);
  });

  test('it goes on from a snapshot as if it had never stopped, and the snapshot stays what it was', () => {
    const given = givenOf(network, traffic);
    const assembly = networkMachine.assemble(given);
    const run = new Run(assembly.wiring);
    run.until(201);
    const snapshot = run.snapshot();
    run.toEnd();

    for (let again = 0; again < 2; again++) {
      const restored = Run.restore(networkMachine.assemble(given).wiring, snapshot);
      restored.toEnd();

      expect(restored.fingerprint).toBe(run.fingerprint);
    }
  });

  test('routers that are visited in idle cycles, too, give the same result', () => {
    const { plan } = networkMachine.assemble(
      givenOf({ ...network, T: Math.min(600, 'T' in network ? network.T : 600) }, traffic),
    );
    const results = [false, true].map((restless) => {
      const wired = wireNetwork({ ...plan, restless });
      const run = new Run(wired.wiring);
      run.toEnd();
      return { result: networkResult(run, wired, plan, 1000), deliveries: run.outcome.deliveries };
    });

    expect(results[1]!.result).toEqual(results[0]!.result);
    expect(results[1]!.deliveries).toBeGreaterThan(results[0]!.deliveries);
  });
});

test('a router with full injection queues goes on from a snapshot, too', () => {
  const packets = Array.from({ length: 60 }, (_, at) => [at / 4, 0, 0, 2, 2, 16]);
  const given = givenOf({ V: 2 }, { packets });
  const run = new Run(networkMachine.assemble(given).wiring);
  run.until(61);
  const snapshot = run.snapshot();
  run.toEnd();

  const restored = Run.restore(networkMachine.assemble(given).wiring, snapshot);
  restored.toEnd();

  const full = snapshot.parts.map(({ snapshot: { context } }) => (context as { full?: boolean }).full);
  expect(full).toContain(true);
  expect(restored.fingerprint).toBe(run.fingerprint);
  expect(restored.outcome.deliveries).toBe(run.outcome.deliveries);
});
