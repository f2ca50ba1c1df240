import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import type { Machine } from '../../machines/machine.ts';
import type { SunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { type SimulateOptions, simulate } from '../../scenarios/simulate.ts';

const machine = sunwayMachine as unknown as Machine;
const folder = new URL('../../scenarios/sunway/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

/* No run is recorded here: checkpoints, of which each costs a hash of all contexts, would take most of the time. */

/** Deliveries up to which a scenario is also run in another order. */
const reorderedMost = effort({ short: 4000, long: Number.MAX_SAFE_INTEGER });

/** Deliveries up to which a scenario is also carried out without fast twins, whatever its size. */
const explicitMost = effort({ short: 3000, long: Number.MAX_SAFE_INTEGER });

/** Deliveries up to which a scenario is also interpreted, which takes a hundred times as long. */
const interpretedMost = effort({ short: 400, long: 6000 });

describe.each(files)('%s', (file) => {
  const loading = loadScenario(new URL(file, folder).pathname, [machine]);

  let first: Promise<ReturnType<typeof simulate>> | undefined;
  /** The run first come, first served, carried out once for both tests. */
  const canonical = () => {
    first ??= loading.then(({ scenario }) => simulate(scenario, machine, { checkpoints: 0 }));
    return first;
  };

  test('comes to what it expects', async () => {
    const { scenario } = await loading;
    const { outcome, result } = await canonical();

    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
  });

  test('comes to it with every transfer, job, barrier and lock an actor', async () => {
    const { scenario } = await loading;
    const { deliveries } = (await canonical()).outcome;
    if (deliveries > explicitMost) return;
    const config = { ...(scenario.config as SunwayConfig), detail: 'explicit' };
    const { outcome, result } = simulate({ ...scenario, config }, machine, { checkpoints: 0 });

    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
  });

  test('comes to the same under other orders, on both engines and with both kinds of state', async () => {
    const { scenario } = await loading;
    // What a race leaves depends on the order.
    if (scenario.expect?.violations?.length) return;
    const told = ({ outcome, result }: ReturnType<typeof simulate>) => ({
      verdict: outcome.verdict,
      told: (result as { told: unknown }).told,
    });
    const other = (options: SimulateOptions) =>
      told(simulate(scenario, machine, { ...options, checkpoints: 0 }));
    const sound = await canonical();

    const { deliveries } = sound.outcome;
    if (deliveries <= reorderedMost) expect(other({ choices: new RandomChoices(5) })).toEqual(told(sound));
    if (deliveries > interpretedMost) return;
    expect(other({ state: 'immutable' })).toEqual(told(sound));
    expect(other({ engine: 'xstate' })).toEqual(told(sound));
  }, 30_000);
});
