import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import type { Machine } from '../../machines/machine.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { type SimulateOptions, simulate } from '../../scenarios/simulate.ts';

const machine = sunwayMachine as unknown as Machine;
const folder = new URL('../../scenarios/sunway/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe.each(files)('%s', (file) => {
  const loading = loadScenario(new URL(file, folder).pathname, [machine]);

  test('comes to what it expects', async () => {
    const { scenario } = await loading;
    const { outcome, result } = simulate(scenario, machine);

    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
  });

  test('comes to the same under other orders, on both engines and with both kinds of state', async () => {
    const { scenario } = await loading;
    const told = (options: SimulateOptions) => {
      const { outcome, result } = simulate(scenario, machine, options);
      return { verdict: outcome.verdict, told: (result as { told: unknown }).told };
    };
    const first = told({});

    expect(told({ state: 'immutable' })).toEqual(first);
    expect(told({ engine: 'xstate' })).toEqual(first);
    expect(told({ choices: new RandomChoices(5) })).toEqual(first);
  }, 30_000);
});
