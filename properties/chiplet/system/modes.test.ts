import { describe, expect, test } from 'vitest';
import { RandomChoices, RecordingChoices, TapeChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import type { SystemConfig } from '../../../machines/chiplet/system-config.ts';
import { expectedBy } from '../../../scenarios/chiplet/system/exchange.ts';
import { productOf } from '../../../scenarios/chiplet/system/matmul.ts';
import { pipedThrough } from '../../../scenarios/chiplet/system/pipeline.ts';
import { schedulesOf } from './schedules.ts';
import { givenFrom, trial } from './trial.ts';

const modes = ['decoupled', 'coupled', 'iterative'] as const;

describe.each(modes)('in the mode %s', (mode) => {
  test.each([
    ['as given', {}],
    ['a torus with little room', { network: { A: 3, R: 1, V: 2, B: 1, O: 1, F: 2 } }],
    [
      'a random stream a router, two flits a message',
      { network: { A: 3, random: 'perRouter' }, flitRule: 'legosim' },
    ],
  ] as const)('four GPU chiplets find the product, and all messages arrive: %s', async (_, changes) => {
    const given = await givenFrom('system-matmul.yaml', { mode, ...(changes as Partial<SystemConfig>) });
    const { raised, result, outputs } = trial(given);

    expect(raised).toEqual([]);
    expect(outputs[0]).toEqual({ product: productOf(8, 6, 8) });
    expect(result.messages).toEqual({ sent: 304, delivered: 304, unread: 0 });
    expect(result.network.finished).toBe(304);
    expect(result.network.injectedFlits).toBe(304 * (given.config.flitRule === 'legosim' ? 2 : 4));
    expect(result.complete).toBe(true);
    const { gpu, cpu, network, total } = result.power;
    expect(total).toBeCloseTo(gpu + cpu + network, 9);
  });

  test('all to all and a pipeline give what was sent', async () => {
    const all = trial(await givenFrom('system-all-to-all.yaml', { mode }));
    expect(all.raised).toEqual([]);
    expect(all.outputs.map(({ received }) => received)).toEqual(
      [0, 1, 2, 3].map((own) => expectedBy(own, 4, 8)),
    );

    const ring = trial(await givenFrom('system-pipeline.yaml', { mode }));
    expect(ring.raised).toEqual([]);
    expect(ring.outputs[0]).toEqual({ blocks: pipedThrough(5, 8, [1, 2, 3]) });
  });

  test('any schedule gives the same values', async () => {
    const compared = schedulesOf(await givenFrom('system-schedules.yaml', { mode, rounds: 2 }));

    for (let seed = 0; seed < effort({ short: 12, long: 40 }); seed++)
      expect(compared.differs(seed)).toBeUndefined();
  });

  test('a recorded schedule is repeated event by event', async () => {
    const given = await givenFrom('system-schedules.yaml', { mode });
    const recording = new RecordingChoices(new RandomChoices(11));
    const first = trial(given, { choices: recording });
    const again = trial(given, { choices: new TapeChoices(recording.tape) });

    expect(again.run.fingerprint).toBe(first.run.fingerprint);
    expect(again.run.outcome).toEqual(first.run.outcome);
  });

  test('it goes on from a snapshot as if it had never stopped, and the snapshot stays what it was', async () => {
    const given = await givenFrom('system-schedules.yaml', { mode });
    const run = new Run(systemMachine.assemble(given).wiring);
    run.until(150);
    const snapshot = run.snapshot();
    run.toEnd();

    for (let again = 0; again < 2; again++) {
      const restored = Run.restore(systemMachine.assemble(given).wiring, snapshot);
      restored.toEnd();
      expect(restored.fingerprint).toBe(run.fingerprint);
    }
  });

  test('interpreted by XState it does the same as from tables', async () => {
    const given = await givenFrom('system-schedules.yaml', { mode });

    expect(trial(given, { engine: 'xstate' }).run.fingerprints).toEqual(trial(given).run.fingerprints);
  });
});

test('calls of a mailbox that is read by index give the first values again', async () => {
  const given = await givenFrom('system-data-ranges.yaml', { mailbox: 'indexed' });
  const { raised, outputs } = trial(given);

  expect(raised).toEqual([]);
  expect(outputs[0]).toEqual({ first: [109, 103, 112, 103], second: [14, 15, 16, 17] });
});

test('formula A counts synchronisations, and formula B is A with 16 of them', async () => {
  const given = await givenFrom('system-matmul.yaml', { mode: 'decoupled' });
  const own = trial(given).result;
  const sixteen = trial({ ...given, config: { ...given.config, syncCount: 16 } }).result;

  const { synchronisations, gpuCycles, formulaA, formulaB } = own.totals!;
  // The CPU calls receive once for each GPU; a GPU has two kernels that read.
  expect(synchronisations).toBe(4);
  expect(gpuCycles).toBe(
    Math.max(...own.chiplets.map(({ kernels }) => kernels.reduce((sum, { cycles }) => sum + cycles, 0))),
  );
  expect(formulaA).toBeCloseTo(4 * own.network.avgDelay + gpuCycles, 9);
  expect(sixteen.totals!.formulaA).toBe(formulaB);
  expect(own.cycles).toBe(formulaA);
});

test('rounds come to the same cycles again, and near those of the coupled run', async () => {
  const iterative = trial(await givenFrom('system-matmul.yaml', { mode: 'iterative' })).result;
  const coupled = trial(await givenFrom('system-matmul.yaml')).result;

  expect(iterative.rounds!.at(-1)!.converged).toBe(true);
  expect(Math.abs(iterative.cycles - coupled.cycles) / coupled.cycles).toBeLessThan(0.05);
});

test('messages one after the other in an empty network take what the formula of empty networks says', async () => {
  const given = await givenFrom('system-pipeline.yaml', {
    network: { A: 2 } as unknown as SystemConfig['network'],
  });
  const delays: number[] = [];
  const assembly = systemMachine.assemble(given);
  const run = new Run(assembly.wiring);
  run.probes$.subscribe(({ probe }) => {
    if (probe.type === 'packet.finished') delays.push((probe as unknown as { delay: number }).delay);
  });
  run.toEnd();

  // One hop of 5 cycles, three flits after the head, and one cycle until the first turns that see it (chiplet specification 5.5).
  expect(Math.min(...delays)).toBe(5 + 3 + 1);
});
