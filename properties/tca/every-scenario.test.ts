import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import type { Machine } from '../../machines/machine.ts';
import { type TcaRunResult, tcaMachine } from '../../machines/tca.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { type SimulateOptions, simulate } from '../../scenarios/simulate.ts';
import type { Watch } from '../property.ts';
import { tcaMachineProperties } from './machine-properties.ts';

const machine = tcaMachine as unknown as Machine;
const folder = new URL('../../scenarios/tca/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const loaded = new Map(
  await Promise.all(
    files.map(
      async (file) =>
        [file, (await loadScenario(new URL(file, folder).pathname, [machine])).scenario] as const,
    ),
  ),
);

/** Deliveries of a run that XState carries out, a hundred times slower than the tables; all of them in `npm run test:long`. */
const interpretedMost = effort({ short: 600, long: Number.MAX_SAFE_INTEGER });

/** A run with its properties, which a deadlock leaves with much to say: only those of runs that end well are looked at. */
function carriedOut(scenario: Scenario, options: SimulateOptions = {}) {
  let watching: Watch | undefined;
  const { outcome, result } = simulate(scenario, machine, {
    observe: (run, { given, assembly }) => {
      watching = tcaMachineProperties.watch(run, given, assembly);
    },
    onEnd: () => watching?.end(),
    ...options,
  });
  return { outcome, result: result as TcaRunResult };
}

const nsOf = (file: string): number => carriedOut(loaded.get(file)!).result.ns;

describe.each(files)('%s', (file) => {
  const scenario = loaded.get(file)!;

  test('comes to what it expects, and keeps every property', () => {
    const { outcome, result } = carriedOut(scenario);

    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
    if (outcome.verdict === 'ok') expect(outcome.violations).toEqual([]);
  });

  test('ends in the same way on both engines, both states, with checkpoints', () => {
    const told = (options: SimulateOptions) => {
      const { outcome, result } = simulate(scenario, machine, {
        checkpoints: effort({ short: 5, long: 20 }),
        ...options,
      });
      return { verdict: outcome.verdict, ticks: outcome.ticks, deliveries: outcome.deliveries, result };
    };
    const first = told({});
    const { ticks, deliveries } = first;
    const part =
      deliveries > interpretedMost ? { until: Math.floor((ticks * interpretedMost) / deliveries) } : {};

    expect(told({ state: 'immutable' })).toEqual(first);
    expect(told({ ...part, engine: 'xstate' })).toEqual('until' in part ? told(part) : first);
    expect(told({ choices: new RandomChoices(3) }).verdict).toBe(first.verdict);
  }, 20_000);
});

describe('lessons', () => {
  test('four channels beat one, and two with 32 tags are not slower than four', () => {
    const [one, four, two] = ['one-channel.yaml', 'four-channels.yaml', 'two-of-32-tags.yaml'].map(nsOf);

    expect(four!).toBeLessThan(one!);
    expect(two!).toBeLessThanOrEqual(four!);
  });

  test('polls of the counter cost from half a read to one and a half for each further start', () => {
    const [counter, ideal] = ['stop-counter.yaml', 'stop-ideal.yaml'].map(nsOf);

    // A stop is sampled up to a read later, and known half a read after that.
    expect(counter! - ideal!).toBeGreaterThanOrEqual(3 * 500);
    expect(counter! - ideal!).toBeLessThanOrEqual(3 * 1500);
  });

  test('a blocked ring shows its circle of routers and links', () => {
    const { deadlock } = carriedOut(loaded.get('ring-blocked.yaml')!).outcome;

    expect(deadlock?.cycle.length).toBe(8);
    expect(deadlock?.waiting.map(({ waitsFor }) => waitsFor)).toContain(
      'room in the transmit queue of a port',
    );
  });
});
