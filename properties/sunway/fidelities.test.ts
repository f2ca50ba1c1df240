import { describe, expect, test } from 'vitest';
import { hashOf } from '../../kernel/hash.ts';
import type { Run } from '../../kernel/run.ts';
import type { Machine } from '../../machines/machine.ts';
import type { SunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { sunwayMachineProperties } from './machine-properties.ts';

const machine = sunwayMachine as unknown as Machine;
const levels = ['functional', 'tlm', 'flit'] as const;

/** Programs without races that use what engines do: gets and puts, with gaps and without, RMA of all forms, cached and uncached memory. */
const scenarios = [
  'hello',
  'one-to-all',
  'rma-walk',
  'strided-tile',
  'shared-vector',
  'table-lookup',
  'evicted-cache',
  'hand-shake',
  'persistent-kernel',
  'wavefront',
];

/** Main memory of all core groups in the end of a run. */
const memoryOf = (run: Run, { cgs }: SunwayConfig): readonly string[] =>
  Array.from({ length: cgs }, (_, cgn) =>
    hashOf(run.actor(`Cg[${cgn}].MemCtrl`).getSnapshot().context['bytes']),
  );

describe.each(scenarios)('%s', (name) => {
  test('ends with the same memory at all three levels, and no property is violated where flits are moved', async () => {
    const { scenario } = await loadScenario(
      new URL(`../../scenarios/sunway/${name}.yaml`, import.meta.url).pathname,
      [machine],
    );
    const ends = levels.map((fidelity) => {
      const config = { ...(scenario.config as SunwayConfig), race: { policy: 'off' as const }, fidelity };
      let seen: Run | undefined;
      let stop = (): void => {};
      const { outcome, result } = simulate({ ...scenario, config }, machine, {
        checkpoints: 0,
        observe: (run, { given, assembly }) => {
          seen = run;
          const watching = fidelity === 'flit' && sunwayMachineProperties.watch(run, given, assembly);
          if (watching) stop = () => watching.end();
        },
        onEnd: () => stop(),
      });
      const { told } = result as { told: unknown };
      return { verdict: outcome.verdict, memory: memoryOf(seen!, config), told };
    });

    expect(ends[0]!.verdict).toBe('ok');
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  }, 90_000);
});
