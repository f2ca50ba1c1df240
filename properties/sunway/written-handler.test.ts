import { expect, test } from 'vitest';
import { hostCore } from '../../actors/sunway/mpe/mpe-state.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import { signalsArriveOnce } from './signals-arrive-once.ts';

/** Runs a program as data with all properties watching; gives the outcome and the calls of the host. */
function ranWith(written: object, config: object = {}, faults: RunOptions['faults'] = []) {
  const programs = sunwayMachine.programs.parse(written);
  const given = {
    name: 'written',
    config: sunwayMachine.config.parse({ cpesPerCg: 4, memoryMiB: 1, ...config }),
    programs,
    mutants: [],
    scheduled: false,
  };
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring, { faults });
  assembly.attach?.(run);
  const watching = sunwayMachineProperties.watch(run, given, assembly);
  const calls: string[] = [];
  run.probes$.subscribe(({ probe }) => {
    const { type, core, name } = probe as { type: string; core?: number; name?: string };
    if (type === 'call.begin' && core === hostCore(0)) calls.push(name!);
  });
  run.until(200_000);
  watching.end();
  return { outcome: run.outcome, calls };
}

const lifecycle = { host: [['athread_spawn'], ['athread_join']] };

test('a program as data may say what its host does for each signal', () => {
  const { outcome, calls } = ranWith({
    slave: [{ on: [1, 2], do: [['ssig_host', 64]] }, ['ssync_array']],
    ...lifecycle,
    handler: [['compute', 9], ['time_cycle']],
  });

  expect([outcome.verdict, outcome.violations]).toEqual(['ok', []]);
  expect(calls.filter((one) => one === 'compute')).toHaveLength(2);
  expect(calls.filter((one) => one === 'time_cycle')).toHaveLength(2);
});

test('a host that waits for a CPE and handles a signal meanwhile has not gone on', () => {
  const { outcome, calls } = ranWith({
    slave: [{ on: [0], do: [['ssig_host', 8]] }, ['compute', 900], { on: [0], do: [['ssync_master_spe']] }],
    host: [['athread_spawn'], ['sync_master_spe', 0], ['athread_join']],
    handler: [['compute', 9]],
  });

  expect([outcome.verdict, outcome.violations]).toEqual(['ok', []]);
  expect(calls.indexOf('compute')).toBeGreaterThan(calls.indexOf('sync_master_spe'));
  expect(calls.indexOf('compute')).toBeLessThan(calls.indexOf('athread_join'));
});

test('a handler starts no threads', () => {
  expect(sunwayMachine.programs.safeParse({ slave: [], handler: [['athread_spawn']] }).success).toBe(false);
});

test('a get brings what a cache wrote back before: lines that came before are no stores', () => {
  const { outcome } = ranWith(
    {
      memory: { bytes: 1024, fill: 3 },
      statics: { own: 64 },
      replies: ['moved'],
      slave: [
        ['rplySet', 'moved', 0],
        ['st', { memory: 0, perCpe: 256 }, 'i32', { number: 40, perCpe: 1 }],
        ['scache_flush_all'],
        ['dma_iget', 'own', { memory: 0, perCpe: 256 }, 4, 'moved'],
        ['dma_wait_value', 'moved', 1],
      ],
      ...lifecycle,
    },
    { cacheKiB: 32 },
  );

  expect([outcome.verdict, outcome.violations]).toEqual(['ok', []]);
});

test('a signal that is lost on its way is told', () => {
  const { outcome } = ranWith(
    { slave: [{ on: [1, 2], do: [['ssig_host', 64]] }], ...lifecycle, handler: [['compute', 9]] },
    {},
    [{ kind: 'drop', type: 'signal.arrive', probability: 1, budget: 1 }],
  );

  expect(outcome.violations.map(({ property, why }) => [property, why])).toEqual([
    [signalsArriveOnce.sentence, 'the signal 64 of CPE 1 never comes to its host'],
  ]);
});
