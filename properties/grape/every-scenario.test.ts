import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { grapeMachine } from '../../machines/grape.ts';
import type { Machine } from '../../machines/machine.ts';
import { judge } from '../../scenarios/judge.ts';
import { loadScenario } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { simulate } from '../../scenarios/simulate.ts';
import type { Watch } from '../property.ts';
import { grapeMachineProperties } from './machine-properties.ts';

const machine = grapeMachine as unknown as Machine;
const folder = new URL('../../scenarios/grape/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const loaded = await Promise.all(
  files.map(async (file) => ({ file, ...(await loadScenario(new URL(file, folder).pathname, [machine])) })),
);

/** The same scenario with other keys in its configuration. */
const configured = (scenario: Scenario, changes: object): Scenario => ({
  ...scenario,
  config: { ...(scenario.config as object), ...changes },
});

/** A run without what hangs on how blocks have messages: its result, and its event log. */
function told(scenario: Scenario, choices?: RandomChoices) {
  const log: object[] = [];
  const { outcome, result } = simulate(scenario, machine, {
    ...(choices && { choices }),
    observe: (run, { assembly }) =>
      assembly.follow?.(
        run,
        (record) => log.push(record),
        () => {},
      ),
  });
  const { config: _, ...figures } = result as { readonly config: object };
  return { verdict: outcome.verdict, ticks: outcome.ticks, figures, log };
}

describe.each(loaded)('$file', ({ scenario }) => {
  test('comes to what it expects, and keeps every property', () => {
    let watching: Watch | undefined;
    const { outcome, result } = simulate(scenario, machine, {
      observe: (run, { given, assembly }) => {
        watching = grapeMachineProperties.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    });

    expect(outcome.violations).toEqual([]);
    expect(judge(scenario.expect, { outcome, result })).toEqual([]);
  });

  test('is the same with a message for every cycle of a block as with those that could make a difference', () => {
    const [bySlot, byElement] = ['slot', 'element'].map((detail) => told(configured(scenario, { detail })));

    expect(byElement).toEqual(bySlot);
  });

  test('is the same under another schedule', () => {
    const { figures, ticks } = told(scenario);

    expect(told(scenario, new RandomChoices(7))).toMatchObject({ figures, ticks, verdict: 'ok' });
  });

  test('calculates the same side by side as word by word', () => {
    const { figures, ticks } = told(scenario);

    expect(told(configured(scenario, { engine: 'reference' }))).toMatchObject({ figures, ticks });
  });
});
